// embed_formats OUT FILE...: writes OUT for src/fields/named_formats.cc: the rows of named formats
// that the files describe.
//
//   # a comment
//   let NAME TEXT      ${NAME} stands for the text in the rest of the file
//   format NAME        a format begins; the words below belong to it
//   title TEXT         what it is, for users
//   reader NAME        how it is read, a NamedKind: "json-log" is kJsonLogKind; without it: pattern
//   lines NAME         joined: a line that does not fit goes on with the record before; or a value
//                      of NamedFormat::Lines, of which blocks are joined, too; without it: records
//   mark TEXT          NamedFormat::mark, with the escapes of C
//   pattern TEXT       a pattern of its lines; the first one that fits counts
//   names TEXT         NamedFormat::rule of another reader
//   kinds TEXT         NamedFormat::kinds
//     +TEXT            continues the text of the line before
//
// Texts of several lines `names` or `kinds` have a blank between them.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace {

struct Entry {
  std::string word, text;
  std::string place;  // FILE:LINE, for messages
};

[[noreturn]] void give_up(const std::string &why) {
  std::fprintf(stderr, "embed_formats: %s\n", why.c_str());
  std::exit(1);
}

std::vector<Entry> read_entries(const std::string &path) {
  std::ifstream file(path);
  if (!file) give_up(path + ": cannot be read");
  std::vector<Entry> entries;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    const std::string place = path + ":" + std::to_string(++number);
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("  +")) {
      if (entries.empty()) give_up(place + ": continues nothing");
      entries.back().text += line.substr(3);
      continue;
    }
    const size_t blank = line.find(' ');
    if (blank == std::string::npos) give_up(place + ": is not WORD TEXT");
    entries.push_back({line.substr(0, blank), line.substr(blank + 1), place});
  }
  return entries;
}

// Replaces ${NAME}.
std::string expand(const Entry &entry, const std::map<std::string, std::string> &lets) {
  std::string text = entry.text;
  for (size_t at; (at = text.find("${")) != std::string::npos;) {
    const size_t end = text.find('}', at);
    const auto let = lets.find(text.substr(at + 2, end - at - 2));
    if (let == lets.end()) give_up(entry.place + ": no let before it has this name");
    text.replace(at, end + 1 - at, let->second);
  }
  return text;
}

// Returns kJsonLogKind for "json-log".
std::string kind_of(const std::string &reader) {
  std::string name = "k";
  bool is_first = true;
  for (const char c : reader) {
    if (c != '-') name += is_first ? static_cast<char>(c - 'a' + 'A') : c;
    is_first = c == '-';
  }
  return name + "Kind";
}

std::string raw(const std::string &text) { return "R\"p(" + text + ")p\""; }

// A format, by its words; texts of equal words are joined.
using Format = std::map<std::string, std::string>;

std::string row_of(const Format &format) {
  const auto text = [&](const std::string &word, const std::string &otherwise = "") {
    const auto found = format.find(word);
    return found == format.end() ? otherwise : found->second;
  };
  std::string rule = text("pattern", text("names")), lines = text("lines", "records");
  if (lines == "joined" || lines == "blocks") rule = "%+" + rule;
  if (lines == "joined") lines = "records";
  return "    {" + raw(text("format")) + ", " + raw(text("title")) + ", &" +
         kind_of(text("reader", "pattern")) + ",\n     " + raw(rule) + ",\n     \"" + text("mark") +
         "\", NamedFormat::Lines::" + lines + ", " + raw(text("kinds")) + "},\n";
}

void add(const Entry &entry, const std::string &text, Format *format) {
  static const std::map<std::string, std::string> kBetween = {
      {"title", ""},     {"reader", ""}, {"lines", ""}, {"mark", ""},
      {"pattern", "%|"}, {"names", " "}, {"kinds", " "}};
  const auto between = kBetween.find(entry.word);
  if (between == kBetween.end()) give_up(entry.place + ": unknown word " + entry.word);
  if (format->empty()) give_up(entry.place + ": no format begins before it");
  const auto [at, is_new] = format->emplace(entry.word, text);
  if (is_new) return;
  if (between->second.empty()) give_up(entry.place + ": a second " + entry.word);
  at->second += between->second + text;
}

std::string rows_of(const std::string &path) {
  std::map<std::string, std::string> lets;
  std::string rows;
  Format format;
  for (const Entry &entry : read_entries(path)) {
    const std::string text = expand(entry, lets);
    if (entry.word == "let") {
      const size_t blank = text.find(' ');
      lets[text.substr(0, blank)] = text.substr(blank + 1);
    } else if (entry.word == "format") {
      if (!format.empty()) rows += row_of(format);
      format = {{"format", text}};
    } else {
      add(entry, text, &format);
    }
  }
  return rows + row_of(format);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3) give_up("usage: embed_formats OUT FILE...");
  std::string rows;
  for (int i = 2; i < argc; ++i) rows += rows_of(argv[i]);
  std::ofstream out(argv[1]);
  out << rows;
  out.close();
  if (!out) give_up(std::string(argv[1]) + ": cannot be written");
}
