// Readers of logs and separated fields on any bytes: progress always, views that stay where
// they may, and the same records however the input is cut between records. The first byte
// chooses the format, the second whether there is a header and where to cut.
#include "support/read_batches.h"

namespace {

using namespace mrc;

FormatSpec spec_of(u8 choice) {
  constexpr const LineFormat *kFormats[] = {
      &LineFormat::lines, &LineFormat::fields, &LineFormat::combined, &LineFormat::logfmt,
      &LineFormat::ltsv,  &LineFormat::syslog, &LineFormat::log};
  constexpr int kLogs = 7, kChoices = 9;
  FormatSpec spec;
  spec.terminator = choice & 0x80 ? '\0' : '\n';
  spec.joins_lines = false;  // chunks end after any line
  choice &= 0x7F;
  if (choice % kChoices < kLogs) spec.format = kFormats[choice % kChoices];
  if (choice % kChoices == kLogs) spec.delimiter = ';';
  if (choice % kChoices > kLogs) spec.regex = "(?<a>[a-z]+)(?<b>[0-9])?";
  return spec;
}

// Some by name and all of the first ones by number, in no order.
std::vector<FieldName> wanted_of(const Dialect &dialect) {
  std::vector<FieldName> wanted = {{"0", 0}, {"1", 1}};
  for (const std::string &name : dialect.names) wanted.push_back({name, -1});
  if (dialect.open) wanted.insert(wanted.end(), {{"a", -1}, {"3", 3}});
  if (dialect.format == &LineFormat::fields) wanted.insert(wanted.end(), {{"3", 3}, {"2", 2}});
  wanted.push_back({"1", 1});
  return wanted;
}

size_t end_of_record(Bytes text, size_t begin, char terminator) {
  const size_t at = text.find(terminator, begin);
  return at == Bytes::npos ? text.size() : at + 1;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  FormatSpec spec = spec_of(data[0]);
  const bool table = spec.format == &LineFormat::lines || spec.format == &LineFormat::fields;
  if (table || spec.delimiter) spec.header = (data[1] & 1) != 0;
  const Bytes text(reinterpret_cast<const char *>(data) + 2, size - 2);
  if (!sniff({.terminator = spec.terminator, .names_fields = true}, text, (data[1] & 2) != 0)
           .is_ok())
    std::abort();
  const Result<Dialect> dialect = sniff(spec, text, true);
  if (!dialect.is_ok()) std::abort();
  const auto reader = make_reader(*dialect, wanted_of(*dialect));
  if (!reader.is_ok()) std::abort();
  const ReadRecords whole = read_chunk(**reader, text, 0);
  ReadRecords cut;
  // In chunks of some records each.
  const int records = 1 + (data[1] >> 2) % 4;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    for (int i = 0; i < records; ++i) end = end_of_record(text, end, spec.terminator);
    read_chunk_before('"', **reader, text.substr(begin, end - begin), static_cast<i64>(begin),
                      &cut);
    begin = end;
  }
  if (!(whole == cut)) std::abort();
  return 0;
}
