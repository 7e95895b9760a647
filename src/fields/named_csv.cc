// Named formats of CSV without a header: their fields still have names.
#include "base/text.h"
#include "fields/csv.h"
#include "fields/inner/csv_records.h"
#include "fields/inner/named_formats.h"
#include "fields/inner/pattern_values.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr char kSeparator = ',';

std::vector<std::string> names_of(const NamedFormat &row) {
  std::vector<std::string> names;
  for (Bytes text = row.rule; !text.empty();) {
    const size_t size = std::min(text.find(','), text.size());
    names.emplace_back(text.substr(0, size));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return names;
}

Status complete_named_csv(const InputHead &, Dialect *dialect) {
  dialect->delimiter = kSeparator;
  dialect->names = names_of(*dialect->format->row);
  return Status::ok();
}

bool is_all(const char *end, Bytes value) {
  return !value.empty() && end == value.data() + value.size();
}

// True if the times and levels are where their names say. Later versions of a program have more
// fields, and earlier ones fewer; all have at least `least` fields.
bool fits(const CsvRecord &record, const std::vector<std::string> &names, i64 least) {
  if (record.fields < least || record.fields > std::ssize(names)) return false;
  Arena copies;
  for (i64 i = 0; i < record.fields; ++i) {
    const std::string &name = names[static_cast<size_t>(i)];
    const Bytes value = csv_value(record.raw(i), &copies);
    const char *p = value.data(), *end = p + value.size();
    if (name.starts_with("time") && !is_all(end_of_time(p, end), value)) return false;
    if (name == "level" && !is_all(end_of_level(p, end), value)) return false;
  }
  return true;
}

// `mark` is the number of fields that all records have.
std::optional<Dialect> recognize_named_csv(const LineFormat &format, const InputHead &input,
                                           const std::vector<Bytes> &lines) {
  const NamedFormat &row = *format.row;
  const std::vector<std::string> names = names_of(row);
  const CsvBytes bytes{kSeparator, input.spec.terminator};
  if (lines.empty() || !can_separate(bytes)) return std::nullopt;
  CsvRecords records(without_byte_order_mark(input.head), bytes, std::ssize(lines));
  CsvRecord record;
  i64 agreeing = 0, all = 0;
  while (all < std::ssize(lines)) {
    const CsvRecords::Next found = records.next(&record);
    if (found == CsvRecords::Next::none) break;
    const bool cut_off = !input.whole && record.text.data() + record.text.size() ==
                                             input.head.data() + input.head.size();
    if (cut_off) break;
    ++all;
    agreeing += found == CsvRecords::Next::record && fits(record, names, row.mark[0]);
  }
  if (agreeing == 0 || agreeing * 3 < all * 2) return std::nullopt;
  Dialect dialect{.format = &format, .delimiter = kSeparator};
  dialect.terminator = input.spec.terminator;
  dialect.names = names;
  dialect.reason = fmt::format("{} of the first {} records", agreeing, all);
  return dialect;
}

}  // namespace

constinit const NamedKind kCsvKind = {make_csv_reader, complete_named_csv, recognize_named_csv,
                                      true};

}  // namespace mrc
