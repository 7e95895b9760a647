// Reads records with a pattern (--from pattern: ...).
#include "base/setting_name.h"
#include "fields/inner/log_layout.h"
#include "fields/inner/make_line_reader.h"
#include "fields/inner/named_formats.h"
#include "fields/inner/pattern_match.h"
#include "fields/pattern.h"
#include "fields/recognize.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace mrc {
namespace {

// True if the line may be the first of a record: it matches an alternative up to its first line
// end.
bool matches_first_line(Bytes line, const std::vector<PatternAlternative> &alternatives) {
  thread_local std::string copy;  // with the line end, at which values may end
  copy.assign(line);
  copy += '\n';
  copy.append(kPadding, '\0');
  const char *begin = copy.data(), *end = begin + line.size() + 1;
  auto put = [](int, Bytes) {};
  return std::ranges::any_of(alternatives, [&](const PatternAlternative &each) {
    const char *at = pattern::match_steps(begin, end, each, 0, each.steps_of_first_line(), put);
    return at != nullptr && at < end && is_blank_line({at, static_cast<size_t>(end - 1 - at)});
  });
}

// True if records may begin with a time, in brackets or not. A later line of other records may have
// one. `time` is the field that may be a group.
bool may_begin_with_time(const PatternAlternative &alternative, int time) {
  const std::vector<PatternStep> &steps = alternative.steps;
  const auto is_group = [time](const PatternStep &step) {
    return step.kind == PatternStep::Kind::group && step.field >= 0 && step.field == time;
  };
  const auto is_before_time = [&](const PatternStep &step) {
    if (step.is_part()) return !is_group(step);
    return step.kind == PatternStep::Kind::literal && step.literal.size() == 1;
  };
  const auto first = std::ranges::find_if_not(steps, is_before_time);
  if (first == steps.end()) return false;
  return is_group(*first) || (first->kind == PatternStep::Kind::value && is_time(first->type));
}

bool may_have_times(const Pattern &pattern) {
  const auto time = std::ranges::find(pattern.fields, "time") - pattern.fields.begin();
  return std::ranges::any_of(pattern.alternatives, [&](const PatternAlternative &each) {
    return may_begin_with_time(each, static_cast<int>(time));
  });
}

// Tells which lines begin records.
struct PatternLines {
  const Pattern &pattern;
  bool has_times = may_have_times(pattern);

  bool is_foreign(Bytes line) const { return has_times && has_own_time(line); }
  bool begins(Bytes head) const {
    if (pattern.has_line_ends) return matches_first_line(head, pattern.alternatives);
    auto put = [](int, Bytes) {};
    return match_pattern(head, pattern.alternatives, put);
  }
};

struct PatternParser {
  static constexpr bool kKeepsBlankLines = false;
  Pattern pattern;  // values that are not wanted have no field
  bool has_times = may_have_times(pattern);

  bool is_foreign(Bytes line) const { return PatternLines{pattern, has_times}.is_foreign(line); }
  bool begins(Bytes head) const { return PatternLines{pattern, has_times}.begins(head); }
  bool is_rest(const WantedField &field) const { return field.field == pattern.message; }
  const char *parse(Bytes line, FieldRow row, Arena *) const {
    auto put = [&](int column, Bytes value) { row.put(column, value); };
    return match_pattern(line, pattern.alternatives, put) ? nullptr
                                                          : "it does not match the pattern";
  }
};

// Reads lines by a loose pattern. If all times of a log have one form, a line with a time of
// another one begins a record only if it has a date, and all values of the layout.
struct LogParser {
  static constexpr bool kKeepsBlankLines = false;
  LogLayout layout, front;  // up to the last wanted value; up to the front
  int message;
  std::vector<WantedField> wanted;  // with places among the values as numbers
  std::optional<LogLayout> other;   // takes times of any form, if others may be there

  LogParser(const Pattern &pattern, std::vector<WantedField> fields, const Dialect &dialect = {})
      : layout(pattern), front(layout), message(pattern.message), wanted(std::move(fields)) {
    size_t last = 0;
    for (WantedField &one : wanted) {
      const size_t place = layout.place_of(static_cast<int>(one.field));
      one.field = static_cast<i64>(place);
      last = std::max(last, place);
    }
    if (dialect.time_form.shape != TimeShape::none) {
      if (!dialect.one_form && dialect.wrapper < 0) other = layout;
      if (other) other->require_all();
      layout.set_time_form(dialect.time_form);
      front.set_time_form(dialect.time_form);
    }
    front.forget_after(front.front());
    if (dialect.whole_layout) {
      layout.require_all();
    } else if (last < layout.rest()) {
      layout.forget_after(last);
    }
  }

  bool is_foreign(Bytes line) const { return has_own_time(line); }
  bool begins(Bytes head) const {
    LogValues found;
    return front.match(head, &found) || match_other(head, &found);
  }
  bool is_rest(const WantedField &field) const { return field.field == message; }
  const char *parse(Bytes line, FieldRow row, Arena *) const {
    LogValues found;
    if (!layout.match(line, &found) && !match_other(line, &found)) return reason();
    for (const WantedField &one : wanted) {
      const auto place = static_cast<size_t>(one.field);
      if (place >= found.known && place != layout.rest()) continue;
      row.put(one.column, found.values[place].bytes());
    }
    return nullptr;
  }
  bool match_other(Bytes line, LogValues *found) const {
    if (!other || !other->match(line, found)) return false;
    return has_date(find_timestamp(found->values[other->front()].bytes()).shape);
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

Result<Pattern> compile_layout(const std::string &text) {
  Result<Pattern> pattern = Pattern::compile(text);
  return pattern.is_ok() ? std::move(pattern) : pattern.status().within(setting_name("from"));
}

// Returns groups that begin with the first line of a record of a pattern with line ends, or with a
// line of another program.
LineGroups groups_of(const Pattern &pattern, char terminator) {
  const auto parser = std::make_shared<const PatternParser>(PatternParser{pattern});
  return {[parser](Bytes head) {
            const Bytes line = without_byte_order_mark(head);
            return parser->begins(line) || parser->is_foreign(line);
          },
          terminator};
}

// Counts groups of lines that match, and their lines after the first. The lines of the last group
// are no evidence against the pattern, because more may follow.
PatternVotes count_groups(const Pattern &pattern, const std::vector<Bytes> &lines) {
  PatternVotes votes;
  const PatternLines parser{pattern};
  const auto begins = [&](size_t i) {
    return parser.begins(lines[i]) || parser.is_foreign(lines[i]);
  };
  for (size_t i = 0; i < lines.size();) {
    const size_t first = i++;
    while (i < lines.size() && !begins(i)) ++i;
    const Bytes &last = lines[i - 1];
    const char *begin = lines[first].data(), *end = last.data() + last.size();
    auto put = [](int, Bytes) {};
    const bool matches =
        match_pattern({begin, static_cast<size_t>(end - begin)}, pattern.alternatives, put);
    votes.matching += matches;
    if (matches || i == lines.size()) votes.going_on += static_cast<i64>(i - first) - matches;
  }
  return votes;
}

Status complete_pattern(const InputHead &input, Dialect *dialect) {
  Result<Pattern> pattern = compile_layout(input.spec.pattern);
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
  Result<Pattern> pattern = compile_layout(dialect.pattern);
  if (!pattern.is_ok()) return pattern.status();
  const auto make = [&](const auto &make_parser) -> Result<std::unique_ptr<RecordReader>> {
    const i64 most = std::ssize(pattern->fields);
    if (!dialect.joins_lines) return make_line_reader(dialect, wanted, most, make_parser);
    return make_line_reader<JoinedLineReader>(dialect, wanted, most, make_parser);
  };
  const auto make_log = [&](const auto &fields) { return LogParser(*pattern, fields, dialect); };
  if (pattern->has_colors)
    return make([&](const auto &fields) { return ColoredLogParser{make_log(fields)}; });
  if (pattern->is_loose) return make(make_log);
  const auto make_parser = [&](const auto &fields) {
    PatternParser parser{*pattern};
    take_columns(fields, &parser.pattern);
    return parser;
  };
  if (!pattern->has_line_ends || !dialect.record_start.empty()) return make(make_parser);
  if (Status status = check_joins_lines(dialect); !status.is_ok()) return status;
  return make_started_reader(dialect, wanted, std::ssize(pattern->fields), make_parser,
                             groups_of(*pattern, dialect.terminator));
}

PatternVotes count_matching(const Pattern &pattern, const std::vector<Bytes> &lines,
                            i64 most_failing) {
  if (pattern.has_line_ends) return count_groups(pattern, lines);
  PatternVotes votes;
  i64 failing = 0;
  const auto count = [&](const auto &parser) {
    for (size_t i = 0; i < lines.size() && failing <= most_failing; ++i) {
      const bool matches = parser.begins(lines[i]), continues = !matches && goes_on(lines[i]);
      votes.matching += matches;
      votes.going_on += continues;
      failing += !matches && !continues;
    }
  };
  if (pattern.has_colors) {
    count(ColoredLogParser{LogParser(pattern, {})});
  } else {
    pattern.is_loose ? count(LogParser(pattern, {})) : count(PatternLines{pattern});
  }
  return votes;
}

i64 count_foreign(const Pattern &pattern, const std::vector<Bytes> &lines) {
  const PatternLines parser{pattern};
  return std::ranges::count_if(
      lines, [&](Bytes line) { return parser.is_foreign(line) && !parser.begins(line); });
}

constinit const LineFormat LineFormat::pattern = {
    .name = "pattern",
    .make_reader = make_pattern_reader,
    .complete = complete_pattern,
};

}  // namespace mrc
