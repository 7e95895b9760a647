#include "fields/recognize.h"

#include "base/setting_name.h"
#include "fields/csv.h"
#include "fields/inner/joined_time.h"
#include "fields/inner/named_formats.h"
#include "fields/line_reader.h"
#include "fields/wrapper.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Detects the format of an input if the user has named none. The formats that the shape of the
// first records may have are tried in turn, the most telling first. Records of no other format are
// lines, so a message never names fields that do not exist.

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

// Tries the formats for all jobs, or only those for jobs that name fields (`by_name`).
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

// Columns without names may be those of a log, which has names for them.
std::optional<Dialect> named_columns(const InputHead &input, const Dialect &dialect) {
  if (!dialect.format->quoted || dialect.header || !may_be_by_name(input.spec)) return std::nullopt;
  std::optional<Dialect> log = LineFormat::log.recognize(input, {});
  const Names &asked = input.spec.named;
  const bool wants_time = asked.empty() || std::ranges::find(asked, "time") != asked.end();
  const bool is_telling = log && (has_name(*log, "level") || has_name(*log, "logger"));
  if (!is_telling) return wants_time ? with_time_named(dialect, input) : std::nullopt;
  // If the log has no time, a level that the delimiter follows is just a column of CSV.
  const char end = dialect.delimiter == '\t' ? ' ' : dialect.delimiter.value_or(',');
  const bool is_column = !has_name(*log, "time") && log->pattern.find(end) != Bytes::npos;
  return is_column ? std::nullopt : std::move(log);
}

// Says how lines would be read if a field were asked for by name.
void add_hint(const InputHead &input, const std::vector<Bytes> &records, Dialect *dialect) {
  const FormatSpec &spec = input.spec;
  if (!spec.wants_hint || spec.names_fields || dialect->format != &LineFormat::lines) return;
  std::optional<Dialect> other = recognize_named(input, records);
  if (!other) other = LineFormat::log.recognize(input, records);
  if (!other) return;
  dialect->reason = fmt::format("no field is asked for by name; with {} {}, it is a log",
                                setting_name("from"), other->format->name);
}

// True if records of the dialect are clear enough to look for them inside other lines: they are
// recognized by more than a time, and are lines. If no field is named, a log of levels is not
// enough, because the lines around it have a time.
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

// Returns the dialect of records inside the lines of another log.
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

// True for pairs that may be in the messages of a log.
bool is_untimed_logfmt(const Dialect &plain) {
  return plain.format == &LineFormat::logfmt && !has_name(plain, "time") &&
         !has_name(plain, "level");
}

// Returns the dialect of a `by_name` format, preferably one that has all fields that are asked for.
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
  // If no field is named, the lines around the records may tell more.
  const bool is_doubtful = is_lines || wraps || (!named && plain.format->quoted);
  if (!wrapped && (is_doubtful || !asked.empty())) inner = recognize_wrapped(input, records);
  const bool tells_more = log && has_names(*log, asked.empty() ? Names{"time", "level"} : asked);
  if (inner && (has_names(*inner, {"time"}) || !tells_more)) return inner;
  if (named) return named;
  return log ? std::move(log) : named_columns(input, plain);
}

}  // namespace

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

bool may_be_by_name(const FormatSpec &spec) {
  return spec.names_fields && spec.columns.empty() && !spec.header.value_or(false);
}

// `by_name` formats know more about their records than formats for all jobs. But if one of the
// latter has all fields that are asked for, it is used.
Dialect recognize(const InputHead &input, bool wrapped) {
  const FormatSpec &spec = input.spec;
  const std::vector<Bytes> records = first_lines(input);
  Dialect dialect = *first_that_fits(input, records, false);  // any input is at least lines
  add_hint(input, records, &dialect);
  if (!may_be_by_name(spec)) return dialect;
  if (spec.named.empty() || !has_names(dialect, spec.named)) {
    std::optional<Dialect> named = recognize_by_name(input, records, dialect, wrapped);
    if (named) dialect = std::move(*named);
  }
  if (dialect.wrapper < 0) dialect.joins_time = has_split_time(dialect, input);
  return dialect;
}

}  // namespace mrc
