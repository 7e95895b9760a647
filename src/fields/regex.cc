#include "fields/regex.h"

#include "fields/line_reader.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

namespace mrc {
namespace {

// As Python, Go and this library write named groups; most others have no P.
std::string with_named_groups(Bytes regex) {
  std::string text;
  for (size_t i = 0; i < regex.size(); ++i) {
    text += regex[i];
    if (regex[i] == '\\' && i + 1 < regex.size()) {
      text += regex[++i];
      continue;
    }
    const Bytes rest = regex.substr(i);
    if (!rest.starts_with("(?<") || rest.starts_with("(?<=") || rest.starts_with("(?<!")) continue;
    text += "?P<";
    i += 2;
  }
  return text;
}

// Logs are bytes: text that is no UTF-8 must match as well. Only an expression that speaks
// of characters outside ASCII needs to see characters.
RE2::Options options_for(Bytes regex) {
  RE2::Options options;
  const bool ascii =
      std::all_of(regex.begin(), regex.end(), [](char c) { return static_cast<u8>(c) < 0x80; });
  const bool classes = regex.find("\\p") != Bytes::npos || regex.find("\\P") != Bytes::npos ||
                       regex.find("\\x{") != Bytes::npos;
  if (ascii && !classes) options.set_encoding(RE2::Options::EncodingLatin1);
  options.set_log_errors(false);
  return options;
}

Result<std::unique_ptr<RE2>> compile(const std::string &regex) {
  auto compiled = std::make_unique<RE2>(with_named_groups(regex), options_for(regex));
  if (!compiled->ok()) {
    return Status::error(fmt::format("--regex \"{}\": {}", regex, compiled->error()));
  }
  if (compiled->NumberOfCapturingGroups() == 0) {
    return Status::error(
        fmt::format("--regex \"{}\" has no group: name the fields by (?<name>...) in it", regex));
  }
  return compiled;
}

std::vector<std::string> names_of(const RE2 &regex) {
  std::vector<std::string> names(static_cast<size_t>(regex.NumberOfCapturingGroups()));
  for (const auto &[number, name] : regex.CapturingGroupNames()) {
    names[static_cast<size_t>(number) - 1] = name;
  }
  return names;
}

struct RegexParser {
  static constexpr bool kKeepsBlankLines = false;
  static constexpr i64 kMostGroups = 64;
  std::unique_ptr<RE2> regex;
  std::vector<WantedField> wanted;
  int groups;  // up to the last one wanted, and the whole match

  const char *parse(Bytes line, FieldRow row, Arena *) const {
    std::array<re2::StringPiece, kMostGroups + 1> group;
    const re2::StringPiece text(line.data(), line.size());
    if (!regex->Match(text, 0, line.size(), RE2::UNANCHORED, group.data(), groups)) {
      return "the regular expression does not match";
    }
    for (const WantedField &one : wanted) {
      const re2::StringPiece &value = group[static_cast<size_t>(one.field) + 1];
      if (value.data() != nullptr) row.put(one.column, Bytes(value.data(), value.size()));
    }
    return nullptr;
  }
};

}  // namespace

Result<std::vector<std::string>> regex_fields(const std::string &regex) {
  const Result<std::unique_ptr<RE2>> compiled = compile(regex);
  if (!compiled.is_ok()) return compiled.status();
  return names_of(**compiled);
}

Result<std::unique_ptr<RecordReader>> make_regex_reader(const Dialect &dialect,
                                                        std::span<const FieldName> wanted) {
  Result<std::unique_ptr<RE2>> regex = compile(dialect.regex);
  if (!regex.is_ok()) return regex.status();
  const i64 groups = (*regex)->NumberOfCapturingGroups();
  if (groups > RegexParser::kMostGroups) {
    return Status::error(
        fmt::format("--regex has {} groups: {} are the most", groups, RegexParser::kMostGroups));
  }
  Result<Projection> projection = Projection::resolve(dialect, wanted, groups);
  if (!projection.is_ok()) return projection.status();
  const auto last = static_cast<int>(projection->columns_by_position().size());
  RegexParser parser{std::move(*regex), projection->fields(), last == 0 ? 0 : last + 1};
  return std::unique_ptr<RecordReader>(std::make_unique<LineReader<RegexParser>>(
      dialect, std::move(*projection), std::move(parser)));
}

}  // namespace mrc
