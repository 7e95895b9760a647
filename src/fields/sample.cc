#include "fields/sample.h"

#include "fields/line_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {

std::vector<Bytes> first_lines(const Sample &sample, size_t most) {
  std::vector<Bytes> lines;
  const char terminator = sample.spec.terminator;
  const Bytes head = without_byte_order_mark(sample.head);
  const char *end = head.data() + head.size();
  for (const char *begin = head.data(); begin < end && lines.size() < most;) {
    const char *at = std::find(begin, end, terminator);
    if (at == end && !sample.whole) break;
    const Bytes line = line_of(begin, at, end, terminator);
    if (!is_blank_line(line)) lines.push_back(line);
    begin = at == end ? end : at + 1;
  }
  return lines;
}

std::optional<Dialect> accept(const LineFormat &format, i64 agreeing, const Sample &sample,
                              const std::vector<Bytes> &records) {
  if (agreeing == 0 || agreeing * 3 < std::ssize(records) * 2) return std::nullopt;
  return Dialect{
      .format = &format,
      .terminator = sample.spec.terminator,
      .reason = fmt::format("{} of the first {} records", agreeing, records.size()),
  };
}

}  // namespace mrc
