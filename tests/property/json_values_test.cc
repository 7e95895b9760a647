// JSON whose records do not lie in lines: the answers are those for the same objects, one in each
// line, with any threads and splits, from files, pipes, compressed files and units.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kRounds = 4;
#else
constexpr int kRounds = 20;
#endif

// Tokens of an object. Blanks may stand between them.
vector<string> object_of(Random &random, i64 number) {
  static const vector<string> kStrings = {"\"\"",      "\"}\"",        "\"[{\"", R"("\"},{\"")",
                                          R"("\\\\")", R"("\\\"}\\")", "\",\"",  "\"plain\""};
  vector<string> tokens = {"{", "\"n\"", ":", std::to_string(number),
                           ",", "\"s\"", ":", one_of(random, kStrings)};
  if (one_in(random, 2)) {
    const vector<string> inner = {
        ",", "\"a\"", ":", "{", "\"b\"", ":", "[", "{",
        "}", ",",     "7", ",", "[",     "]", ",", one_of(random, kStrings),
        "]", "}"};
    tokens.insert(tokens.end(), inner.begin(), inner.end());
  }
  if (one_in(random, 50)) {
    tokens.insert(tokens.end(),
                  {",", "\"long\"", ":",
                   "\"" + string(static_cast<size_t>(pick(random, 1, 9000)), '{') + "\""});
  }
  tokens.emplace_back("}");
  return tokens;
}

string joined(Random &random, const vector<string> &tokens, const vector<string> &blanks) {
  string text;
  for (const string &token : tokens) text += token + one_of(random, blanks);
  return text;
}

struct Texts {
  string lines, array, values;
};

// The same objects in three ways. Values share a line, or the first one has several: it decides how
// all are read.
Texts texts_of(Random &random) {
  const vector<string> none = {""}, some = {"", " ", "\n", "\r\n  ", "\t"};
  const bool dense = one_in(random, 3);
  Texts texts;
  texts.array = one_in(random, 2) ? "\xEF\xBB\xBF [" : "[";
  for (i64 i = 0, all = pick(random, 1, 400); i < all; ++i) {
    vector<string> tokens = object_of(random, i);
    texts.lines += joined(random, tokens, none) + "\n";
    if (i == 0 && !dense) tokens.front() += '\n';
    const string shaped = joined(random, tokens, dense ? none : some);
    texts.array += (i > 0 ? "," : "") + string(dense ? "" : "\n") + shaped;
    texts.values += (dense || i > 0 ? "" : "\n") + shaped + (dense && i < all - 1 ? "" : "\n");
  }
  texts.array += one_in(random, 2) ? "]\n" : " \n ]";
  return texts;
}

class JsonValuesOf : public testing::Test {
 protected:
  string answer(const string &command) {
    run_shell(fmt::format("cd {} && {} >out", folder_.path("."), command));
    return folder_.read("out");
  }
  TemporaryFolder folder_;
};

TEST_F(JsonValuesOf, AreThoseOfLines) {
  Random random(first_seed());
  for (i64 round = 0; round < kRounds * rounds(); ++round) {
    const Texts texts = texts_of(random);
    folder_.write("lines", texts.lines);
    folder_.write("array", texts.array);
    folder_.write("values", texts.values);
    for (const char *job : {"count -f json -k s", "select -f json -k n,s,a.b.1",
                            "stats -f json -a 'count,sum:n,last:s'"}) {
      const string expected = answer(fmt::format("$MRC {} lines", job));
      for (const char *name : {"array", "values"}) {
        const string how = fmt::format("-j{} --split {} --io {}", pick(random, 1, 4),
                                       pick(random, 1, 3000), one_in(random, 2) ? "mmap" : "read");
        const string gz = fmt::format("gzip -kf {0} && $MRC {1} {2} {0}.gz", name, job, how);
        for (const string &command : {fmt::format("$MRC {} {} {}", job, how, name),
                                      fmt::format("cat {} | $MRC {} {}", name, job, how), gz}) {
          EXPECT_EQ(answer(command), expected) << command << " in round " << round;
        }
        if (HasFailure()) return;
      }
    }
  }
}

TEST_F(JsonValuesOf, AreThoseOfLinesInUnits) {
  Random random(first_seed());
  for (i64 round = 0; round < kRounds * rounds() / 4 + 1; ++round) {
    const Texts texts = texts_of(random);
    folder_.write("lines", texts.lines);
    folder_.write("array", texts.array);
    folder_.write("values", texts.values);
    const string job = "stats -f json -k s -a 'count,sum:n'";
    const string expected = answer(fmt::format("$MRC {} lines", job));
    for (const char *name : {"array", "values"}) {
      const string units = fmt::format(
          "$MRC units --list --size {} {} {} >list && sed -n 's/^unit //p' list | "
          "xargs -n 1 $MRC units --job list --unit | $MRC merge",
          pick(random, 200, 20000), job, name);
      EXPECT_EQ(answer(units), expected) << units << " in round " << round;
    }
  }
}

}  // namespace
}  // namespace mrc
