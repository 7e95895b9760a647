// Reads records with a pattern (--from pattern: ...).
#include "base/setting_name.h"
#include "fields/inner/log_layout.h"
#include "fields/inner/make_line_reader.h"
#include "fields/inner/pattern_values.h"
#include "fields/pattern.h"
#include "fields/recognize.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace mrc {
namespace {

// The matcher of patterns, in a header so that it is inlined into the loop over records.

namespace pattern {

// Returns the end of the literal with which the text begins, or null if it begins otherwise. A
// blank of the literal stands for a run of blanks.
MRC_INLINE const char *match_literal(const char *p, const char *end, const std::string &literal) {
  for (const char wanted : literal) {
    if (p == end) return nullptr;
    if (wanted == ' ') {
      if (!is_blank(*p)) return nullptr;
      do ++p;
      while (p < end && is_blank(*p));
    } else if (*p++ != wanted) {
      return nullptr;
    }
  }
  return p;
}

MRC_INLINE const char *find_stop(const char *p, const char *end, const PatternStop &stop) {
  if (stop.few) [[likely]]
    return find_any(p, end, stop.bytes);
  while (p < end && !stop.begins[static_cast<u8>(*p)]) ++p;
  return p;
}

MRC_INLINE const char *without_blanks(const char *p, const char *end) {
  while (end > p && is_blank(end[-1])) --end;
  return end;
}

// True if the follower's part matches at `p`.
bool matches_part(const char *p, const char *end, const PatternAlternative &in,
                  const PatternStop::Follower &follower);
MRC_INLINE bool follows(const char *p, const char *end, const PatternAlternative &in,
                        const PatternStop &stop) {
  for (const PatternStop::Follower &each : stop.followers) {
    if (match_literal(p, end, each.literal) == nullptr) continue;
    if (each.part < 0 || matches_part(p, end, in, each)) return true;
  }
  return false;
}

// Returns the end of a text or word; null if there is none. Blanks that do not end it are skipped
// as a run, so that no byte is examined again and again.
MRC_INLINE const char *end_of_text(const char *p, const char *end, const PatternAlternative &in,
                                   const PatternStop &stop) {
  for (const char *at = p;;) {
    at = find_stop(at, end, stop);
    if (at == end) return stop.at_end ? end : nullptr;
    if (follows(at, end, in, stop)) return at;
    if (!is_blank(*at)) {
      ++at;
      continue;
    }
    const char *run = at;
    while (at < end && is_blank(*at)) ++at;
    if (stop.at_blank || (at == end && stop.at_end)) return run;
  }
}

MRC_INLINE EnclosedValue as_value(const char *p, const char *end) {
  return end == nullptr ? EnclosedValue() : EnclosedValue{{p, static_cast<size_t>(end - p)}, end};
}

MRC_INLINE EnclosedValue find_value(const char *p, const char *end, const PatternStep &step,
                                    const PatternAlternative &in) {
  switch (step.type) {
    case ValueType::text:
      return as_value(p, end_of_text(p, end, in, in.stops[static_cast<size_t>(step.stop)]));
    case ValueType::word: {
      const char *at = end_of_text(p, end, in, in.stops[static_cast<size_t>(step.stop)]);
      return as_value(p, at == p ? nullptr : at);
    }
    case ValueType::name: return as_value(p, end_of_name(p, end));
    case ValueType::class_name: return as_value(p, end_of_class(p, end));
    case ValueType::letter: return as_value(p, end_of_letter(p, end));
    case ValueType::sign: return as_value(p, end_of_sign(p, end));
    case ValueType::rest: return {{p, static_cast<size_t>(end - p)}, end};
    case ValueType::integer: return as_value(p, end_of_integer(p, end));
    case ValueType::number: return as_value(p, end_of_number(p, end));
    case ValueType::hex: return as_value(p, end_of_hex(p, end));
    case ValueType::ip: return as_value(p, end_of_ip(p, end));
    case ValueType::client: return find_client(p, end);
    case ValueType::time: return as_value(p, end_of_time(p, end));
    case ValueType::level: return as_value(p, end_of_level(p, end));
    case ValueType::quoted: return find_quoted(p, end);
    case ValueType::bracketed: return find_bracketed(p, end);
  }
  __builtin_unreachable();
}

// Matches the steps from `from` to `to`. Returns the end of the match, or null. put() takes the
// number of a field and its value; a value without data takes a value back.
template <typename Put>
const char *match_steps(const char *p, const char *end, const PatternAlternative &in, size_t from,
                        size_t to, Put &put) {
  for (size_t i = from; i < to; ++i) {
    const PatternStep &step = in.steps[i];
    if (step.kind == PatternStep::Kind::literal) {
      p = match_literal(p, end, step.literal);
      if (p == nullptr) return nullptr;
    } else if (step.kind == PatternStep::Kind::value) {
      const EnclosedValue value = find_value(p, end, step, in);
      if (value.next == nullptr) return nullptr;
      if (step.field >= 0) put(step.field, value.text);
      p = value.next;
    } else {
      const auto next = static_cast<size_t>(step.skip);
      const char *after = match_steps(p, end, in, i + 1, next, put);
      if (after != nullptr) {
        if (step.field >= 0) put(step.field, {p, static_cast<size_t>(after - p)});
        p = after;
      } else if (step.kind == PatternStep::Kind::group) {
        return nullptr;
      } else {
        for (size_t k = i + 1; k < next; ++k) {
          if (in.steps[k].field >= 0) put(in.steps[k].field, Bytes());
        }
      }
      i = next - 1;
    }
  }
  return p;
}

inline bool matches_part(const char *p, const char *end, const PatternAlternative &in,
                         const PatternStop::Follower &follower) {
  auto put = [](int, Bytes) {};
  const auto part = static_cast<size_t>(follower.part);
  const auto after = static_cast<size_t>(in.steps[part].skip);
  const char *at = match_steps(p, end, in, part + 1, after, put);
  return at != nullptr && (!follower.is_last || without_blanks(at, end) == at);
}

}  // namespace pattern

// True if the line matches one of the alternatives, whose values are put.
template <typename Put>
MRC_INLINE bool match_pattern(Bytes line, const std::vector<PatternAlternative> &alternatives,
                              Put &put) {
  const char *begin = line.data(), *end = begin + line.size();
  for (const PatternAlternative &each : alternatives) {
    const size_t steps = each.steps.size();
    const char *at = pattern::match_steps(begin, end, each, 0, steps, put);
    if (at != nullptr && pattern::without_blanks(at, end) == at) return true;
    for (const PatternStep &step : each.steps) {
      if (step.field >= 0) put(step.field, Bytes());
    }
  }
  return false;
}

// True if records begin with a time, in brackets or not. A later line of other records may have
// one.
bool begins_with_time(const PatternAlternative &alternative) {
  const std::vector<PatternStep> &steps = alternative.steps;
  const size_t first = !steps.empty() && steps[0].literal.size() == 1;
  return first < steps.size() && steps[first].kind == PatternStep::Kind::value &&
         steps[first].type == ValueType::time;
}

struct PatternParser {
  static constexpr bool kKeepsBlankLines = false;
  Pattern pattern;  // values that are not wanted have no field
  bool has_times = std::ranges::all_of(pattern.alternatives, begins_with_time);

  bool is_foreign(Bytes line) const { return has_times && has_own_time(line); }
  bool begins(Bytes head) const {
    auto put = [](int, Bytes) {};
    return match_pattern(head, pattern.alternatives, put);
  }
  bool is_rest(const WantedField &field) const { return field.field == pattern.message; }
  const char *parse(Bytes line, FieldRow row, Arena *) const {
    auto put = [&](int column, Bytes value) { row.put(column, value); };
    return match_pattern(line, pattern.alternatives, put) ? nullptr
                                                          : "it does not match the pattern";
  }
};

// Reads lines by a loose pattern.
struct LogParser {
  static constexpr bool kKeepsBlankLines = false;
  LogLayout layout, front;  // up to the last wanted value; up to the front
  int message;
  std::vector<WantedField> wanted;  // with places among the values as numbers

  LogParser(const Pattern &pattern, std::vector<WantedField> fields)
      : layout(pattern), front(layout), message(pattern.message), wanted(std::move(fields)) {
    size_t last = 0;
    for (WantedField &one : wanted) {
      const size_t place = layout.place_of(static_cast<int>(one.field));
      one.field = static_cast<i64>(place);
      last = std::max(last, place);
    }
    front.forget_after(front.front());
    if (last < layout.rest()) layout.forget_after(last);
  }

  bool is_foreign(Bytes line) const { return has_own_time(line); }
  bool begins(Bytes head) const {
    LogValues found;
    return front.match(head, &found);
  }
  bool is_rest(const WantedField &field) const { return field.field == message; }
  const char *parse(Bytes line, FieldRow row, Arena *) const {
    LogValues found;
    if (!layout.match(line, &found)) return reason();
    for (const WantedField &one : wanted) {
      const auto place = static_cast<size_t>(one.field);
      if (place >= found.known && place != layout.rest()) continue;
      row.put(one.column, found.values[place].bytes());
    }
    return nullptr;
  }
  const char *reason() const {
    if (layout.front_type() == ValueType::time) return "expected a time at its place";
    if (layout.front_type() != ValueType::level) return "it does not match the pattern";
    return "expected a level at its place";
  }
};

// Reads lines with colors by a loose pattern. Values are parts of copies without them.
struct ColoredLogParser {
  static constexpr bool kKeepsBlankLines = false;
  LogParser plain;

  bool is_foreign(Bytes line) const { return has_own_time(plain_copy(line)); }
  bool begins(Bytes head) const { return plain.begins(plain_copy(head)); }
  bool is_rest(const WantedField &field) const { return plain.is_rest(field); }
  const char *parse(Bytes line, FieldRow row, Arena *arena) const {
    return plain.parse(without_colors(line, arena), row, arena);
  }
  // Returns the value of is_rest() with the text that continues the record.
  Bytes extended(Bytes value, Bytes text, Arena *arena) const {
    const Bytes more = without_colors(text, arena);
    const size_t size = value.size() + more.size();
    char *copy = reinterpret_cast<char *>(arena->alloc(static_cast<i64>(size) + kPadding));
    std::memcpy(copy, value.data(), value.size());
    std::memcpy(copy + value.size(), more.data(), more.size());
    std::memset(copy + size, 0, kPadding);
    return {copy, size};
  }

 private:
  static Bytes plain_copy(Bytes line) {
    thread_local std::string copy;
    copy.clear();
    append_plain(line, &copy);
    copy.append(kPadding, '\0');
    return {copy.data(), copy.size() - kPadding};
  }
};

// Replaces fields by their columns.
void take_columns(const std::vector<WantedField> &wanted, Pattern *pattern) {
  std::array<int, Pattern::kMostFields> columns;
  columns.fill(-1);
  for (const WantedField &one : wanted) {
    columns[static_cast<size_t>(one.field)] = static_cast<int>(one.column);
  }
  for (PatternAlternative &each : pattern->alternatives) {
    for (PatternStep &step : each.steps) {
      if (step.field >= 0) step.field = columns[static_cast<size_t>(step.field)];
    }
  }
}

Result<Pattern> compile(const std::string &text) {
  Result<Pattern> pattern = Pattern::compile(text);
  return pattern.is_ok() ? std::move(pattern) : pattern.status().within(setting_name("from"));
}

Status complete_pattern(const InputHead &input, Dialect *dialect) {
  Result<Pattern> pattern = compile(input.spec.pattern);
  if (!pattern.is_ok()) return pattern.status();
  dialect->pattern = input.spec.pattern;
  dialect->names = std::move(pattern->fields);
  dialect->joins_lines = pattern->joins_lines;
  if (!input.spec.pattern_name.empty()) dialect->reason = input.spec.pattern_name;
  return Status::ok();
}

}  // namespace

Result<std::unique_ptr<RecordReader>> make_pattern_reader(const Dialect &dialect,
                                                          std::span<const FieldName> wanted) {
  Result<Pattern> pattern = compile(dialect.pattern);
  if (!pattern.is_ok()) return pattern.status();
  const auto make = [&](const auto &make_parser) -> Result<std::unique_ptr<RecordReader>> {
    const i64 most = std::ssize(pattern->fields);
    if (!dialect.joins_lines) return make_line_reader(dialect, wanted, most, make_parser);
    return make_line_reader<JoinedLineReader>(dialect, wanted, most, make_parser);
  };
  if (pattern->has_colors) {
    return make([&](const auto &fields) { return ColoredLogParser{LogParser(*pattern, fields)}; });
  }
  if (pattern->is_loose)
    return make([&](const auto &fields) { return LogParser(*pattern, fields); });
  return make([&](const auto &fields) {
    PatternParser parser{*pattern};
    take_columns(fields, &parser.pattern);
    return parser;
  });
}

PatternVotes count_matching(const Pattern &pattern, const std::vector<Bytes> &lines) {
  PatternVotes votes;
  const auto count = [&](const auto &parser) {
    for (Bytes line : lines) {
      parser.begins(line) ? ++votes.matching : votes.going_on += goes_on(line);
    }
  };
  if (pattern.has_colors) {
    count(ColoredLogParser{LogParser(pattern, {})});
  } else {
    pattern.is_loose ? count(LogParser(pattern, {})) : count(PatternParser{pattern});
  }
  return votes;
}

constinit const LineFormat LineFormat::pattern = {
    .name = "pattern",
    .make_reader = make_pattern_reader,
    .complete = complete_pattern,
};

}  // namespace mrc
