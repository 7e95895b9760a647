// Named formats and patterns on any bytes: progress always, views that stay where they may, and
// the same records however the input is cut between records. The first byte says where to cut; the
// first line is the name of a format, or a pattern, for the rest.
#include "base/names.h"
#include "fields/fields.h"
#include "fields/pattern.h"
#include "support/read_batches.h"

#include <algorithm>
#include <optional>

namespace {

using namespace mrc;

// Takes the first line off the text; nothing if it is neither.
std::optional<FormatSpec> take_spec(Bytes *text) {
  const size_t end = std::min(text->find('\n'), text->size());
  const std::string line(text->substr(0, end));
  text->remove_prefix(std::min(end + 1, text->size()));
  if (const LineFormat *format = find_named<LineFormat>(line_formats(), line)) {
    if (format->by_name) return FormatSpec{.format = format};
  }
  if (!Pattern::compile(line).is_ok()) return std::nullopt;
  return FormatSpec{.pattern = line};
}

std::vector<FieldName> wanted_of(const Dialect &dialect) {
  std::vector<FieldName> wanted = {{"0", 0}};
  for (const std::string &name : dialect.names) wanted.push_back({name, -1});
  if (dialect.open) wanted.push_back({"time", -1});
  return wanted;
}

// Whether a record may begin here, after a line end.
bool may_begin(const RecordReader &reader, Bytes rest) {
  const std::string head(rest.substr(0, std::min<size_t>(rest.find('\n'), kHeadOfRecord)));
  const std::string padded = head + std::string(kPadding, '\0');
  return !reader.joins_lines() || reader.begins(Bytes(padded).substr(0, head.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  Bytes text(reinterpret_cast<const char *>(data) + 1, size - 1);
  const std::optional<FormatSpec> spec = take_spec(&text);
  if (!spec) return 0;
  if (!sniff({.names_fields = true}, text, (data[0] & 2) != 0).is_ok()) std::abort();
  const Result<Dialect> dialect = sniff(*spec, text, true);
  if (!dialect.is_ok()) return 0;  // no header
  const auto reader = make_reader(*dialect, wanted_of(*dialect));
  if (!reader.is_ok()) std::abort();
  const ReadRecords whole = read_chunk(**reader, text, 0);
  if (dialect->format->quoted || dialect->format->paths) return 0;  // fuzz_csv, fuzz_json
  ReadRecords cut;
  const int records = 1 + (data[0] >> 2) % 4;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    for (int i = 0; end < text.size(); ++i) {
      if (i >= records && may_begin(**reader, text.substr(end))) break;
      end = std::min(text.find('\n', end), text.size() - 1) + 1;
    }
    read_chunk_before('"', **reader, text.substr(begin, end - begin), static_cast<i64>(begin),
                      &cut);
    begin = end;
  }
  if (!(whole == cut)) std::abort();
  return 0;
}
