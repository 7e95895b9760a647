#include "engine/sinks/written_rows.h"

#include "fields/input_readers.h"
#include "kept/merge_partials.h"

#include <fmt/format.h>

namespace mrc {
namespace {

// Returns the format of the input with the header, or null.
const Dialect *dialect_with_header(const Run &run) {
  if (run.program.partial.merged) return run.program.partial.merged->header();
  const i64 source = run.readers ? run.readers->first_with_header() : -1;
  return source < 0 ? nullptr : run.readers->dialect(source);
}

}  // namespace

Result<Answer> answer_of(OrderedRows *rows, std::unique_ptr<Formatter> formatter, Run *run,
                         std::optional<Rows> sorted) {
  run->timer.begin("sort");
  Answer answer{.formatter = std::move(formatter)};
  if (rows->on_disk()) {
    Result<std::unique_ptr<RowSource>> loaded = rows->load(&run->pool);
    if (!loaded.is_ok()) return loaded.status();
    answer.rows = std::move(*loaded);
    run->report.spilled_rows = rows->spilled_rows();
    run->report.spilled_row_bytes = rows->spilled_bytes();
    return answer;
  }
  // A formatter that measures needs all rows before the first is written.
  const bool overlaps = run->program.switches.async_output && !sorted &&
                        !answer.formatter->measures() && !answer.formatter->is_costly();
  if (overlaps) {
    Result<std::unique_ptr<RowsOfRanges>> ranges = rows->divide(&run->pool);
    if (!ranges.is_ok()) return ranges.status();
    if (*ranges) {
      answer.unsorted = [source = ranges->get()] { return source->unsorted(); };
      answer.rows = std::move(*ranges);
      return answer;
    }
  }
  Result<Rows> in_order = sorted ? Result<Rows>(std::move(*sorted)) : rows->sort(&run->pool);
  if (!in_order.is_ok()) return in_order.status();
  const i64 limit = run->program.order.limit;  // not before: a plugin that looks at rows needs all
  if (limit >= 0 && limit < in_order->size()) in_order->truncate(limit);
  const i64 block = rows_of_block(*answer.formatter, in_order->size(), run->pool.size());
  answer.rows = rows_in_memory(std::move(*in_order), block);
  return answer;
}

std::string record_header(const Run &run) {
  std::string header;
  if (!run.program.shape.header) return header;
  const Dialect *dialect = dialect_with_header(run);
  if (dialect != nullptr) append_record_header(*dialect, run.program.shape, &header);
  return header;
}

Answer answer_of(i64 number, Run *run) {
  run->report.rows = 1;
  return {.text = fmt::format("{}{}", number, run->program.shape.terminator)};
}

std::string text_of(std::span<const Row> rows, Formatter *formatter) {
  std::string text;
  if (formatter->measures()) formatter->measure(rows);
  formatter->header(&text);
  formatter->rows(rows, &text);
  return text;
}

}  // namespace mrc
