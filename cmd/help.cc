#include "cmd/help.h"

#include "cmd/advice.h"
#include "cmd/introduction.h"
#include "cmd/parse.h"
#include "cmd/plugins.h"
#include "cmd/values.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace mrc {

// cmd/package/embed_pages.cc writes pages.inc.

namespace {

#include "pages.inc"

constexpr std::string_view kPrefix = "mrc-";

std::string without_prefix(const std::string &name) {
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

bool page_has_name(const Page &page, const std::string &name) {
  for (const std::string &known : {std::string(page.name), page.topic()}) {
    const std::string section = page.section;
    for (const std::string &end : {std::string(), "." + section, "(" + section + ")"}) {
      if (name == known + end) return true;
    }
  }
  return false;
}

void remove_last_character(std::string *text) {
  constexpr unsigned kContinuationMask = 0xC0, kContinuation = 0x80;
  while (!text->empty()) {
    const unsigned byte = static_cast<unsigned char>(text->back());
    text->pop_back();
    if ((byte & kContinuationMask) != kContinuation) return;
  }
}

}  // namespace

std::string Page::topic() const { return without_prefix(name); }

std::span<const Page> all_pages() { return kPages; }

const Page *find_page(const std::string &name) {
  for (const Page &page : kPages) {
    if (page_has_name(page, name)) return &page;
  }
  return nullptr;
}

std::string struck_text(const Page &page) {
  std::string all(kTextSize, '\0');
  ZSTD_decompress(all.data(), all.size(), kPackedText, sizeof kPackedText);
  return all.substr(page.offset, page.size);
}

std::string without_strikes(const std::string &struck) {
  std::string plain;
  for (const char c : struck) {
    if (c == '\b') {
      remove_last_character(&plain);
    } else {
      plain += c;
    }
  }
  return plain;
}

namespace {

constexpr size_t kColumnOfText = 30;

// Fills lines with words. Each line, even the first one, begins after `indent` blanks.
std::string in_lines(const std::vector<std::string> &words, size_t indent) {
  constexpr size_t kLine = 78;
  std::string text;
  size_t used = kLine;
  for (const std::string &word : words) {
    const bool fits = used + 1 + word.size() <= kLine;
    text += fits ? " " : "\n" + std::string(indent, ' ');
    used = (fits ? used + 1 : indent) + word.size();
    text += word;
  }
  return text;
}

// Returns "(auto|yes|no)" for the end of the text. Many choices are in lines of their own below it.
std::string choices_in_help(const Verb &verb, const Option &option) {
  if (option.choices == nullptr) return "";
  const std::vector<std::string> all = choices_of(verb, option);
  if (all.size() <= kFewChoices) return fmt::format(" ({})", fmt::join(all, "|"));
  return ":" + in_lines(all, kColumnOfText);
}

void append_options(const Verb &verb, const char *title, std::span<const Option> options,
                    std::string *out) {
  if (options.empty()) return;
  fmt::format_to(std::back_inserter(*out), "\n{}:\n", title);
  for (const Option &option : options) {
    std::string left = option_in_help(verb, option);
    if (left.empty()) continue;
    const std::string right = option.help + choices_in_help(verb, option);
    // Names that extend into the text push it to the next line.
    if (left.size() + 2 > kColumnOfText) left += "\n" + std::string(kColumnOfText - 2, ' ');
    fmt::format_to(std::back_inserter(*out), "{:<{}}  {}\n", left, kColumnOfText - 2, right);
  }
}

void append_plugins(std::string *out) {
  const Result<PluginPath> path = plugin_path({});
  const std::vector<std::string> names =
      path.is_ok() ? plugin_verbs(*path) : std::vector<std::string>();
  if (names.empty()) return;
  *out += "\nPlugins, which are verbs if they have jobs (see mrc help NAME):" + in_lines(names, 2);
  *out += "\n";
}

void append_pages(std::string *out) {
  *out += "\nPages of the manual, for mrc help PAGE; mrc help mrc-VERB prints that of a verb:\n";
  for (const Page *page : pages_beside_verbs()) {
    fmt::format_to(std::back_inserter(*out), "  {:<12}{}\n", name_in_help(*page), page->summary);
  }
}

}  // namespace

std::vector<const Page *> pages_beside_verbs() {
  std::vector<const Page *> pages;
  for (const Page &page : all_pages()) {
    const bool is_of_a_verb =
        page.section == std::string_view("1") && find_verb(page.topic()) != nullptr;
    if (!is_of_a_verb) pages.push_back(&page);
  }
  return pages;
}

std::string name_in_help(const Page &page) {
  const std::string topic = page.topic();
  if (topic == kEngineTopic) return page.name;
  return find_verb(topic) == nullptr ? topic : topic + "." + page.section;
}

std::string overview() {
  std::string text =
      "mrc: MapReduce over text and log files on all cores of this machine\n\n"
      "Usage: mrc VERB [OPTIONS] [FILE...] [then VERB [OPTIONS]]...\n"
      "       mrc FILE         what the file is, and commands to begin with\n"
      "       mrc --version\n\nVerbs:\n";
  for (const Verb *verb : all_verbs()) {
    fmt::format_to(std::back_inserter(text), "  {:<12}{}\n", verb->name, verb->summary);
  }
  append_pages(&text);
  append_plugins(&text);
  text +=
      "\nWithout FILE, or with -, mrc reads standard input.\n"
      "After then, a verb reads the rows of the verb before it: mrc help then.\n"
      "For help on a verb: mrc help VERB, or mrc VERB -h in short.\n"
      "For help on a function, aggregate, bucket or format: mrc help NAME, as in mrc help p95.\n"
      "mrc help guide has recipes by task.\n";
  return text;
}

std::string option_in_help(const Verb &verb, const Option &option) {
  const std::string names = fmt::format("{}", fmt::join(option_names(verb, option), ", "));
  if (names.empty()) return "";
  return fmt::format("  {}{}{}", names[1] == '-' ? "    " : "", names,
                     option.value == nullptr    ? ""
                     : !option.takes_argument() ? option.value
                                                : fmt::format(" {}", option.value));
}

std::string head_of_help(const Verb &verb) {
  const bool has_options = verb.is_job() || !verb.options.empty();
  return fmt::format("mrc {}: {}\n\nUsage: mrc {}{} {}\n", verb.name, verb.summary, verb.name,
                     has_options ? " [OPTIONS]" : "", verb.arguments);
}

std::string help_of(const Verb &verb, Ask::Help how_much) {
  if (how_much == Ask::Help::brief) return brief_help_of(verb);
  std::string text = head_of_help(verb) + fmt::format("\n{}\n", verb.description);
  if (verb.words != nullptr) text += "\n" + verb.words();
  append_options(verb, "Options", verb.options, &text);
  if (verb.reads_fields) append_options(verb, "Field options", field_options(), &text);
  if (verb.is_job()) append_options(verb, "Common options", common_options(), &text);
  append_options(verb, "Help", help_options(), &text);
  text += fmt::format("\nExamples:\n{}\nSee mrc-{}(1).\n", verb.examples, verb.name);
  return text;
}

std::string help_of_engine() {
  std::string text = "What experiments change; mrc help mrc-engine explains it.\n\nContainers:\n";
  auto out = std::back_inserter(text);
  for (const ContainerType *type : all_containers()) {
    fmt::format_to(out, "  {:<28}{}\n", type->name, type->help);
  }
  text += "\nSwitches, the default first:\n";
  for (const Switch &row : all_switches()) {
    fmt::format_to(out, "  {:<28}{}\n", fmt::format("{}={}", row.name, row.values), row.help);
  }
  return text;
}

Status unknown_verb(const std::string &name, const char *kind, std::vector<std::string> others) {
  const std::string start = fmt::format("no {} \"{}\"", kind, name);
  const std::string end =
      others.empty() ? "mrc help lists the verbs" : "mrc help lists verbs and pages";
  if (const std::string advice = advice_on_verb(name); !advice.empty()) {
    return Status::error(fmt::format("{}; {}; mrc help habits has more", start, advice));
  }
  if (others.empty() && is_file(name)) {
    return Status::error(
        fmt::format("{}, but a file; the verb comes first, and mrc {} alone says what the file is",
                    start, name));
  }
  std::vector<std::string> names = std::move(others), places;
  for (const Verb *verb : all_verbs()) names.push_back(verb->name);
  if (Result<PluginPath> path = plugin_path({}); path.is_ok()) {
    for (const PluginFile &file : list_plugins(*path)) names.push_back(file.name);
    places = std::move(path->places);
  }
  const std::string meant = did_you_mean(name, names);
  if (!meant.empty() || name.find('/') != name.npos || places.empty()) {
    return Status::error(fmt::format("{}{}; {}", start, meant, end));
  }
  return Status::error(
      fmt::format("{}, and no plugin of this name in {}; {}", start, fmt::join(places, ", "), end));
}

}  // namespace mrc
