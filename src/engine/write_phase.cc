// The last phase: rows are put in order, formatted and written.
#include "engine/row_collector.h"
#include "engine/run.h"
#include "output/output.h"

#include <fmt/format.h>

namespace mrc {
namespace {

// Records keep the header of the first input that has one.
std::string header_of_records(const Run &run) {
  std::string header;
  if (!run.plan.readers || !run.job.shape.header) return header;
  const i64 source = run.plan.readers->first_with_header();
  if (source >= 0) {
    append_record_header(*run.plan.readers->dialect(source), run.job.shape, &header);
  }
  return header;
}

std::unique_ptr<Formatter> formatter_of(const Run &run) {
  if (run.job.plugin_format) {
    return run.job.plugin->make_formatter(run.layout, run.row_layout, run.job.shape.header);
  }
  if (!run.job.sort) return make_formatter(run.job.shape, run.layout, run.row_layout);
  return make_record_formatter(run.job.shape, run.row_layout, header_of_records(run));
}

// The row of all groups together is the last, whatever the order, and not one of --top.
class TotalRow {
 public:
  explicit TotalRow(const Run &run) : store_(run.row_layout, KeyBytes::copied) {
    if (!run.total) return;
    RowCollector collector(run.layout, run.job.shape.key, run.order, &store_);
    collector.take(key_of(run.job.shape.key), run.total->state());
  }

  std::unique_ptr<RowSource> after(std::unique_ptr<RowSource> rows) {
    if (store_.rows().size() == 0) return rows;
    return rows_and_last(std::move(rows), store_.rows());
  }

 private:
  // "total" in the first column, nothing in the others.
  static std::string key_of(const KeyShape &shape) {
    const char *part = "total";
    if (shape.is_plain()) return part;
    std::string key;
    for (const KeyPart &each : shape.parts) {
      append_key_part(each, part, &key);
      part = "";
    }
    return key;
  }

  RowStore store_;
};

Status write(Run *run, std::unique_ptr<RowSource> rows, Formatter *formatter) {
  TotalRow total(*run);
  rows = total.after(std::move(rows));
  const Result<i64> shown = write_rows(rows.get(), formatter, run->output.get(), &run->pool);
  if (!shown.is_ok()) return shown.status();
  run->report.note = formatter->note();
  run->report.rows = *shown - formatter->dropped();
  return Status::ok();
}

Status write_from_memory(Run *run) {
  run->timer.begin("sort");
  // Sorting takes half as much again as the rows: what they do not need goes first.
  if (run->rows_own_keys && run->layout.is_flat()) run->outputs.clear();
  Result<Rows> rows =
      run->sorted ? Result<Rows>(std::move(*run->sorted))
                  : sort_rows(run->filled_stores(), run->order, run->row_layout, &run->pool);
  if (!rows.is_ok()) return rows.status();
  if (const i64 limit = run->job.order.limit; limit >= 0 && limit < rows->size()) {
    rows->truncate(limit);  // a plugin that looked at rows has seen all
  }
  run->timer.begin("write");
  const std::unique_ptr<Formatter> formatter = formatter_of(*run);
  const i64 block = rows_of_block(*formatter, rows->size(), run->pool.size());
  return write(run, rows_in_memory(*rows, block), formatter.get());
}

// Rows are in sorted runs on disk: they are ordered, formatted and written range by range.
Status write_from_runs(Run *run) {
  run->timer.begin("sort");
  for (RowStore *store : run->filled_stores()) {
    if (Status status = run->runs.spill(store); !status.is_ok()) return status;
  }
  run->stores.clear();
  run->outputs.clear();
  run->report.spilled_rows = run->runs.rows();
  run->report.spilled_row_bytes = run->runs.bytes();
  run->timer.begin("write");
  // A range is in memory as records and as text; lists become several times larger as text.
  const i64 range_bytes = run->worker_share() / (run->layout.is_flat() ? 8 : 32);
  std::unique_ptr<RowSource> rows = rows_of_runs(&run->runs, run->row_layout, range_bytes);
  if (run->order.limit >= 0) rows = first_rows(std::move(rows), run->order.limit);
  return write(run, std::move(rows), formatter_of(*run).get());
}

}  // namespace

Status write_answer_rows(Run *run) {
  return run->runs.empty() ? write_from_memory(run) : write_from_runs(run);
}

Status write_number(Run *run, i64 number) {
  run->timer.begin("write");
  run->report.rows = 1;
  return run->output->write(fmt::format("{}{}", number, run->job.shape.terminator));
}

}  // namespace mrc
