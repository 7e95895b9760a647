// An entry is an item of a list or table in one of the sections below. Its head begins at the
// indentation of the page's text, in bold letters, and what follows the head is deeper:
//
//      lag(x, n)    x of the record n before, or, without n, of the one before
#include "cmd/help_entries.h"

#include "base/text.h"
#include "cmd/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace mrc {
namespace {

constexpr size_t kEntryIndent = 5, kPartIndent = 3;  // of the text and of the titles of subsections

constexpr const char *kAggregate = "an aggregate", *kBucket = "a bucket", *kKind = "a kind",
                     *kFormat = "a format";

// The sections that have entries, in the order in which these are printed. An empty part: all.
constexpr struct EntryPlace {
  const char *what, *page, *section, *part;
} kPlaces[] = {
    {kAggregate, "aggregates", "FUNCTIONS", ""},
    {"a function", "expressions", "FUNCTIONS", ""},
    {kBucket, "expressions", "BUCKETS", ""},
    {kKind, "expressions", "KINDS", "By hand"},
    {"a constant", "expressions", "CONSTANTS", ""},
    {kFormat, "formats", "FORMATS", ""},
    {kFormat, "formats", "NAMED FORMATS", ""},
    {kFormat, "formats", "PATTERNS", "Formats of web servers"},
    {"fields of a format", "formats", "FIELDS OF FORMATS", ""},
    {"an output format", "mrc", "OUTPUT", ""},
};

struct Line {
  std::string text;
  bool is_bold;  // at its first letter

  size_t indent() const { return std::min(text.find_first_not_of(' '), text.size()); }
  bool is_blank() const { return indent() == text.size(); }
};

std::vector<Line> lines_of(const Page &page) {
  const std::string struck = struck_text(page), plain = without_strikes(struck);
  std::vector<Line> lines;
  for (size_t at = 0, in = 0; at < plain.size();) {
    const size_t end = plain.find('\n', at), bold_end = struck.find('\n', in);
    Line line{plain.substr(at, end - at), false};
    const size_t letter = in + line.indent() + 1;
    line.is_bold = letter < bold_end && struck[letter] == '\b';
    lines.push_back(std::move(line));
    at = end + 1;
    in = bold_end + 1;
  }
  return lines;
}

bool is_of_name(char c) {
  constexpr std::string_view kOthers = "_~/.-";
  return is_letter(c) || is_digit(c) || kOthers.find(c) != kOthers.npos;
}

// Reads the names of a head, such as "round(x, places), floor(x, places)", and returns its size.
// Returns 0 if it is no head, after which the line ends or has two blanks.
size_t read_head(std::string_view line, std::vector<std::string> *names) {
  size_t at = 0;
  for (;;) {
    const size_t begin = at;
    while (at < line.size() && is_of_name(line[at])) ++at;
    if (at == begin) return 0;
    names->emplace_back(line.substr(begin, at - begin));
    if (at < line.size() && line[at] == '(') at = line.find(')', at) + 1;
    if (at < line.size() && line[at] == ':')
      at = std::min(line.find_first_of(" ,", at), line.size());
    if (!line.substr(at).starts_with(", ")) break;
    at += 2;
  }
  return at == line.size() || line.substr(at).starts_with("  ") ? at : 0;
}

// Takes the entry that begins at a line, if one does, and moves past it.
bool take_entry(const std::vector<Line> &lines, size_t *at, Entry *entry) {
  const Line &first = lines[*at];
  if (!first.is_bold || first.indent() != kEntryIndent) return false;
  const std::string_view head = std::string_view(first.text).substr(kEntryIndent);
  const size_t size = read_head(head, &entry->names);
  const bool is_title = head[0] >= 'A' && head[0] <= 'Z';
  if (size == 0 || is_title) return false;
  const size_t beside = first.text.find_first_not_of(' ', kEntryIndent + size);
  const size_t next = *at + 1 < lines.size() ? lines[*at + 1].indent() : 0;
  const size_t body = beside == std::string::npos ? next : beside;
  if (body <= kEntryIndent) return false;
  size_t end = ++*at;
  for (; *at < lines.size() && (lines[*at].is_blank() || lines[*at].indent() >= body); ++*at) {
    if (!lines[*at].is_blank()) end = *at + 1;
  }
  entry->text = std::string(head) + '\n';
  for (size_t i = static_cast<size_t>(&first - lines.data()) + 1; i < end; ++i) {
    const std::string &text = lines[i].text;
    entry->text += (lines[i].is_blank() ? "" : text.substr(kEntryIndent)) + '\n';
  }
  return true;
}

void add_entries(const EntryPlace &place, const Page &page, const std::vector<Line> &lines,
                 std::vector<Entry> *entries) {
  const std::string where = fmt::format("{} of {}({})", place.section, page.name, page.section);
  bool is_section = false, is_part = false;
  for (size_t at = 0; at < lines.size();) {
    const Line &line = lines[at];
    if (!line.is_blank() && line.indent() == 0) {
      is_section = line.text == place.section;
      is_part = *place.part == '\0';
    } else if (!line.is_blank() && line.indent() == kPartIndent && *place.part != '\0') {
      is_part = line.text.substr(kPartIndent) == place.part;
    }
    Entry entry{place.what, where, {}, ""};
    if (is_section && is_part && take_entry(lines, &at, &entry)) {
      entries->push_back(std::move(entry));
    } else {
      ++at;
    }
  }
}

// Replaces numbers by N, and letters for powers of 1000 after a number by k.
std::string with_n(std::string_view name) {
  std::string pattern;
  for (size_t at = 0; at < name.size();) {
    const size_t begin = at;
    while (at < name.size() && (is_digit(name[at]) || (at > begin && name[at] == '.'))) ++at;
    if (at > begin) pattern += 'N';
    const bool is_unit =
        at > begin && at < name.size() && std::string_view("kKMGT").find(name[at]) != name.npos;
    if (at < name.size()) pattern += is_unit ? 'k' : name[at];
    ++at;
  }
  return pattern;
}

bool has_name(const Entry &entry, const std::string &name) {
  const bool is_range = is_digit(name[0]) || name[0] == '/' || name.starts_with("hash/");
  return std::ranges::any_of(entry.names, [&](const std::string &own) {
    if (own == name) return true;
    if (entry.what == kAggregate) return own == with_n(name) || own == name + 'N';
    return entry.what == kBucket && is_range && with_n(own) == with_n(name);
  });
}

// True if the entry is about a part of the name: AGGREGATE:FIELD, FIELD:BUCKET or FORMAT:TEXT.
bool has_part(const Entry &entry, const std::string &name) {
  const std::string first = name.substr(0, name.find(':'));
  const std::string last = name.substr(name.rfind(':') + 1);
  const bool may_begin = entry.what == kAggregate || entry.what == kFormat;
  const bool may_end = entry.what == kBucket || entry.what == kKind;
  return (may_begin && !first.empty() && has_name(entry, first)) ||
         (may_end && !last.empty() && has_name(entry, last));
}

std::string indented(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at) + 1;
    if (text[at] != '\n') out += "  ";
    out += text.substr(at, end - at);
    at = end;
  }
  return out;
}

}  // namespace

std::vector<Entry> all_entries() {
  std::vector<Entry> entries;
  const Page *page = nullptr;
  std::vector<Line> lines;
  for (const EntryPlace &place : kPlaces) {
    const Page *const next = find_page(place.page);
    if (next != page) lines = lines_of(*next);
    page = next;
    add_entries(place, *page, lines, &entries);
  }
  return entries;
}

std::vector<std::string> names_of_entries() {
  std::set<std::string> names;
  const auto is_plain = [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; };
  for (const Entry &entry : all_entries()) {
    for (const std::string &name : entry.names) {
      if (is_letter(name[0]) && std::ranges::all_of(name, is_plain)) names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

std::string help_of_name(const std::string &name) {
  const std::string word = name.substr(0, name.find('('));
  if (word.empty()) return "";
  const bool has_colon = word.find(':') != word.npos;
  static const std::vector<Entry> entries = all_entries();
  std::string text;
  for (const Entry &entry : entries) {
    if (has_colon ? !has_part(entry, word) : !has_name(entry, word)) continue;
    if (!text.empty()) text += '\n';
    text += fmt::format("{}: {}, in {}\n\n{}", name, entry.what, entry.place, indented(entry.text));
  }
  return text;
}

}  // namespace mrc
