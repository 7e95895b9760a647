// Splits records with a regular expression, whose groups are the fields.
#include "regex/regex.h"

#include "base/setting_name.h"
#include "base/utf8.h"
#include "fields/inner/make_line_reader.h"
#include "fields/input_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mrc {
namespace {

Result<std::unique_ptr<Regex>> compile(const std::string &pattern) {
  Result<std::unique_ptr<Regex>> regex = Regex::compile(pattern, {});
  if (!regex.is_ok()) {
    return regex.status().within(fmt::format("{} \"{}\"", setting_name("regex"), pattern));
  }
  if ((*regex)->groups().empty()) {
    return Status::error(
        fmt::format("{} \"{}\" has no group: name the fields by (?<name>...) in it",
                    setting_name("regex"), pattern));
  }
  return regex;
}

// A record is malformed if the expression matches nowhere in it. A field is missing if its group
// takes no part in the match.
struct RegexParser {
  static constexpr bool kKeepsBlankLines = false;
  static constexpr size_t kMostGroups = Regex::kMostGroups - 1;  // without the whole match
  std::unique_ptr<Regex> regex;
  std::vector<WantedField> wanted;
  size_t groups;  // the whole match, and groups up to the last one wanted

  const char *parse(Bytes line, FieldRow row, Arena *) const {
    std::array<Bytes, kMostGroups + 1> group;
    if (!regex->capture(line, std::span(group).first(groups))) {
      return is_utf8(line) ? "the regular expression does not match"
                           : "the regular expression does not match (\\C matches bytes that are "
                             "not UTF-8)";
    }
    for (const WantedField &one : wanted) {
      const Bytes value = group[static_cast<size_t>(one.field) + 1];
      if (value.data() != nullptr) row.put(one.column, value);
    }
    return nullptr;
  }
};

Result<std::unique_ptr<RecordReader>> make_regex_reader(const Dialect &dialect,
                                                        std::span<const FieldName> wanted) {
  Result<std::unique_ptr<Regex>> regex = compile(dialect.regex);
  if (!regex.is_ok()) return regex.status();
  const size_t groups = (*regex)->groups().size();
  if (groups > RegexParser::kMostGroups) {
    return Status::error(fmt::format("{} has {} groups: {} are the most", setting_name("regex"),
                                     groups, RegexParser::kMostGroups));
  }
  return make_line_reader(dialect, wanted, static_cast<i64>(groups), [&](const auto &fields) {
    size_t captured = 0;
    for (const WantedField &one : fields) {
      captured = std::max(captured, static_cast<size_t>(one.field) + 2);
    }
    return RegexParser{std::move(*regex), fields, captured};
  });
}

Status name_groups(const InputHead &input, Dialect *dialect) {
  const Result<std::unique_ptr<Regex>> regex = compile(input.spec.regex);
  if (!regex.is_ok()) return regex.status();
  dialect->regex = input.spec.regex;
  dialect->names = input.spec.columns.empty() ? (*regex)->groups() : input.spec.columns;
  return Status::ok();
}

}  // namespace

constinit const LineFormat LineFormat::regex = {
    .name = "regex",
    .make_reader = make_regex_reader,
    .complete = name_groups,
    .takes_regex = true,
};

}  // namespace mrc
