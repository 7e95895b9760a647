// embed_formats OUT FILE...: writes OUT for src/fields/named_formats.cc: the rows of named formats
// that the files describe (fields/format_text.h).
#include "fields/format_text.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace {

using mrc::WrittenFormat;

[[noreturn]] void give_up(const std::string &why) {
  std::fprintf(stderr, "embed_formats: %s\n", why.c_str());
  std::exit(1);
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

std::string row_of(const WrittenFormat &format) {
  std::string rule = format.text("names", format.pattern()), lines = format.text("lines");
  if (lines.empty() || lines == "joined") lines = "records";
  return "    {" + raw(format.text("format")) + ", " + raw(format.text("title")) + ", &" +
         kind_of(format.text("reader", "pattern")) + ",\n     " + raw(rule) + ",\n     \"" +
         format.text("mark") + "\", NamedFormat::Lines::" + lines + ", " +
         raw(format.text("kinds")) + ", " + raw(format.text("sign")) + "},\n";
}

std::string rows_of(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) give_up(path + ": cannot be read");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const mrc::WrittenFormats formats = mrc::read_formats(text, path);
  if (!formats.error.empty()) give_up(formats.error);
  std::string rows;
  for (const WrittenFormat &format : formats.all) {
    if (format.text("title").empty()) give_up(format.place + ": it has no title");
    rows += row_of(format);
  }
  return rows;
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
