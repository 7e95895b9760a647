// Each format that its shape gives away is tried, the most telling first; it is taken if two
// thirds of the first records have its shape. What is none of them is lines: nobody is told
// of fields that are not there.
#include "fields/detect.h"

#include "base/text.h"
#include "fields/access_log.h"
#include "fields/csv.h"
#include "fields/json.h"
#include "fields/labelled.h"
#include "fields/line_reader.h"
#include "fields/syslog.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using Records = std::vector<Bytes>;

constexpr size_t kMostLines = 50;

// Says why if `agreeing` records are a clear majority.
bool accept(RecordFormat format, i64 agreeing, const Records &records, Dialect *dialect) {
  if (agreeing == 0 || agreeing * 3 < std::ssize(records) * 2) return false;
  dialect->format = format;
  dialect->reason = fmt::format("{} of the first {} records", agreeing, records.size());
  return true;
}

// All three are read alike: their shapes count together, and the most frequent is the name.
bool accept_access_log(const Records &records, Dialect *dialect) {
  std::array<i64, kRecordFormats> shapes{};
  i64 agreeing = 0, wrapped = 0;
  const char *wrapper = nullptr;
  for (Bytes record : records) {
    const std::optional<AccessShape> shape = access_log_shape(record);
    if (!shape) continue;
    ++agreeing;
    ++shapes[static_cast<size_t>(shape->format)];
    if (shape->wrapper == nullptr) continue;
    ++wrapped;
    wrapper = shape->wrapper;
  }
  const auto most = std::max_element(shapes.begin(), shapes.end());
  const auto format = static_cast<RecordFormat>(most - shapes.begin());
  if (!accept(format, agreeing, records, dialect)) return false;
  if (wrapped * 2 > agreeing) {
    dialect->reason += fmt::format(", {} unwrapped ({})", wrapped, wrapper);
  }
  dialect->names = access_log_fields();
  return true;
}

bool accept_syslog(const Records &records, Dialect *dialect) {
  const i64 agreeing = std::count_if(records.begin(), records.end(), looks_like_syslog);
  if (!accept(RecordFormat::syslog, agreeing, records, dialect)) return false;
  dialect->names = syslog_fields();
  return true;
}

// Adds labels that are new; returns how many records have any.
i64 collect_labels(RecordFormat format, const Records &records, std::vector<std::string> *names) {
  i64 agreeing = 0;
  for (Bytes record : records) {
    const auto labels = format == RecordFormat::ltsv ? ltsv_labels(record) : logfmt_labels(record);
    agreeing += !labels.empty();
    for (const std::string &label : labels) {
      if (std::find(names->begin(), names->end(), label) == names->end()) names->push_back(label);
    }
  }
  return agreeing;
}

bool accept_labels(RecordFormat format, const Records &records, Dialect *dialect) {
  std::vector<std::string> names;
  const i64 agreeing = collect_labels(format, records, &names);
  if (!accept(format, agreeing, records, dialect)) return false;
  dialect->names = std::move(names);
  dialect->open = true;
  return true;
}

bool begins_with_brace(Bytes record) {
  return record.substr(record.find_first_not_of(" \t")).starts_with('{');
}

}  // namespace

std::vector<Bytes> first_lines(Bytes head, char terminator, bool whole, size_t most) {
  std::vector<Bytes> lines;
  head = without_byte_order_mark(head);
  const char *end = head.data() + head.size();
  for (const char *begin = head.data(); begin < end && lines.size() < most;) {
    const char *at = std::find(begin, end, terminator);
    if (at == end && !whole) break;
    const Bytes line = line_of(begin, at, end, terminator);
    if (!is_blank_line(line)) lines.push_back(line);
    begin = at == end ? end : at + 1;
  }
  return lines;
}

Dialect detect(const FormatSpec &spec, Bytes head, bool whole) {
  Dialect dialect;
  dialect.terminator = spec.terminator;
  const Records records = first_lines(head, spec.terminator, whole, kMostLines);
  const i64 braces = std::count_if(records.begin(), records.end(), begins_with_brace);
  if (accept(RecordFormat::json, braces, records, &dialect)) {
    if (std::optional<Dialect> json = sniff_json(spec, head, whole)) return *json;
  }
  if (accept_access_log(records, &dialect) || accept_syslog(records, &dialect) ||
      accept_labels(RecordFormat::ltsv, records, &dialect) ||
      accept_labels(RecordFormat::logfmt, records, &dialect)) {
    return dialect;
  }
  if (std::optional<Dialect> csv = sniff_csv(spec, head, whole)) return *csv;
  dialect.format = RecordFormat::lines;
  dialect.reason = records.empty()
                       ? "there is no whole record"
                       : fmt::format("the first {} records have no other format", records.size());
  return dialect;
}

std::vector<std::string> first_labels(RecordFormat format, Bytes head, char terminator,
                                      bool whole) {
  std::vector<std::string> names;
  collect_labels(format, first_lines(head, terminator, whole, kMostLines), &names);
  return names;
}

}  // namespace mrc
