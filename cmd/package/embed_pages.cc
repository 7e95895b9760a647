// embed_pages OUT PAGE...: writes OUT for cmd/help.cc. It contains the text of man pages, as
// mandoc(1) formats them, in one compressed array, and a table of the pages.
#include <stdio.h>
#include <zstd.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace {

[[noreturn]] void give_up(const std::string &why) {
  fprintf(stderr, "embed_pages: %s\n", why.c_str());
  std::exit(1);
}

std::string format(const std::string &path) {
  FILE *pipe = popen(("mandoc -T utf8 -O width=78 '" + path + "'").c_str(), "r");
  if (pipe == nullptr) give_up("cannot run mandoc");
  std::string text;
  for (int c = getc(pipe); c != EOF; c = getc(pipe)) text += static_cast<char>(c);
  if (pclose(pipe) != 0 || text.empty()) give_up(path + ": mandoc failed");
  return text;
}

// Returns the summary of a page, which follows .Nd in NAME.
std::string summary_of(const std::string &path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(".Nd ")) return line.substr(4);
  }
  give_up(path + ": no .Nd");
}

std::string compress(const std::string &text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const size_t size =
      ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), ZSTD_maxCLevel());
  if (ZSTD_isError(size) != 0) give_up("zstd failed");
  packed.resize(size);
  return packed;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3) give_up("usage: embed_pages OUT PAGE...");
  std::string text, table;
  for (int i = 2; i < argc; ++i) {
    const std::string path = argv[i], file = path.substr(path.rfind('/') + 1);
    const size_t dot = file.rfind('.');
    const std::string page = format(path);
    table += "    {\"" + file.substr(0, dot) + "\", \"" + file.substr(dot + 1) + "\", R\"(" +
             summary_of(path) + ")\", " + std::to_string(text.size()) + ", " +
             std::to_string(page.size()) + "},\n";
    text += page;
  }
  std::ofstream out(argv[1]);
  out << "constexpr Page kPages[] = {\n" << table << "};\n";
  out << "constexpr size_t kTextSize = " << text.size() << ";\n";
  out << "constexpr unsigned char kPackedText[] = {";
  size_t column = 0;
  for (const char c : compress(text)) {
    out << (column++ % 24 == 0 ? "\n" : "") << int{static_cast<unsigned char>(c)} << ',';
  }
  out << "};\n";
  if (!out.flush()) give_up(std::string(argv[1]) + ": cannot write");
}
