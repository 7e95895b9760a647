// Reads records with a pattern (--from pattern: ...).
#include "base/setting_name.h"
#include "fields/inner/joined_lines.h"
#include "fields/inner/make_line_reader.h"
#include "fields/inner/pattern_match.h"
#include "fields/inner/pattern_values.h"
#include "fields/recognize.h"

#include <algorithm>
#include <array>

namespace mrc {
namespace {

struct PatternParser {
  static constexpr bool kKeepsBlankLines = false;
  Pattern pattern;   // values that are not wanted have no field
  i64 message = -1;  // field of the message, which may have several lines

  bool begins(Bytes head) const {
    auto put = [](int, Bytes) {};
    return match_pattern(head, pattern.alternatives, put);
  }
  bool is_rest(const WantedField &field) const { return field.field == message; }
  const char *parse(Bytes line, FieldRow row, Arena *) const {
    auto put = [&](int column, Bytes value) { row.put(column, value); };
    return match_pattern(line, pattern.alternatives, put) ? nullptr
                                                          : "it does not match the pattern";
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
  if (!input.spec.pattern_name.empty()) dialect->reason = input.spec.pattern_name;
  return Status::ok();
}

}  // namespace

Result<std::unique_ptr<RecordReader>> make_pattern_reader(const Dialect &dialect,
                                                          std::span<const FieldName> wanted) {
  Result<Pattern> pattern = compile(dialect.pattern);
  if (!pattern.is_ok()) return pattern.status();
  const i64 most = std::ssize(pattern->fields);
  const auto make = [&](const auto &fields) {
    const i64 message = std::ranges::find(pattern->fields, "message") - pattern->fields.begin();
    PatternParser parser{std::move(*pattern), message};
    take_columns(fields, &parser.pattern);
    return parser;
  };
  if (!dialect.joins_lines) return make_line_reader(dialect, wanted, most, make);
  return make_line_reader<JoinedLineReader>(dialect, wanted, most, make);
}

PatternVotes count_matching(const Pattern &pattern, const std::vector<Bytes> &lines) {
  PatternVotes votes;
  auto put = [](int, Bytes) {};
  for (Bytes line : lines) {
    if (match_pattern(line, pattern.alternatives, put)) {
      ++votes.matching;
    } else {
      votes.going_on += goes_on(line);
    }
  }
  return votes;
}

constinit const LineFormat LineFormat::pattern = {
    .name = "pattern",
    .make_reader = make_pattern_reader,
    .complete = complete_pattern,
};

}  // namespace mrc
