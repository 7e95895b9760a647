// What the user says of an input, and what its first bytes add to that. If nothing names the
// format, each one that its shape gives away is tried, the most telling first. What has no other
// shape is lines, so a message never names fields that are not there.
#include "base/named.h"
#include "base/setting_name.h"
#include "fields/csv.h"
#include "fields/input_head.h"
#include "fields/joined_time.h"
#include "fields/json_values.h"
#include "fields/named_formats.h"
#include "fields/record_start.h"
#include "fields/wrapper.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using Header = LineFormat::Header;

struct Turn {
  int turn;
  const LineFormat *format;
};
constexpr auto kTurns = [] {
  std::array all = {
#define LINE_FORMAT(name, turn) Turn{turn, &LineFormat::name},
#include "fields/formats.inc"
  };
  std::ranges::sort(all, {}, &Turn::turn);
  return all;
}();

// What options imply, where they do not name a format; null: nothing.
const LineFormat *chosen_format(const FormatSpec &spec) {
  if (spec.format != nullptr) return spec.format;
  if (!spec.regex.empty()) return &LineFormat::regex;
  if (!spec.pattern.empty()) return &LineFormat::pattern;
  return spec.delimiter ? &LineFormat::fields : nullptr;
}

// Nothing that was asked for may be without effect.
Status check_spec(const FormatSpec &spec, const LineFormat &format) {
  const char *name = format.name;
  if (format.takes_regex && spec.regex.empty()) {
    return Status::error(
        fmt::format("{} {} needs {}", setting_name("from"), name, setting_name("regex")));
  }
  if (!format.takes_regex && !spec.regex.empty()) {
    return Status::error(fmt::format("{} and {} {} cannot be used together", setting_name("regex"),
                                     setting_name("from"), name));
  }
  if (spec.delimiter && format.delimiter == '\0') {
    return Status::error(fmt::format("{}: {} has none; {} do", setting_name("delimiter"), name,
                                     list_names(line_formats(), "and", &LineFormat::delimiter)));
  }
  if (spec.delimiter == spec.terminator) {
    return Status::error(setting_name("delimiter") +
                         ": fields and records cannot end in the same byte");
  }
  if (spec.header.value_or(false) && format.header == Header::never) {
    return Status::error(fmt::format("{}: {} has no header, its fields have names",
                                     setting_name("header-in"), name));
  }
  if (!spec.columns.empty() && format.header == Header::never && !format.takes_regex) {
    return Status::error(
        fmt::format("{}: the fields of {} have names already", setting_name("columns"), name));
  }
  if (format.one_field && spec.columns.size() > 1) {
    return Status::error(fmt::format("{}: {} names, but {} have one field", setting_name("columns"),
                                     spec.columns.size(), name));
  }
  return Status::ok();
}

// A header that goes on beyond the head has names that are not known yet.
Status check_header(const InputHead &input, const LineFormat &format) {
  const FormatSpec &spec = input.spec;
  const bool may_be_there = spec.header.value_or(format.header == Header::sniffed);
  const bool ends = input.whole || input.head.find(spec.terminator) != Bytes::npos;
  const bool has_names = format.delimiter != '\0' && may_be_there && spec.columns.empty();
  if (ends || !has_names) return Status::ok();
  return Status::error(
      fmt::format("the first record, which may be a header, has more than {} MiB; name the fields "
                  "by {}, or say {} no",
                  kMostSniffedBytes >> 20, setting_name("columns"), setting_name("header-in")));
}

// The dialect of the format that the user has chosen.
Result<Dialect> complete(const InputHead &input) {
  const FormatSpec &spec = input.spec;
  if (Status status = check_header(input, *spec.format); !status.is_ok()) return status;
  Dialect dialect = {.format = spec.format,
                     .delimiter = spec.delimiter,
                     .terminator = spec.terminator,
                     .reason = "as asked"};
  Status status = spec.format->complete(input, &dialect);
  if (!status.is_ok()) return status;
  dialect.joins_time = has_split_time(dialect, input);
  return dialect;
}

// Of the formats that are tried for all jobs, or only for those that name fields.
std::optional<Dialect> first_that_fits(const InputHead &input, const std::vector<Bytes> &records,
                                       bool by_name) {
  std::optional<Dialect> dialect;
  const bool starts = !input.spec.record_start.empty();
  for (const Turn &each : kTurns) {
    if (dialect || each.turn == 0 || each.format->by_name != by_name) continue;
    if (starts && !may_start_records(*each.format)) continue;
    dialect = each.format->recognize(input, records);
  }
  return dialect;
}

using Names = std::vector<std::string>;

bool has_name(const Dialect &dialect, Bytes name) {
  return std::ranges::find(dialect.names, name) != dialect.names.end();
}

bool has_names(const Dialect &dialect, const Names &names) {
  return std::ranges::all_of(names, [&](const std::string &name) {
    return std::ranges::find(dialect.names, name) != dialect.names.end();
  });
}

// Whether formats that are `by_name` are tried: a field is named, and nothing else is said.
bool may_be_by_name(const FormatSpec &spec) {
  return spec.names_fields && spec.columns.empty() && !spec.header.value_or(false);
}

// Columns without names may be those of a log, which gives them some.
std::optional<Dialect> named_columns(const InputHead &input, const Dialect &dialect) {
  if (!dialect.format->quoted || dialect.header || !may_be_by_name(input.spec)) return std::nullopt;
  std::optional<Dialect> log = LineFormat::log.recognize(input, {});
  const Names &asked = input.spec.named;
  const bool wants_time = asked.empty() || std::ranges::find(asked, "time") != asked.end();
  const bool is_telling = log && (has_name(*log, "level") || has_name(*log, "logger"));
  if (!is_telling) return wants_time ? with_time_named(dialect, input) : std::nullopt;
  // Without a time, a level that ends as a column does is one.
  const char end = dialect.delimiter == '\t' ? ' ' : dialect.delimiter.value_or(',');
  const bool is_column = !has_name(*log, "time") && log->layout.find(end) != Bytes::npos;
  return is_column ? std::nullopt : std::move(log);
}

// What lines are if a field is asked for by name.
void add_hint(const InputHead &input, const std::vector<Bytes> &records, Dialect *dialect) {
  const FormatSpec &spec = input.spec;
  if (!spec.wants_hint || spec.names_fields || dialect->format != &LineFormat::lines) return;
  std::optional<Dialect> other = recognize_named(input, records);
  if (!other) other = LineFormat::log.recognize(input, records);
  if (!other) return;
  dialect->reason = fmt::format("no field is asked for by name; with {} {}, it is a log",
                                setting_name("from"), other->format->name);
}

// Whether records of the dialect are clear enough to look for them in other lines: they are
// recognized by more than a time, and are lines. If no field is named, what is around them has the
// time that a log of levels lacks.
bool is_clear(const Dialect &dialect, const Names &asked) {
  const LineFormat &format = *dialect.format;
  if (format.quoted || dialect.header || format.one_field) return false;
  if (format.row != nullptr) {
    const NamedKind *kind = format.row->kind;
    return kind != &kHeadedKind && kind != &kSlowQueriesKind && kind != &kJournalKind;
  }
  if (&format == &LineFormat::log) {
    return has_name(dialect, "level") && (has_name(dialect, "time") || !asked.empty());
  }
  return &format != &LineFormat::syslog && (!dialect.names.empty() || dialect.open);
}

// `wrapped`: the records are taken out of other lines already.
Dialect recognize(const InputHead &input, bool wrapped);

// The dialect of records that are in the lines of another log.
std::optional<Dialect> recognize_wrapped(const InputHead &input,
                                         const std::vector<Bytes> &records) {
  Arena arena;
  for (const AccessWrapper &wrapper : wrappers()) {
    std::string inner;
    i64 wrapped = 0;
    for (Bytes record : records) {
      const Bytes payload = unwrapped(record, wrapper, &arena);
      wrapped += payload.data() != record.data();
      inner.append(payload) += input.spec.terminator;
    }
    if (wrapped * 3 < std::ssize(records) * 2) continue;
    const size_t size = inner.size();
    inner.append(kPadding, '\0');
    Dialect dialect = recognize({input.spec, Bytes(inner.data(), size), true}, true);
    if (!is_clear(dialect, input.spec.named) || !has_names(dialect, input.spec.named)) continue;
    dialect.wrapper = &wrapper - wrappers().data();
    dialect.reason += fmt::format(", unwrapped ({})", wrapper.name);
    return dialect;
  }
  return std::nullopt;
}

// Pairs may stand in the messages of a log.
bool is_untimed_logfmt(const Dialect &plain) {
  return plain.format == &LineFormat::logfmt && !has_name(plain, "time") &&
         !has_name(plain, "level");
}

// Of formats that are `by_name`, one that has all fields that are asked for, if there is one.
std::optional<Dialect> recognize_by_name(const InputHead &input, const std::vector<Bytes> &records,
                                         const Dialect &plain, bool wrapped) {
  const Names &asked = input.spec.named;
  std::optional<Dialect> named = recognize_named(input, records);
  const bool wraps =
      named && named->format->row->lines == NamedFormat::Lines::around && asked.empty();
  if (named && has_names(*named, asked) && !wraps) return named;
  const bool is_lines = !named && plain.format == &LineFormat::lines;
  std::optional<Dialect> log, inner;
  if (is_lines || is_untimed_logfmt(plain)) log = first_that_fits(input, records, true);
  if (log && !is_lines && !has_names(*log, asked.empty() ? Names{"level"} : asked)) log.reset();
  // If no field is named, what is around the records may tell more.
  const bool is_doubtful = is_lines || wraps || (!named && plain.format->quoted);
  if (!wrapped && (is_doubtful || !asked.empty())) inner = recognize_wrapped(input, records);
  const bool tells_more = log && has_names(*log, asked.empty() ? Names{"time", "level"} : asked);
  if (inner && (has_names(*inner, {"time"}) || !tells_more)) return inner;
  if (named) return named;
  return log ? std::move(log) : named_columns(input, plain);
}

// Formats that are `by_name` know more of their records than those that all jobs try. But if one of
// these has all fields that are asked for, the records are read as ever.
Dialect recognize(const InputHead &input, bool wrapped) {
  const FormatSpec &spec = input.spec;
  const std::vector<Bytes> records = first_lines(input);
  Dialect dialect = *first_that_fits(input, records, false);  // any input is lines
  add_hint(input, records, &dialect);
  if (!may_be_by_name(spec)) return dialect;
  if (spec.named.empty() || !has_names(dialect, spec.named)) {
    std::optional<Dialect> named = recognize_by_name(input, records, dialect, wrapped);
    if (named) dialect = std::move(*named);
  }
  if (dialect.wrapper < 0) dialect.joins_time = has_split_time(dialect, input);
  return dialect;
}

// An input without a byte lacks no field: it has no record that could.
Dialect of_nothing(const FormatSpec &spec) {
  Dialect dialect;
  dialect.terminator = spec.terminator;
  dialect.open = true;
  dialect.reason = "it is empty";
  return dialect;
}

}  // namespace

std::span<const LineFormat *const> line_formats() {
  static const std::vector<const LineFormat *> formats = [] {
    std::vector<const LineFormat *> all = {
#define LINE_FORMAT(name, turn) &LineFormat::name,
#include "fields/formats.inc"
    };
    for (const LineFormat &named : named_formats()) all.push_back(&named);
    return all;
  }();
  return formats;
}

Result<std::unique_ptr<RecordReader>> make_reader(const Dialect &dialect,
                                                  std::span<const FieldName> wanted) {
  if (dialect.wrapper >= 0) return make_unwrapping_reader(dialect, wanted);
  if (dialect.joins_time) return make_joined_time_reader(dialect, wanted);
  return dialect.format->make_reader(dialect, wanted);
}

std::optional<SniffedHead> sniffed_head(Bytes begin, bool whole, char terminator) {
  size_t end = 0;
  for (int lines = 0; lines < 3 && end != Bytes::npos; ++lines) {
    const size_t found = begin.find(terminator, end);
    end = found == Bytes::npos ? found : found + 1;
  }
  const size_t wanted = std::clamp<size_t>(end, kSniffedBytes, kMostSniffedBytes);
  if (begin.size() > wanted) return SniffedHead{begin.substr(0, wanted), false};
  if (begin.size() == wanted || whole) return SniffedHead{begin, whole};
  return std::nullopt;
}

FormatSpec format_for(FormatSpec spec, const std::vector<FieldName> &names) {
  for (const FieldName &name : names) {
    if (name.number == -1) spec.named.push_back(name.text);
  }
  spec.names_fields = !spec.named.empty();
  return spec;
}

namespace {

// Jobs that look at no field by name keep their lines.
bool may_have_json_values(const FormatSpec &spec) {
  const LineFormat *format = chosen_format(spec);
  const bool looks = format != nullptr ? format->paths : may_be_by_name(spec);
  return looks && spec.joins_lines && spec.terminator == '\n' && spec.record_start.empty();
}

}  // namespace

bool needs_head(const FormatSpec &spec) {
  const LineFormat *format = chosen_format(spec);
  if (format == nullptr || format->header == Header::sniffed) return true;
  if (format == &LineFormat::json) return may_have_json_values(spec);
  // Their first lines say what is in the others.
  if (format == &LineFormat::log || format == &LineFormat::logfmt) return true;
  if (format->row != nullptr) return true;
  return format->header == Header::asked && spec.header.value_or(false);
}

namespace {

// All lines of the head begin records.
Result<Dialect> sniff_starts(const FormatSpec &spec, Bytes head, bool whole) {
  // Copies: bytes that may be over-read, and a spec that names the format.
  const std::string padded = std::string(head) + std::string(kPadding, '\0');
  FormatSpec chosen = spec;
  chosen.format = chosen_format(spec);
  const InputHead input{chosen, Bytes(padded.data(), head.size()), whole};
  if (chosen.format != nullptr) {
    if (Status status = check_spec(spec, *chosen.format); !status.is_ok()) return status;
    Result<Dialect> dialect = complete(input);
    return dialect.is_ok() && whole && head.empty() ? of_nothing(spec) : dialect;
  }
  if (whole && head.empty()) return of_nothing(spec);
  Dialect dialect = recognize(input, !spec.record_start.empty());
  if (Status status = check_spec(spec, *dialect.format); !status.is_ok()) return status;
  return dialect;
}

// The dialect of JSON whose records do not lie in lines; that of lines is found from lines.
Result<std::optional<Dialect>> sniff_json_values(const FormatSpec &spec, Bytes head, bool whole) {
  if (!may_have_json_values(spec)) return std::optional<Dialect>();
  const std::optional<JsonHead> found = json_head(head, whole);
  if (!found) return std::optional<Dialect>();
  const Bytes lines = found->lines.empty() ? Bytes("{}") : Bytes(found->lines);
  Result<Dialect> dialect = sniff_starts(spec, lines, true);
  if (!dialect.is_ok()) return dialect.status();
  if (!dialect->format->paths || dialect->wrapper >= 0) return std::optional<Dialect>();
  set_layout(found->layout, &*dialect);
  return std::optional(std::move(*dialect));
}

Result<Dialect> sniff_lines(const FormatSpec &spec, Bytes head, bool whole) {
  Result<std::optional<Dialect>> values = sniff_json_values(spec, head, whole);
  if (!values.is_ok()) return values.status();
  if (*values) return std::move(**values);
  Result<Dialect> dialect = sniff_starts(spec, head, whole);
  if (dialect.is_ok()) dialect->joins_lines = dialect->joins_lines && spec.joins_lines;
  return dialect;
}

}  // namespace

Result<Dialect> sniff(const FormatSpec &spec, Bytes head, bool whole) {
  if (spec.record_start.empty()) return sniff_lines(spec, head, whole);
  const LineFormat *chosen = chosen_format(spec);
  if (chosen != nullptr && !may_start_records(*chosen)) {
    return Status::error(
        fmt::format("{}: where records of {} begin and end is a matter of the "
                    "format; leave it out",
                    setting_name("record-start"), chosen->name));
  }
  Result<LineGroups> groups = groups_started_by(spec.record_start, spec.terminator);
  if (!groups.is_ok()) return groups.status();
  const std::string starts = starts_of_records(head, whole, *groups);
  Result<Dialect> dialect = sniff_starts(spec, starts, whole || !starts.empty());
  if (!dialect.is_ok()) return dialect;
  dialect->record_start = spec.record_start;
  dialect->joins_lines = false;
  dialect->reason += fmt::format("{}a record begins at each line that {} matches",
                                 dialect->reason.empty() ? "" : "; ", spec.record_start);
  return dialect;
}

}  // namespace mrc
