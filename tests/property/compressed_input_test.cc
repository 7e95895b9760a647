// Compressed input against the same input as it is: the same bytes for every verb, way of
// compression and number of threads.
#include "support/compress.h"
#include "support/process.h"
#include "support/seed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <sstream>

namespace mrc {
namespace {

using std::string;
using Random = std::mt19937_64;

#ifdef MRC_SANITIZED
constexpr u64 kRounds = 6;
#else
constexpr u64 kRounds = 16;
#endif

u64 pick(Random &random, u64 least, u64 most) {
  return std::uniform_int_distribution<u64>(least, most)(random);
}

// Lines of many lengths, some longer than any block; few of them repeat, or most.
string random_lines(Random &random, u64 bytes) {
  const u64 distinct = pick(random, 1, 3000), longest = pick(random, 1, 200);
  const bool has_monsters = pick(random, 0, 5) == 0;
  string text;
  while (text.size() < bytes) {
    Random line(pick(random, 0, distinct));
    text += std::to_string(line() % 1000) + " ";
    text.append(pick(line, 0, longest), static_cast<char>('a' + pick(line, 0, 25)));
    if (has_monsters && pick(random, 0, 999) == 0) text.append(700000, 'm');
    text += pick(random, 0, 19) == 0 ? "\r\n" : "\n";
  }
  if (pick(random, 0, 1) == 0 && !text.empty()) text.pop_back();
  return text;
}

// The same lines in order, but for one perhaps.
string sorted_lines(Random &random, const string &text) {
  std::vector<string> lines;
  std::istringstream in(text);
  for (string line; std::getline(in, line);) lines.push_back(line);
  std::ranges::sort(lines);
  if (!lines.empty() && pick(random, 0, 1) == 0) {
    std::swap(lines.front(), lines[pick(random, 0, lines.size() - 1)]);
  }
  string all;
  for (const string &line : lines) all += line + "\n";
  return all;
}

string in_two(const string &text, u64 at, const std::function<string(Bytes)> &pack) {
  return pack(Bytes(text).substr(0, at)) + pack(Bytes(text).substr(at));
}

string packed(Random &random, const string &text) {
  const u64 at = pick(random, 0, text.size());
  const u64 block = pick(random, 50, 65280);
  switch (pick(random, 0, 9)) {
    case 0: return gzipped(text);
    case 1: return filtered("gzip -c", text);
    case 2: return in_two(text, at, gzipped) + string(pick(random, 0, 600), '\0');
    case 3: return bgzipped(text, block);
    case 4: return in_two(text, at, [&](Bytes part) { return bgzipped(part, block); });
    case 5: return bgzipped(text.substr(0, at), block) + gzipped(text.substr(at));
    case 6: return in_two(text, at, [](Bytes part) { return zstandard(part); });
    case 7: return filtered("xz -0 -c", text);
    case 8: return filtered("bzip2 -1 -c", text);
    default: return filtered("lz4 -qc", text);
  }
}

TEST(CompressedInput, AnswersAsWhatItDecompressesTo) {
  const std::vector<string> verbs = {"count",
                                     "wordcount -i",
                                     "distinct --stable",
                                     "index --positions byte --top 40",
                                     "index --positions line --top 40",
                                     "sort",
                                     "sort -c",
                                     "sort --record 7 -q"};
  for (u64 seed = first_seed(); seed < first_seed() + kRounds; ++seed) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    Random random(seed);
    const TemporaryFolder plain, compressed;
    const string &first_verb = verbs[seed % verbs.size()];
    string names;
    for (u64 file = pick(random, 1, 4); file > 0; --file) {
      string text = random_lines(random, pick(random, 0, pick(random, 0, 2) == 0 ? 3000000 : 3000));
      if (first_verb == "sort -c") text = sorted_lines(random, text);
      const string name = "in" + std::to_string(file);
      plain.write(name, text);
      compressed.write(name, pick(random, 0, 5) == 0 ? text : packed(random, text));
      names += " " + name;
    }
    const bool piped = pick(random, 0, 3) == 0;
    for (const string &verb : {first_verb, verbs[pick(random, 0, 7)]}) {
      const string command = (piped ? "cat in1 | $MRC " : "$MRC ") + verb + " -j";
      const string rest = (piped ? "" : names) + " >out 2>err";
      const int expected = run_shell("cd " + plain.path("") + " && " + command + "1" + rest);
      for (const char *threads : {"1", "2", "5"}) {
        const string line = "cd " + compressed.path("") + " && " + command + threads + rest;
        EXPECT_EQ(run_shell(line), expected) << line << "\n" << compressed.read("err");
        EXPECT_TRUE(compressed.read("out") == plain.read("out")) << line;
        if (verb == "sort -c") {
          EXPECT_EQ(compressed.read("err"), plain.read("err"));
        }
      }
    }
  }
}

// Files, streams and standard input are read side by side, and printed in their order.
TEST(CompressedInput, IsPrintedInTheOrderOfTheInputs) {
  const std::vector<string> commands = {"grep --no-filename ''",
                                        "grep -n 7",
                                        "grep -n -m 40 7",
                                        "grep --top 5000 -H 1",
                                        "grep -c 7",
                                        "select --from fields",
                                        "select -k 2,1 --top 900",
                                        "select --where '$1 =~ \"7\"'"};
  for (u64 seed = first_seed(); seed < first_seed() + 2 * kRounds; ++seed) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    Random random(seed);
    const TemporaryFolder plain, compressed;
    string names;
    const u64 files = pick(random, 1, 30), most = 2000000 / files;
    for (u64 file = 0; file < files; ++file) {
      const string text =
          random_lines(random, pick(random, 0, 2) == 0 ? most : pick(random, 0, 50));
      const string name = "in" + std::to_string(file);
      plain.write(name, text);
      compressed.write(name, pick(random, 0, 2) == 0 ? text : packed(random, text));
      names += " " + name;
    }
    const string input = "in" + std::to_string(pick(random, 0, files - 1));
    const string rest = names + (pick(random, 0, 2) == 0 ? " - in0" : "") + " >out 2>err";
    const string command = "cat " + input + " | $MRC " + commands[seed % commands.size()] + " -j";
    const int expected = run_shell("cd " + plain.path("") + " && " + command + "1" + rest);
    for (const char *settings : {"1", "2", "5", "2 -S 16M", "5 -S 16M --split 1000"}) {
      const string line = "cd " + compressed.path("") + " && " + command + settings + rest;
      EXPECT_EQ(run_shell(line), expected) << line << "\n" << compressed.read("err");
      EXPECT_TRUE(compressed.read("out") == plain.read("out")) << line;
    }
  }
}

}  // namespace
}  // namespace mrc
