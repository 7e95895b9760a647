// mrc select -o with fields in braces, against obvious code: the same files with any threads,
// splits, memory and number of open files, from files, pipes and compressed files.
#include "support/compress.h"
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mrc {
namespace {

using std::string;
using Files = std::map<string, string>;
namespace fs = std::filesystem;

#ifdef MRC_SANITIZED
constexpr int kRounds = 10;
#else
constexpr int kRounds = 60;
#endif

// What is in braces is the first or the second field.
struct Pattern {
  const char *typed;
  const char *before, *between, *after;
  char end;  // ends the first value
  bool has_both = true;
};
constexpr Pattern kPatterns[] = {
    {"{a}", "", "", "", 0, false},       {"{a}-{b}", "", "-", "", '-'},
    {"{a}/{b}.csv", "", "/", ".csv", 0}, {".{b}/..{a}", ".", "/..", "", 0},
    {"_{a}_{b}.", "_", "_", ".", '_'},   {"{a}\xC3\xA9{b}", "", "\xC3\xA9", "", '\xC3'},
};

string escaped(const string &value, char end) {
  if (value.empty()) return "__empty__";
  string out;
  for (size_t i = 0; i < value.size(); ++i) {
    const bool is_whole = value.compare(i, 2, "\xC3\xA9") == 0;
    const bool is_rest = i > 0 && value.compare(i - 1, 2, "\xC3\xA9") == 0;
    const bool is_broken = end == '\xC3' && (is_whole || is_rest);
    const bool is_special = string("\"#%'*/:=?\\{[]^").find(value[i]) != string::npos ||
                            (end != 0 && value[i] == end) || value[i] == '\xFF' || is_broken ||
                            (i == 0 && (value[i] == '.' || value.starts_with("__")));
    if (is_special) {
      out += fmt::format("%{:02X}", static_cast<u8>(value[i]));
    } else {
      out += value[i];
    }
  }
  return out;
}

string path_of(const Pattern &pattern, const string &a, const string &b) {
  const bool turned = string(pattern.typed).starts_with(".{b}");
  string path = pattern.before + escaped(turned ? b : a, pattern.end);
  if (pattern.has_both) path += pattern.between + escaped(turned ? a : b, 0);
  return path + pattern.after;
}

string random_value(Random &random) {
  static const std::vector<string> kParts = {".", "_",    "/",        "%", "-", "x",
                                             "A", "\xFF", "\xC3\xA9", "=", " ", "}"};
  string value;
  for (i64 n = pick(random, 0, 3); n > 0; --n) value += one_of(random, kParts);
  return value;
}

Files files_below(const string &directory) {
  Files files;
  if (!fs::exists(directory)) return files;
  for (const auto &entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_directory()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    files[fs::relative(entry.path(), directory)] = text.str();
  }
  return files;
}

TEST(NamedFilesAgainstNaive, AreTheSame) {
  Random random(first_seed());
  for (int round = 0; round < kRounds; ++round) {
    const TemporaryFolder folder;
    const Pattern &pattern = kPatterns[pick(random, 0, std::ssize(kPatterns) - 1)];
    const bool chooses = one_in(random, 2);
    std::vector<string> values;
    for (i64 n = pick(random, 1, 60); n > 0; --n) values.push_back(random_value(random));
    string text = "a,b,n\n";
    Files expected;
    const i64 records = pick(random, 0, 3000);
    for (i64 i = 0; i < records; ++i) {
      const string a = one_of(random, values), b = one_of(random, values);
      const string record = fmt::format("{},{},{}\n", a, b, i);
      text += record;
      string &file = expected[path_of(pattern, a, b)];
      if (file.empty()) file = chooses ? "n\n" : "a,b,n\n";
      file += chooses ? fmt::format("{}\n", i) : record;
    }
    folder.write("in.csv", text);
    folder.write("in.csv.gz", gzipped(text));
    const string input = one_of<string>(random, {"in.csv", "in.csv.gz", "- <in.csv"});
    const string command = fmt::format(
        "select -f csv -H {} {} -j {} --split {} --memory {} --files {} -o 'to/{}' {}",
        one_in(random, 4) ? "--isolate" : "", chooses ? "-k n --to csv" : "", pick(random, 1, 8),
        pick(random, 7, 5000), one_of<string>(random, {"4K", "1M", "1G"}), pick(random, 1, 5),
        pattern.typed, input);
    SCOPED_TRACE(command);
    ASSERT_EQ(run_shell("cd " + folder.path("") + "; \"$MRC\" " + command + " 2>err"), 0)
        << folder.read("err");
    const Files found = files_below(folder.path("to"));
    ASSERT_EQ(found.size(), expected.size());
    for (const auto &[path, content] : expected) {
      ASSERT_TRUE(found.contains(path)) << path;
      ASSERT_EQ(found.at(path), content) << path;
    }
  }
}

}  // namespace
}  // namespace mrc
