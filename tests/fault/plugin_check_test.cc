// mrc plugins check: what it finds, with an example for each fault; that it passes what keeps the
// rules, and says so when it could not compare anything.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

namespace mrc {
namespace {

using std::string;

#ifdef MRC_SANITIZED
constexpr bool kSanitized = true;  // crashes are the sanitizer's
#else
constexpr bool kSanitized = false;
#endif

class PluginCheck : public testing::Test {
 protected:
  // The exit status. What is printed is found().
  int check(const string &words) {
    string command = "cd " MRC_TEST_PLUGINS "; \"$MRC\" plugins check --force-plugin " + words +
                     " >@/out 2>@/err";
    for (size_t at; (at = command.find("@/")) != string::npos;) {
      command.replace(at, 2, folder_.path(""));
    }
    const int status = run_shell(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  // With IN for the sample.
  string found() const {
    string text = folder_.read("out") + folder_.read("err");
    const string in = folder_.path("in");
    for (size_t at; (at = text.find(in)) != string::npos;) text.replace(at, in.size(), "IN");
    return text;
  }
  bool says(const string &part) const {
    if (found().find(part) != string::npos) return true;
    ADD_FAILURE() << "no \"" << part << "\" in " << found();
    return false;
  }
  // How many faults are reported: lines that are neither examples nor the verdict.
  long faults() const {
    const string text = found();
    long lines = 0;
    for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      const string line = text.substr(at, text.find('\n', at) - at);
      lines += !line.starts_with("  ") && line.find(": no law was broken") == string::npos;
    }
    return lines - 1;
  }

  TemporaryFolder folder_;
};

TEST_F(PluginCheck, GivesCounterExamples) {
  EXPECT_EQ(check("./broken.so"), 1);
  says(
      "reducer forgetful: a new state is no identity of merge\n"
      "  a: add(1)\n"
      "  merge(a, new): 0\n"
      "  a: 1\n");
  says("job calls: its answer depends on how it is run");
  says("./broken.so: breaks the rules of mrc-plugin(3)\n");
  EXPECT_EQ(faults(), 2) << "one for each cause: " << found();
}

TEST_F(PluginCheck, TellsOfACrashLikeOfAllElse) {
  if (kSanitized) GTEST_SKIP();
  folder_.write("in", string(3000, '\n'));
  EXPECT_EQ(check("./keeps.so @/in"), 1);
  EXPECT_EQ(found(),
            "plugin ./keeps.so crashed (SIGSEGV) in map of job keeps, input IN at byte 1024: it "
            "touched what an earlier call was given: a pointer was kept\n"
            "./keeps.so: breaks the rules of mrc-plugin(3)\n");
}

TEST_F(PluginCheck, SeesWhoWritesBesideTheEmitter) {
  folder_.write("in", string(3000, '\n'));
  for (const string sample : {" @/in", ""}) {  // no excuse if lines were generated
    EXPECT_EQ(check("./overruns.so" + sample), 1);
    says("map: wrote beside the emitter's arrays (");
    says("breaks the rules");
  }
}

TEST_F(PluginCheck, FindsReadsPastTheEndOfARecord) {
  for (const string job : {"number", "letters", "fixed-number"}) {
    EXPECT_EQ(check("./careless.so " + job), 1) << job;
    says("job " + job + ": map reads past the end of a record\n");
    EXPECT_EQ(faults(), 1) << found();
  }
  for (const string job : {"last", "split-last"}) {
    EXPECT_EQ(check("./careless.so " + job), 1) << job;
    says("job " + job + ": map reads past the end of its bytes\n");
  }
  folder_.write("in", "12\n34\n");
  EXPECT_EQ(check("./careless.so number @/in"), 1);
  says(
      "  \"12\" (IN, byte 0)\n"
      "  as it is in the input: 12\n"
      "  followed by 7777: 9223372036854775807\n");
}

// A buffer that all threads use. In turns, all is well.
TEST_F(PluginCheck, FindsBuffersThatThreadsShare) {
  if (kSanitized) GTEST_SKIP();
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(check("./careless.so folded"), 1);
    says("job folded: threads disturb each other\n");
    EXPECT_EQ(faults(), 1) << found();
  }
}

TEST_F(PluginCheck, RunsJobsOfRecordsOfAFixedSize) {
  EXPECT_EQ(check("./careless.so fixed-calls"), 1);
  says("job fixed-calls: its answer depends on how it is run; with -j1, and with -j1 --split 61:");
  EXPECT_EQ(found().find('\x1B'), string::npos) << "which would act on a terminal";
  EXPECT_EQ(check("./every_job.so fixed-keys"), 0);
  says("job fixed-keys: compared ");
}

TEST_F(PluginCheck, FailsWhenItComparesNothing) {
  EXPECT_EQ(check("./careless.so refuses"), 1);
  says("job refuses: compared no rows: plugin ./careless.so: job refuses: map: not good (");
  says("  name a file that it can read: mrc plugins check ./careless.so refuses FILE\n");
  says("./careless.so: was not checked, since no rows were compared\n");
  EXPECT_EQ(check("./careless.so only-good"), 1);
  says("job only-good: compared no rows: no record can be used, of 3012 read; the first: ");
  says(
      ": is not good: a b c\n"
      "  name a file that it can read: mrc plugins check ./careless.so only-good FILE\n");
  EXPECT_EQ(check("./careless.so needs"), 1);
  says("job needs: compared no rows: needs needs --set needed=VALUE: which must be said\n");

  folder_.write("in", "good 1\ngood 2\ngood 1\n");
  for (const string words : {"refuses @/in", "only-good @/in", "needs --set needed=x @/in"}) {
    EXPECT_EQ(check("./careless.so " + words), 0) << found();
    says(": compared 2 rows: the same in 5 ways of running it\n");
    says("./careless.so: no fault found (");
  }
  folder_.write("in", "");
  EXPECT_EQ(check("./careless.so only-good @/in"), 1);
  says("job only-good: compared no rows: its answer has none\n./careless.so: was not checked");
}

// Rounds, and an order that is compared, want all rows in memory: that is no fault.
TEST_F(PluginCheck, AllowsWhatDoesNotFitInLittleMemory) {
  string text;
  for (int i = 0; i < 5000; ++i) text += "line " + std::to_string(i) + "\n";
  folder_.write("in", text);
  for (const string words : {"behind @/in", "both @/in", "rounds --set rounds=3 @/in"}) {
    EXPECT_EQ(check("./every_job.so " + words), 0) << found();
    says(" rows: the same in 5 ways of running it\n");
  }
}

TEST_F(PluginCheck, ReportsABrokenReducerOfManyJobsOnce) {
  if (kSanitized) GTEST_SKIP();
  EXPECT_EQ(check("./every_job.so"), 1);
  const string text = found(), crash = "crashed (SIGSEGV) in reduce of reducer listed";
  EXPECT_EQ(text.find(crash), text.rfind(crash)) << text;
  says("job bytes: was not run: its reducer quarters is broken\n");
}

TEST_F(PluginCheck, StopsAnEndlessLoop) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(check("./faulty.so waits --timeout 1"), 1);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  says("plugin ./faulty.so took too long in map of job waits, input ");
  says(" at byte 0: it was stopped after 1 s (--timeout)\n./faulty.so: breaks the rules");
  const string loop = " --set what=loop --timeout " + string(kSanitized ? "30 " : "5 ");
  for (const string function : {"open", "merge", "format"}) {
    const string job = function == "format" ? "formatted" : "lines";
    EXPECT_EQ(check("./failing.so " + job + loop + "--set where=" + function), 1);
    says("plugin ./failing.so took too long in " + function + " of ");
  }
}

// Names of mrc itself win, and the list says so.
TEST(PluginList, SaysWhatIsHidden) {
  TemporaryFolder folder;
  std::filesystem::copy(MRC_TEST_PLUGINS "/shadowed.so", folder.path("count.so"));
  EXPECT_EQ(run_shell("MRC_PLUGIN_PATH= HOME=" + folder.path("") + " $MRC plugins list --plugin " +
                      folder.path("count.so") + " | head -7 >" + folder.path("out")),
            0);
  const string list = folder.read("out");
  EXPECT_NE(list.find("  reducer  sum                  a test\n"
                      "    is for jobs: mrc stats -a sum is an aggregate of mrc itself\n"
                      "  is not run by mrc count, a verb of mrc itself; use mrc run count\n"),
            string::npos)
      << list;
}

// All plugins of mrc itself, on the samples of their cases.
TEST_F(PluginCheck, SeesWhatValgrindSees) {
  if (kSanitized || run_shell("command -v valgrind >/dev/null") != 0) GTEST_SKIP() << "no valgrind";
  folder_.write("in", "one\ntwo\nthree\n");
  EXPECT_EQ(check("forgetful.so leaks @/in"), 1);
  says("job leaks: compared 3 rows: the same in 5 ways of running it\njob leaks: valgrind: ");
  says(" are definitely lost");
  EXPECT_EQ(check("forgetful.so decides @/in"), 1);
  says("job decides: valgrind: Conditional jump or move depends on uninitialised value(s)\n");
}

class OwnPlugins : public PluginCheck, public testing::WithParamInterface<const char *> {};
TEST_P(OwnPlugins, KeepTheRules) {
  const string cases = MRC_SOURCE_DIR "/tests/cases/";
  string words = GetParam();
  for (size_t at; (at = words.find('#')) != string::npos;) words.replace(at, 1, cases);
  string points;
  for (int i = 0; i < 3000; ++i) {
    points += std::to_string(i * 7919 % 1000) + " " + std::to_string(i * 104729 % 1009) + "\n";
  }
  folder_.write("points", points);
  EXPECT_EQ(check(MRC_PLUGINS "/" + words), 0) << found();
  says(": no fault found (");
}
INSTANTIATE_TEST_SUITE_P(
    All, OwnPlugins,
    testing::Values(
        "adjacency_list.so #adjacency_list/0001-basic/graph.txt",
        "classification.so --set clusters=#classification/0001-basic/clusters.txt "
        "#classification/0001-basic/movies.txt",
        "geometric_mean.so", "histogram.so #histogram/0001-colours/picture.bmp",
        "histogram_movies.so #histogram_movies/0001-basic/movies.txt",
        "histogram_ratings.so #histogram_ratings/0001-basic/movies.txt", "integer_sum.so",
        "kmeans.so --set clusters=500 @/points",
        "kmeans_ratings.so --set clusters=3 #kmeans_ratings/0001-basic/movies.txt",
        "linear_regression.so #linear_regression/0002-noise/points.bin",
        "matrix_multiply.so #matrix_multiply/0001-rectangular/left.txt "
        "#matrix_multiply/0001-rectangular/right.txt",
        "pca.so #pca/0001-wide/wide.txt", "ranked_index.so #ranked_index/0001-basic/counts.txt",
        "self_join.so #self_join/0001-basic/candidates.txt", "skeleton.so",
        "string_match.so #string_match/0001-keys/words.txt",
        "term_vector.so #term_vector/0001-inputs/one.txt #term_vector/0001-inputs/two.txt",
        "word_count.so"));

// Rows are generated: values of each type, and CSV with the fields for the runs.
TEST_F(PluginCheck, TriesJobsOverFields) {
  EXPECT_EQ(check("./fields_in_cpp.so"), 0) << found();
  says("job clients: no law was broken in ");
  says("the same in 5 ways of running it");
  EXPECT_EQ(check("./past_fields.so"), 1);
  says("job past_fields: map reads past the end of a text\n");
  EXPECT_EQ(faults(), 1) << found();
}

}  // namespace
}  // namespace mrc
