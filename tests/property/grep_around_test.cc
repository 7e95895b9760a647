// Lines around matches against a naive reference, with any threads, splits and memory, from files,
// compressed files, worker processes and a state.
#include "support/compress.h"
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <vector>

namespace mrc {
namespace {

using std::string;
using std::vector;

struct Asked {
  i64 before, after, most;
  bool invert;

  string options() const {
    string text = " -n -H -B " + std::to_string(before) + " -A " + std::to_string(after);
    if (most >= 0) text += " -m " + std::to_string(most);
    return text + (invert ? " -v" : "");
  }
};

// Returns the sign after the number of each line that is printed, and 0 for the others.
vector<char> signs_of(const vector<string> &lines, const Asked &asked) {
  vector<char> signs(lines.size(), 0);
  i64 selected = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if ((lines[i].find('m') == string::npos) != asked.invert || selected == asked.most) continue;
    ++selected;
    const auto at = static_cast<i64>(i), last = static_cast<i64>(lines.size()) - 1;
    for (i64 k = std::max<i64>(0, at - asked.before); k <= std::min(last, at + asked.after); ++k) {
      char &sign = signs[static_cast<size_t>(k)];
      if (sign == 0) sign = '-';
    }
    signs[i] = ':';
  }
  return signs;
}

string naive(const vector<std::pair<string, vector<string>>> &inputs, const Asked &asked) {
  string out;
  for (const auto &[name, lines] : inputs) {
    const vector<char> signs = signs_of(lines, asked);
    for (size_t i = 0; i < lines.size(); ++i) {
      if (signs[i] == 0) continue;
      if (!out.empty() && (i == 0 || signs[i - 1] == 0)) out += "--\n";
      out += name + signs[i] + std::to_string(i + 1) + signs[i] + lines[i] + "\n";
    }
  }
  return out;
}

string joined(const vector<string> &lines, Random *random) {
  string text;
  for (const string &line : lines) text += line + "\n";
  if (!text.empty() && (*random)() % 3 == 0 && !lines.back().empty()) text.pop_back();
  return text;
}

TEST(GrepAround, PrintsWhatANaiveReferenceDoes) {
  TemporaryFolder folder;
  for (u64 seed = first_seed(); seed < first_seed() + 120 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto few = [&](i64 most) { return static_cast<i64>(random() % static_cast<u64>(most)); };
    const Asked asked{few(5), few(5), random() % 3 == 0 ? few(6) : -1, random() % 4 == 0};
    const bool packs = random() % 4 == 0;
    vector<std::pair<string, vector<string>>> inputs;
    string names;
    for (i64 files = 1 + few(3); files > 0; --files) {
      vector<string> lines;
      for (i64 count = few(60); count > 0; --count) {
        lines.push_back(one_of<string>(random, {"a", "", "b b", "c", "a", "xm", "d"}));
      }
      inputs.emplace_back(std::to_string(files) + (packs ? ".gz" : ".txt"), lines);
      const string text = joined(lines, &random);
      folder.write(inputs.back().first, packs ? gzipped(text) : text);
      names += " " + inputs.back().first;
    }
    const string expected = naive(inputs, asked);
    const string in = "cd " + folder.path(".") + "; ", state = "state" + std::to_string(seed);
    vector<string> ways = {"-j1", "-j4 --split 7", "-j2 --split 64 --memory 4K", "--isolate"};
    if (asked.most < 0 && !packs) {
      ways.push_back("--state-last-line count --state " + state);
      ways.push_back("--state-last-line count --state " + state);
    }
    for (const string &way : ways) {
      const int status =
          run_shell(in + "$MRC grep " + way + asked.options() + " m" + names + " >out 2>err");
      EXPECT_EQ(status, (expected.empty() ? 1 : 0) << 8) << folder.read("err");
      EXPECT_EQ(folder.read("out"), expected) << way << asked.options() << names;
    }
  }
}

}  // namespace
}  // namespace mrc
