// Inputs that a command prints, against the same inputs as files: random verbs give the same bytes,
// messages and status, with any number of workers, any memory, and through units.
#include "support/compress.h"
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kRounds = 8;
#else
constexpr int kRounds = 60;
#endif

string records(Random &random) {
  string text = "k,v\n";
  for (i64 i = one_in(random, 8) ? 0 : pick(random, 1, 400); i > 0; --i) {
    text += one_in(random, 90) ? "bad\n"
                               : fmt::format("{},{}\n", pick(random, 0, 9),
                                             static_cast<double>(pick(random, -9, 9)) * 0.5);
  }
  if (one_in(random, 30)) text += "\"no end,1\n";
  return text;
}

string packed(Random &random, const string &text) {
  switch (pick(random, 0, 5)) {
    case 0: return gzipped(text);
    case 1: return zstandard(text);
    case 2: return bgzipped(text, 700);
    default: return text;
  }
}

class InputCommands : public testing::Test {
 protected:
  // At most so many, with names that a shell would take apart.
  vector<string> write_inputs(i64 least, i64 most) {
    static const vector<string> kNames = {"{} '$x", "a b", "c\"d", "*", "e"};
    vector<string> names;
    for (i64 i = pick(random_, least, most); i > 0; --i) {
      const string &name = kNames[names.size()];
      folder_.write(name, packed(random_, records(random_)));
      names.push_back(name);
    }
    return names;
  }
  static string quoted(const vector<string> &names) {
    string text;
    for (string name : names) {
      const size_t quote = name.find('\'');
      if (quote != name.npos) name.replace(quote, 1, "'\\''");
      text += " '" + name + "'";
    }
    return text;
  }
  // Status, answer and messages.
  string outcome(const string &command) const {
    const int status =
        run_shell(fmt::format("cd {} && {{ {}; }} >out 2>err", folder_.path("."), command));
    return fmt::format("{}\n{}--\n{}", WEXITSTATUS(status), folder_.read("out"),
                       folder_.read("err"));
  }
  string knobs() {
    static const vector<string> kKnobs = {"-j1", "-j4 --split 50", "-j2 --memory 4K", "-j7"};
    return one_of(random_, kKnobs);
  }

  Random random_{first_seed()};
  TemporaryFolder folder_;
};

TEST_F(InputCommands, GiveWhatFilesGive) {
  static const vector<string> kJobs = {"wordcount",
                                       "count",
                                       "count -f csv -k k --by count --top 3",
                                       "distinct --stable",
                                       "distinct -c -f csv -k v",
                                       "hist -f csv v",
                                       "index --positions line",
                                       "index",
                                       "sort",
                                       "sort -r -u",
                                       "sort -f csv -k k:num,v:num:desc",
                                       "grep 1,",
                                       "grep -c 3",
                                       "grep -n -m 2 1",
                                       "select -f csv -k v,k -w 'v > 0'",
                                       "select -f csv --tail 4",
                                       "stats -f csv -k k -a count,sum:v,p50:v,first:v,last:v",
                                       "stats -f csv -k k -a mean:v --isolate",
                                       "stats -f csv -a count,sum:v --strict",
                                       "stats -f csv -k k:text -a sum:v then sort -k sum:v:num"};
  for (int round = 0; round < kRounds; ++round) {
    const string job = one_of(random_, kJobs), inputs = quoted(write_inputs(1, 5));
    const string expected = outcome(fmt::format("$MRC {} -q {}{}", job, knobs(), inputs));
    const string command = one_in(random_, 2) ? "'cat {}'" : "'(cat <{}; exit)'";
    const size_t verb_end = job.find(' ') == job.npos ? job.size() : job.find(' ');
    const string given = fmt::format("$MRC {} --input-cmd {}{} -q {}{}", job.substr(0, verb_end),
                                     command, job.substr(verb_end), knobs(), inputs);
    EXPECT_EQ(outcome(given), expected) << given;
    if (HasFailure()) return;
  }
}

TEST_F(InputCommands, JoinAsFilesDo) {
  static const vector<string> kJobs = {"join -k k", "join -k k --stable --full",
                                       "join -k k --left-fields v --right-fields v",
                                       "join -k k --anti", "join -k k=v --left"};
  for (int round = 0; round < kRounds / 4; ++round) {
    const string job =
        fmt::format("$MRC {} -f csv --right-from csv -q {}", one_of(random_, kJobs), knobs());
    const string inputs = quoted(write_inputs(2, 2));
    EXPECT_EQ(outcome(job + " --input-cmd 'cat {}'" + inputs), outcome(job + inputs)) << job;
    if (HasFailure()) return;
  }
}

TEST_F(InputCommands, AreUnitsThatGiveWhatFilesGive) {
  static const vector<string> kJobs = {"count", "index --positions file",
                                       "stats -f csv -k k -a count,sum:v,first:v,last:v",
                                       "distinct -f csv -k v --stable"};
  for (int round = 0; round < kRounds / 6; ++round) {
    const string job = one_of(random_, kJobs);
    const vector<string> names = write_inputs(1, 5);
    const string inputs = quoted(names);
    const string expected = outcome(fmt::format("$MRC {} -q{}", job, inputs));
    string command = fmt::format("$MRC units --list {} --input-cmd 'cat {{}}'{} >job", job, inputs);
    string merge = "; $MRC merge -q";
    for (size_t i = 0; i < names.size(); ++i) {
      const size_t unit = names.size() - 1 - i;
      command += fmt::format("; $MRC units --job job --unit {} -q {} -o {}.mrs 2>said", unit,
                             knobs(), unit);
      merge += fmt::format(" {}.mrs", i);
    }
    EXPECT_EQ(outcome(command + merge), expected) << command;
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace mrc
