#include "fields/input_head.h"

#include "fields/line_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {

std::vector<Bytes> first_lines(const InputHead &input, size_t most) {
  std::vector<Bytes> lines;
  const char terminator = input.spec.terminator;
  const Bytes head = without_byte_order_mark(input.head);
  const char *end = head.data() + head.size();
  for (const char *begin = head.data(); begin < end && lines.size() < most;) {
    const char *at = std::find(begin, end, terminator);
    if (at == end && !input.whole) break;
    const Bytes line = line_of(begin, at, end, terminator);
    if (!is_blank_line(line)) lines.push_back(line);
    begin = at == end ? end : at + 1;
  }
  return lines;
}

std::unique_ptr<RecordBatch> first_records(const Dialect &dialect,
                                           std::span<const FieldName> wanted,
                                           const InputHead &input) {
  const Result<std::unique_ptr<RecordReader>> reader = make_reader(dialect, wanted);
  if (!reader.is_ok()) return nullptr;
  auto batch = std::make_unique<RecordBatch>();
  const char *next = input.head.data();
  (*reader)->read(Chunk{input.head}, &next, batch.get());
  return batch;
}

std::optional<Dialect> accept(const LineFormat &format, i64 agreeing, const InputHead &input,
                              const std::vector<Bytes> &records) {
  if (agreeing == 0 || agreeing * 3 < std::ssize(records) * 2) return std::nullopt;
  return Dialect{
      .format = &format,
      .terminator = input.spec.terminator,
      .reason = fmt::format("{} of the first {} records", agreeing, records.size()),
  };
}

}  // namespace mrc
