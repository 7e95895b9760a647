// The table of mrc-sort(1), line by line: both commands print the same bytes and end
// with the same status, on inputs that are made to be awkward.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <random>
#include <regex>
#include <vector>

namespace mrc {
namespace {

using std::string;

struct Pair {
  string ours, theirs;
};

// Lines such as ".It Li mrc sort -k 2 Ta Li sort -b -k 2,2".
std::vector<Pair> table_of_the_page() {
  std::ifstream page(MRC_SOURCE_DIR "/man/mrc-sort.1");
  const std::regex row("\\.It Li mrc (sort.*) Ta Li (sort.*)");
  std::vector<Pair> table;
  std::smatch found;
  for (string line; std::getline(page, line);) {
    if (std::regex_match(line, found, row)) table.push_back({found[1], found[2]});
  }
  return table;
}

using Random = std::mt19937_64;

string random_lines(Random *random, const std::vector<string> &pieces, int lines, size_t longest) {
  string text;
  for (int i = 0; i < lines; ++i) {
    for (size_t n = (*random)() % longest; n > 0; --n) {
      text += pieces[(*random)() % pieces.size()];
    }
    text += '\n';
  }
  return text;
}

struct Input {
  string name, text;
  string split;  // small beside the text
};

// Short lines of few pieces, so that keys and lines are often equal; long ones; and
// everything at once, in more bytes than fit in a megabyte.
std::vector<Input> awkward_inputs() {
  Random random(20240229);
  const std::vector<string> words = {"a", "A",  "b",  "B",  "Z", "_", ",",    ",",    " ",   " ",
                                     " ", "\t", "\v", "\r", "z", "~", "\xFF", "\x01", "\f ", "é"};
  const std::vector<string> numbers = {"0", "-",   "1",   ".5",  "-0",    "7",   "007", "1.50",
                                       " ", ",",   "-12", "x",   " ",     ",",   "+1",  "1e3",
                                       "9", "1.5", "-.5", "0x1", "1,000", "--1", ".",   "\t"};
  std::vector<string> all = words;
  all.insert(all.end(), numbers.begin(), numbers.end());
  all.push_back(string(1, '\0'));
  all.push_back("123456789012345678901234567890.000000000000000000000000001");
  all.push_back("\r\n");
  const string long_line(100000, 'x');
  string large = random_lines(&random, all, 60000, 16);
  large += long_line + " 1\n" + long_line + " 0\n" + long_line + ",b\n";
  large += random_lines(&random, numbers, 30000, 6);
  return {{"empty", "", "7"},
          {"one newline", "\n", "7"},
          {"no last newline", "b 2,y\n\na 1,x\nb 2,y\nc", "7"},
          {"in order", "\na\na 1\na 2\nb\n", "7"},
          {"words", random_lines(&random, words, 200, 7), "7"},
          {"numbers", random_lines(&random, numbers, 200, 6), "7"},
          {"all kinds", random_lines(&random, all, 300, 9), "7"},
          {"large", large, "777"}};
}

// What -c says of a line, without its text, which mrc shows in its own way.
string until_the_line(const string &message) {
  const string text = message.starts_with("mrc: ") ? message.substr(5) : message;
  return text.substr(0, text.find(": disorder: "));
}

class AgainstSort : public testing::TestWithParam<Pair> {};

TEST_P(AgainstSort, PrintsTheSameBytes) {
  const auto [ours, theirs] = GetParam();
  const bool nul_terminated = std::regex_search(ours, std::regex(" -[a-z]*z"));
  TemporaryFolder folder;
  for (auto [name, text, split] : awkward_inputs()) {
    if (nul_terminated) {
      for (char &c : text) c = c == '\n' ? '\0' : c == '\0' ? '\n' : c;
    }
    const string in = folder.write("in", text);
    const string to = " " + in + " >" + folder.path("out") + " 2>" + folder.path("err");
    const int expected_status = run_shell("LC_ALL=C " + theirs + to);
    const string expected = folder.read("out");
    const string message = until_the_line(folder.read("err"));
    const string small = name == "large" ? "1M" : "4K";
    for (const string &knobs :
         {string("-j1"), "-j8 --split " + split, "-j2 --split 9999 --memory " + small}) {
      SCOPED_TRACE("mrc " + ours + " " + knobs + " on " + name);
      EXPECT_EQ(run_shell("\"$MRC\" " + ours + " " + knobs + to), expected_status);
      EXPECT_TRUE(folder.read("out") == expected);
      EXPECT_EQ(until_the_line(folder.read("err")), message);
    }
  }
}

string row_name(const testing::TestParamInfo<Pair> &info) {
  string name;
  for (char c : info.param.ours) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? string(1, c) : c == ' ' ? "_" : "";
  }
  return name + "_" + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(Table, AgainstSort, testing::ValuesIn(table_of_the_page()), row_name);

TEST(AgainstSort, HasATable) { EXPECT_GT(table_of_the_page().size(), 30u); }

}  // namespace
}  // namespace mrc
