// Logs of Microsoft's Configuration Manager and Intune, which CMTrace shows:
//
//   <![LOG[Two
//   lines]LOG]!><time="10:15:30.123-060" date="11-03-2026" component="CcmExec" context=""
//   type="1" thread="123" file="x.cpp:12">
//
// A record begins at <![LOG[. The number after the clock is what UTC is ahead in minutes, so that
// -060 is +01:00. The time becomes one value, 2026-11-03T10:15:30.123+01:00.
#include "base/text.h"
#include "fields/inner/make_line_reader.h"
#include "fields/inner/named_formats.h"

#include <fmt/format.h>

#include <array>

namespace mrc {
namespace {

constexpr Bytes kBegin = "<![LOG[", kEnd = "]LOG]!><";

// The fields, and the attributes that have their values. The time takes two of these.
struct TracedField {
  const char *name;
  Bytes attribute;
};
constexpr std::array<TracedField, 7> kTracedFields = {{{"time", "time"},
                                                       {"level", "type"},
                                                       {"logger", "component"},
                                                       {"thread", "thread"},
                                                       {"file", "file"},
                                                       {"context", "context"},
                                                       {"message", ""}}};

// Returns the value of the attribute; a null view if it is missing.
Bytes attribute_in(Bytes attributes, Bytes name) {
  const std::string front = std::string(name) + "=\"";
  for (size_t at = attributes.find(front); at != Bytes::npos; at = attributes.find(front, at + 1)) {
    if (at > 0 && !is_blank(attributes[at - 1])) continue;
    const Bytes value = attributes.substr(at + front.size());
    return value.substr(0, value.find('"'));
  }
  return {};
}

bool take_number(Bytes *text, size_t most, i64 *number) {
  size_t size = 0;
  for (*number = 0; size < most && size < text->size() && is_digit((*text)[size]); ++size) {
    *number = *number * 10 + ((*text)[size] - '0');
  }
  text->remove_prefix(size);
  return size > 0;
}
bool take_byte(Bytes *text, char c) {
  if (!text->starts_with(c)) return false;
  text->remove_prefix(1);
  return true;
}

// Reads the number after a clock, such as -060. Scripts write +-60, too.
bool take_bias(Bytes text, i64 *minutes) {
  const bool plus = take_byte(&text, '+'), minus = take_byte(&text, '-');
  if ((!plus && !minus) || !take_number(&text, 4, minutes) || !text.empty()) return false;
  if (minus) *minutes = -*minutes;
  return *minutes >= -14 * 60 && *minutes <= 14 * 60;
}

// Returns the time of a record; a null view if it has none that is valid.
Bytes time_of(Bytes clock, Bytes date, Arena *arena) {
  i64 m = 0, d = 0, y = 0, bias = 0;
  const bool is_date = take_number(&date, 2, &m) && take_byte(&date, '-') &&
                       take_number(&date, 2, &d) && take_byte(&date, '-') &&
                       take_number(&date, 4, &y) && date.empty();
  if (!is_date || !days_since_1970(y, m, d)) return {};
  const size_t size = std::min(clock.find_first_of("+-"), clock.size());
  if (size < clock.size() && !take_bias(clock.substr(size), &bias)) return {};
  std::string text = fmt::format("{:04}-{:02}-{:02}T{}", y, m, d, clock.substr(0, size));
  if (size < clock.size()) {
    const i64 ahead = std::abs(bias);
    text += fmt::format("{}{:02}:{:02}", bias > 0 ? '-' : '+', ahead / 60, ahead % 60);
  }
  const Timestamp found = find_timestamp(text);
  return found.size == std::ssize(text) ? arena->copy(text) : Bytes();
}

struct TraceParser {
  static constexpr bool kKeepsBlankLines = false;
  std::vector<WantedField> wanted;

  const char *parse(Bytes record, FieldRow row, Arena *arena) const {
    const size_t end = record.rfind(kEnd);
    if (!record.starts_with(kBegin) || end == Bytes::npos || !record.ends_with('>')) {
      return "it does not begin with <![LOG[ and end with its attributes";
    }
    const Bytes attributes = record.substr(end + kEnd.size());
    for (const WantedField &one : wanted) {
      const TracedField &field = kTracedFields[static_cast<size_t>(one.field)];
      row.put(one.column, field.name == Bytes("time") ? time_in(attributes, arena)
                          : field.attribute.empty()
                              ? record.substr(kBegin.size(), end - kBegin.size())
                              : attribute_in(attributes, field.attribute));
    }
    return nullptr;
  }

 private:
  static Bytes time_in(Bytes attributes, Arena *arena) {
    return time_of(attribute_in(attributes, "time"), attribute_in(attributes, "date"), arena);
  }
};

Status complete_trace(const InputHead &, Dialect *dialect) {
  for (const TracedField &field : kTracedFields) dialect->names.emplace_back(field.name);
  dialect->joins_lines = true;
  return Status::ok();
}

std::optional<Dialect> recognize_trace(const LineFormat &format, const InputHead &input,
                                       const std::vector<Bytes> &records) {
  const auto begins = [](Bytes line) { return line.starts_with(kBegin); };
  const bool ends = std::ranges::any_of(
      records, [](Bytes line) { return line.find("]LOG]!><time=\"") != Bytes::npos; });
  if (records.empty() || !begins(records[0]) || !ends) return std::nullopt;
  const i64 count = std::ranges::count_if(records, begins);
  return completed(format, input,
                   fmt::format("{} begin in the first {} lines", count, std::ssize(records)));
}

Result<std::unique_ptr<RecordReader>> make_trace_reader(const Dialect &dialect,
                                                        std::span<const FieldName> wanted) {
  if (Status status = check_joins_lines(dialect); !status.is_ok()) return status;
  const auto make_parser = [](const auto &fields) { return TraceParser{fields}; };
  return make_started_reader(
      dialect, wanted, std::ssize(kTracedFields), make_parser,
      {[](Bytes head) { return without_byte_order_mark(head).starts_with(kBegin); },
       dialect.terminator});
}

}  // namespace

constinit const NamedKind kCmTraceKind = {.make_reader = make_trace_reader,
                                          .complete = complete_trace,
                                          .recognize = recognize_trace,
                                          .alone = false};

}  // namespace mrc
