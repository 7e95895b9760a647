#include "fields/recognize.h"

#include "base/setting_name.h"
#include "fields/csv.h"
#include "fields/inner/evidence.h"
#include "fields/inner/joined_time.h"
#include "fields/inner/mixed.h"
#include "fields/inner/named_formats.h"
#include "fields/inner/surrounded.h"
#include "fields/line_reader.h"
#include "fields/pattern.h"
#include "fields/wrapper.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Detects the format of an input if the user has named none. The formats that its first records may
// have are candidates, and the one with the most evidence is taken.

// Returns the dialect of the most telling shape that the records have, of formats for all jobs. Any
// records are at least lines.
Dialect recognize_shape(const InputHead &input, const std::vector<Bytes> &records) {
  const bool starts = !input.spec.record_start.empty();
  for (const auto &[format, weight] : format_shapes()) {
    if (format->recognize == nullptr || format->by_name) continue;
    if (starts && !may_start_records(*format)) continue;
    std::optional<Dialect> dialect = format->recognize(input, records);
    if (dialect) return std::move(*dialect);
  }
  return {};
}

// Returns the dialect of a log whose lines have this shape otherwise. Columns without names are
// those of a log only if this has names for them, or if none of them is a time. If the log has no
// time, a level that a separator follows is just a column.
std::optional<Dialect> recognize_log(const InputHead &input, const std::vector<Bytes> &records,
                                     const Dialect &shape) {
  std::optional<Dialect> log = LineFormat::log.recognize(input, records);
  if (!log || !shape.format->quoted) return log;
  const char separator = shape.delimiter == '\t' ? ' ' : *shape.delimiter;
  const bool is_column =
      !has_name(log->names, "time") && log->pattern.find(separator) != Bytes::npos;
  const bool has_other_time = has_name(input.spec.named, "time") && has_name(log->names, "time") &&
                              !has_name(shape.names, "time");
  const bool names =
      has_name(log->names, "level") || has_name(log->names, "logger") || has_other_time;
  return names && !is_column ? std::move(log) : std::nullopt;
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

// True if records of the dialect can be told from other text inside lines, and are single lines. A
// time is not enough, nor is a level if no field is asked for, because the lines around it have a
// time.
bool may_be_inside(const Dialect &dialect, const Names &asked) {
  const LineFormat &format = *dialect.format;
  if (format.quoted || dialect.header || format.one_field || &format == &LineFormat::syslog) {
    return false;
  }
  if (const NamedFormat *row = format.row) {
    const bool has_pattern = row->kind == &kPatternKind;
    const bool has_lines =
        row->lines == NamedFormat::Lines::blocks || (has_pattern && pattern_of(*row).has_line_ends);
    return row->kind->alone && !has_lines;
  }
  if (&format != &LineFormat::log) return true;
  return has_name(dialect.names, "level") && (has_name(dialect.names, "time") || !asked.empty());
}

// True if a job may ask for `name`, and the records have a field of this name with other values
// than times or levels, such as time=0.003. The record's time may be elsewhere.
bool has_other_values(const InputHead &input, const Dialect &dialect, const std::string &name) {
  const Names &asked = input.spec.named;
  const bool is_half = name == "time" && has_name(dialect.names, "date");
  return !is_half && has_name(dialect.names, name) && (asked.empty() || has_name(asked, name)) &&
         !has_meaning(dialect, name, input);
}

// Removes the names of such fields, of those that may be elsewhere.
void forget_other_values(const InputHead &input, const Names &elsewhere, Dialect *dialect) {
  if (!dialect->open) return;
  for (const std::string name : {"time", "level"}) {
    const bool is_other = has_name(elsewhere, name) && has_other_values(input, *dialect, name);
    if (is_other) std::erase(dialect->names, name);
  }
}

// Sets the dialect of the lines around records.
void surround(Dialect lines, const InputHead &inner, Dialect *dialect) {
  if (lines.names.empty() || lines.format->quoted) return;
  forget_other_values(inner, lines.names, dialect);
  lines.joins_lines = dialect->joins_lines = false;
  dialect->around = {std::move(lines)};
}

// Sets the wrapper of records, and the dialect of the lines around them. If other text is around
// these records already, the lines are around that.
void surround_inside(const Dialect &lines, const InputHead &inner, i64 wrapper, Dialect *dialect) {
  const bool is_surrounded = !dialect->around.empty();
  surround(lines, inner, is_surrounded ? &dialect->around[0] : dialect);
  if (is_surrounded) dialect->around[0].wrapper = wrapper;
  dialect->wrapper = wrapper;
}

// True if records are pairs, and their time is not among these.
bool is_logfmt_without_time(const Dialect &dialect) {
  const LineFormat &format = *dialect.format;
  const bool is_logfmt = &format == &LineFormat::logfmt ||
                         (format.row != nullptr && format.row->kind == &kLogfmtLogKind);
  return is_logfmt && !has_name(dialect.names, "time");
}

// Adds the fields of a log to those of pairs that follow a time and other words, unless the log
// alone is enough.
void add_log_around(const InputHead &input, const std::vector<Bytes> &records, Dialect *dialect) {
  const Names &asked = input.spec.named;
  const bool has_all = !asked.empty() && has_names(*dialect, asked);
  if (has_all || !is_logfmt_without_time(*dialect)) return;
  std::optional<Dialect> log = LineFormat::log.recognize(input, records);
  if (!log || !has_name(log->names, "time")) return;
  const Names &enough = asked.empty() ? Names{"level"} : asked;
  if (is_doubtful(*dialect, asked) && has_names(*log, enough)) return;
  surround(std::move(*log), input, dialect);
}

// Returns the dialect of records inside the lines of another log, if they or the lines have all
// fields asked for, and they have one of these.
std::optional<Dialect> recognize_wrapped(const InputHead &input, const std::vector<Bytes> &records,
                                         const Dialect &lines) {
  const Names &asked = input.spec.named;
  Arena arena;
  for (const AccessWrapper &wrapper : wrappers()) {
    std::string inner;
    i64 wrapped = 0;
    for (Bytes record : records) {
      const Bytes payload = unwrapped(record, wrapper, &arena);
      if (payload.data() == record.data()) continue;
      ++wrapped;
      inner.append(payload) += input.spec.terminator;
    }
    if (wrapped * 3 < std::ssize(records) * 2) continue;
    const size_t size = inner.size();
    inner.append(kPadding, '\0');
    const InputHead head{input.spec, Bytes(inner.data(), size), true};
    Dialect dialect = recognize(head, true);
    const auto is_inside = [&](const std::string &name) { return has_field(dialect, name); };
    const bool has_one = asked.empty() || std::ranges::any_of(asked, is_inside);
    if (!may_be_inside(dialect, asked) || !has_one) continue;
    surround_inside(lines, head, &wrapper - wrappers().data(), &dialect);
    if (!has_names(dialect, asked)) continue;
    dialect.reason += fmt::format(", unwrapped ({})", wrapper.name);
    return dialect;
  }
  return std::nullopt;
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

std::optional<Dialect> completed(const LineFormat &format, const InputHead &input,
                                 std::string reason) {
  Dialect dialect{.format = &format, .terminator = input.spec.terminator};
  dialect.reason = std::move(reason);
  if (!format.complete(input, &dialect).is_ok()) return std::nullopt;
  return dialect;
}

std::optional<Dialect> accept(const LineFormat &format, i64 agreeing, const InputHead &input,
                              const std::vector<Bytes> &records) {
  if (agreeing == 0 || agreeing * 3 < std::ssize(records) * 2) return std::nullopt;
  return completed(format, input,
                   fmt::format("{} of the first {} records", agreeing, records.size()));
}

bool may_be_by_name(const FormatSpec &spec) {
  return spec.names_fields && spec.columns.empty() && !spec.header.value_or(false);
}

// A candidate is looked for only if it may win. A row of named_formats.h knows more of the records
// than a format for all jobs, and takes its place unless this has all fields that are asked for. A
// log is learned only from records that have no other shape, because its fields may be there by
// chance.
Dialect recognize_one(const InputHead &input, bool wrapped) {
  const Names &asked = input.spec.named;
  const std::vector<Bytes> records = first_lines(input);
  Dialect shape = recognize_shape(input, records);
  add_hint(input, records, &shape);
  if (!may_be_by_name(input.spec)) return shape;
  const Dialect as_it_is = shape;
  forget_other_values(input, {"time", "level"}, &shape);
  Candidate best(shape, asked);
  const Evidence &most = best.evidence;
  if (most.claim < Claim::shared) {
    std::optional<Dialect> named = recognize_named(input, records);
    if (named) best = Candidate(std::move(*named), asked);
    add_log_around(input, records, &best.dialect);
    best.evidence = evidence_of(best.dialect, asked);
  }
  if (most.claim < Claim::clear && most.weight < weight_of(LineFormat::csv)) {
    take_better(recognize_log(input, records, shape), asked, &best);
  }
  if (!wrapped && most.claim < Claim::timed_inside) {
    take_better(recognize_wrapped(input, records, best.dialect), asked, &best);
  }
  if (best.dialect == shape) best.dialect = as_it_is;
  if (best.dialect.wrapper < 0) set_joined_time(input, &best.dialect);
  return std::move(best.dialect);
}

namespace {

// True if the first records have the same values of the fields asked for in both dialects.
bool agree_on_records(const Dialect &a, const Dialect &b, const InputHead &input) {
  std::vector<FieldName> wanted;
  for (const std::string &name : input.spec.named) wanted.push_back({name});
  const std::unique_ptr<RecordBatch> first = first_records(a, wanted, input),
                                     second = first_records(b, wanted, input);
  if (first == nullptr || second == nullptr || first->size != second->size) return false;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const Bytes *values = first->fields[i].data();
    if (!std::equal(values, values + first->size, second->fields[i].data())) return false;
  }
  return true;
}

}  // namespace

bool is_clearer(const Dialect &dialect, const Dialect &other) {
  const bool is_inside = dialect.wrapper >= 0;
  if (is_inside != (other.wrapper >= 0)) return is_inside;
  return evidence_of(dialect, {}).claim > evidence_of(other, {}).claim;
}

bool is_same(const Dialect &a, Dialect b) {
  b.reason = a.reason;
  return a == b;
}

namespace {

// True if other fields that are asked for cannot change the values of those that the dialect has.
// No format has more evidence than that of an access log. The rows for JSON add names to those of
// the members, unless another record may be inside a member.
bool is_settled(const Dialect &dialect, const Names &asked) {
  const LineFormat *format = dialect.format;
  if (format == &LineFormat::combined || format == &LineFormat::common ||
      format == &LineFormat::vhost || asked.empty()) {
    return true;
  }
  if (!has_names(dialect, asked) || dialect.wrapper >= 0 || !dialect.around.empty()) return false;
  if (format == &LineFormat::logfmt) return has_name(dialect.names, "time");
  if (format == &LineFormat::json) {
    return !has_name(dialect.names, "log") && !has_name(dialect.names, "MESSAGE");
  }
  return format->quoted && format->row == nullptr && dialect.header;
}

}  // namespace

// The values of a field do not depend on the other fields that are asked for: they are those that
// `mrc fields` announces, if it announces all of the fields.
Dialect recognize(const InputHead &input, bool wrapped) {
  Dialect found = recognize_one(input, wrapped);
  if (wrapped || !may_be_by_name(input.spec)) return found;
  const Names &asked = input.spec.named;
  FormatSpec any = input.spec;
  any.named.clear();
  const InputHead for_any{any, input.head, input.whole};
  Dialect announced = is_settled(found, asked) ? found : recognize_one(for_any, wrapped);
  std::optional<Dialect> mixed = recognize_mixed(for_any, announced);
  if (mixed && (has_names(*mixed, asked) || !has_names(found, asked))) return std::move(*mixed);
  const bool is_other = has_names(announced, asked) && !is_same(found, announced) &&
                        !agree_on_records(found, announced, input);
  return is_other ? std::move(announced) : std::move(found);
}

}  // namespace mrc
