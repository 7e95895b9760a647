#include "cmd/report/own_panel.h"

#include "base/text.h"
#include "base/typed_text.h"
#include "cmd/parse.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace mrc {
namespace {

constexpr std::string_view kAllowed[] = {"--key", "--aggregate", "--where", "--having",
                                         "--by",  "--top",       "--asc",   "--desc"};

// Splits a command into words, by blanks outside quotes.
Result<std::vector<std::string>> words_of_command(std::string_view text) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_escape = c == '\\' && quote != '\'' && i + 1 < text.size();
    if (quote == '\0' && (c == ' ' || c == '\t' || c == '\n')) {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
      continue;
    }
    if (!word) word.emplace();
    if (is_escape) {
      word->push_back(text[++i]);
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else {
      word->push_back(c);
    }
  }
  if (quote != '\0') return Status::error(fmt::format("a quote {} is not closed", quote));
  if (word) words.push_back(std::move(*word));
  return words;
}

// Refuses what one of several panels cannot have.
Status check_choices(const Ask &ask) {
  for (const Job::Choice &choice : ask.job.choices) {
    if (std::ranges::find(kAllowed, choice.option) != std::end(kAllowed)) continue;
    return Status::error(
        fmt::format("{} is for the whole report, or for a job of its own; a panel "
                    "takes {}",
                    choice.option, fmt::join(kAllowed, ", ")));
  }
  if (ask.arguments.empty()) return Status::ok();
  return Status::error(fmt::format("{}: a panel is about the input of the report, and names none",
                                   ask.arguments[0]));
}

}  // namespace

Result<OwnPanel> parse_own_panel(const std::string &typed) {
  const size_t colon = typed.find(':');
  OwnPanel own{.title = std::string(without_spaces_around(typed.substr(0, colon))), .job = {}};
  const std::string_view command =
      colon == typed.npos ? std::string_view() : std::string_view(typed).substr(colon + 1);
  Result<std::vector<std::string>> words = words_of_command(command);
  if (!words.is_ok()) return words.status();
  const bool counts = !words->empty() && words->front() == "count";
  if (own.title.empty() || words->empty() || (!counts && words->front() != "stats")) {
    return Status::error(fmt::format(
        "\"{}\" is not TITLE: stats -k KEY -a AGGREGATES, or TITLE: count -k KEY", typed));
  }
  Ask ask;
  Status status = parse(*find_verb(words->front()), {words->begin() + 1, words->end()}, &ask);
  if (status.is_ok()) status = check_choices(ask);
  if (!status.is_ok()) return status.within(own.title);
  own.job = {.key = ask.key,
             .where = ask.where,
             .aggregates = counts ? "count" : ask.aggregates,
             .having = ask.having,
             .by = ask.by,
             .top = ask.top,
             .direction = ask.direction};
  return own;
}

std::vector<bool> which_add(const std::string &aggregates) {
  const Result<std::vector<std::string>> items = split_list(aggregates);
  if (!items.is_ok()) return {};
  std::vector<bool> adds;
  for (std::string_view item : *items) {
    const size_t name = item.find_first_of("=([:");
    if (name != item.npos && item[name] == '=') item = without_spaces_around(item.substr(name + 1));
    const std::string_view function = item.substr(0, item.find_first_of("([:"));
    const bool is_computed = item.find_first_of("+-*/%") != item.npos;
    adds.push_back(!is_computed && (function == "count" || function == "sum"));
  }
  return adds;
}

}  // namespace mrc
