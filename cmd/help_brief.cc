// The short help of a verb. Options that most users need come first, then the verb's own, then the
// others, as long as there is room. The others are listed by name. What is printed is in the order
// of the tables.
#include "cmd/help.h"
#include "cmd/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace mrc {
namespace {

constexpr i64 kLines = 40;
constexpr size_t kTerminalColumns = 80, kHelpColumn = 26, kIndent = 2;
constexpr i64 kMostExamples = 3;
constexpr std::string_view kUsual[] = {"--key", "--where", "--from",  "--by",
                                       "--top", "--to",    "--output"};

i64 lines_in(std::string_view text) { return std::ranges::count(text, '\n'); }

// Appends words to a text whose last line has `used` columns. Later lines are indented.
void append_words(std::string_view words, size_t indent, size_t used, std::string *text) {
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find(' ', at), words.size());
    const bool fits = used + 1 + (end - at) <= kTerminalColumns;
    if (!fits) text->append("\n").append(indent, ' ');
    if (fits && used > indent) *text += ' ';
    used = (fits ? used + (used > indent) : indent) + (end - at);
    text->append(words, at, end - at);
    at = end + 1;
  }
  *text += '\n';
}

std::string describe_option(const Verb &verb, const Option &option) {
  constexpr size_t kFew = 4;  // choices that are listed
  std::string text = option_in_help(verb, option);
  if (text.size() + 2 > kHelpColumn) {
    text += "\n" + std::string(kHelpColumn, ' ');
  } else {
    text.append(kHelpColumn - text.size(), ' ');
  }
  const std::vector<std::string> choices = choices_of(verb, option);
  const bool are_few = !choices.empty() && choices.size() <= kFew;
  append_words(option.help + (are_few ? fmt::format(" ({})", fmt::join(choices, "|")) : ""),
               kHelpColumn, kHelpColumn, &text);
  return text;
}

// Returns the lines of examples that fit, without their explanation if it does not.
std::string examples_of(const Verb &verb) {
  std::string text = "\nExamples:\n";
  const std::string_view all = verb.examples;
  i64 count = 0;
  for (size_t at = 0; at < all.size() && count < kMostExamples;) {
    const size_t end = std::min(all.find('\n', at), all.size());
    std::string_view line = all.substr(at, end - at);
    at = end + 1;
    const size_t command = std::min(line.find("  ", kIndent), line.size());
    if (line.size() > kTerminalColumns) line = line.substr(0, command);
    if (line.size() > kTerminalColumns) continue;
    text.append(line).append("\n");
    ++count;
  }
  return text;
}

struct Listed {
  const Option *option;
  std::string text;
  bool is_shown = false;
};

std::string last_name(const Verb &verb, const Option &option) {
  return option_names(verb, option).back();
}

std::string list_of_others(const Verb &verb, const std::vector<Listed> &rows) {
  std::string names;
  for (const Listed &row : rows) {
    if (row.is_shown) continue;
    names += (names.empty() ? "" : ", ") + last_name(verb, *row.option);
  }
  if (names.empty()) return "";
  std::string text = fmt::format("\nOthers, which mrc {} --help describes:\n  ", verb.name);
  append_words(names, kIndent, kIndent, &text);
  return text;
}

// Shows the rows that the predicate chooses, in their order, while there is room.
template <typename IsChosen>
void show(const Verb &verb, i64 lines, IsChosen is_chosen, std::vector<Listed> *rows) {
  for (Listed &row : *rows) {
    if (row.is_shown || !is_chosen(row)) continue;
    row.is_shown = true;
    i64 used = lines_in(list_of_others(verb, *rows));
    for (const Listed &each : *rows) used += each.is_shown ? lines_in(each.text) : 0;
    if (used > lines) row.is_shown = false;
  }
}

}  // namespace

std::string brief_help_of(const Verb &verb) {
  std::vector<Listed> rows;
  for (const Option *option : options_of(verb)) {
    if (!option->expert) rows.push_back({option, describe_option(verb, *option)});
  }
  std::string head = head_of_help(verb) + "\nOptions:\n";
  const std::string_view word = " [OPTIONS]";
  const size_t at = head.find("Usage:"), options = head.find(word, at);
  const bool is_wide = head.find('\n', at) - at > kTerminalColumns;
  if (is_wide && options != std::string::npos) head.erase(options, word.size());
  const std::string tail =
      examples_of(verb) + fmt::format("\nSee mrc-{}(1), or mrc {} --help.\n", verb.name, verb.name);
  const i64 room = kLines - lines_in(head) - lines_in(tail);
  const auto is_usual = [&](const Listed &row) {
    return std::ranges::find(kUsual, last_name(verb, *row.option)) != std::end(kUsual);
  };
  const auto is_own = [&](const Listed &row) {
    return row.option >= verb.options.data() &&
           row.option < verb.options.data() + verb.options.size();
  };
  show(verb, room, is_usual, &rows);
  show(verb, room, is_own, &rows);
  show(verb, room, [](const Listed &) { return true; }, &rows);
  std::string text = head;
  for (const Listed &row : rows) text += row.is_shown ? row.text : "";
  return text + list_of_others(verb, rows) + tail;
}

}  // namespace mrc
