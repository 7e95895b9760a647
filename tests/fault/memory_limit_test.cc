// Too little memory, wherever it runs out: the whole answer, or status 2, one line, and
// no file left. Never a signal, and never half of an answer.
#include "support/compress.h"
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

using std::string;

#if !defined(MRC_SANITIZED)  // sanitizers want terabytes of addresses
class MemoryLimit : public testing::TestWithParam<const char *> {
 protected:
  void SetUp() override {
    string text;
    for (unsigned i = 0; i < 200000; ++i) {
      text += std::to_string(i * 2654435761u) + " " + std::to_string(i % 1000) + "\n";
    }
    in_.write("in", text);
    in_.write("in.gz", bgzipped(text, 60000));
  }

  // Of so many KiB of addresses; 0: all there are. Returns the status of wait().
  int run(int limit) {
    const string before = limit == 0 ? "" : "ulimit -v " + std::to_string(limit) + "; ";
    return run_shell("cd " + in_.path("") + "; " + before + "exec timeout 60 $MRC " + GetParam() +
                     " --split 64K --output " + out_.path("answer") + " 2>err");
  }

  TemporaryFolder in_, out_;
};

TEST_P(MemoryLimit, EndsInTheAnswerOrInOneLine) {
  ASSERT_EQ(run(0), 0);
  const string expected = out_.read("answer");
  int answers = 0;
  // Steps are odd, so that memory runs out at other places each time.
  for (int limit = 60000; limit < 600000; limit += limit / 9) {
    std::filesystem::remove(out_.path("answer"));
    const int status = run(limit);
    const string message = in_.read("err");
    ASSERT_TRUE(WIFEXITED(status)) << limit << ": " << message;
    if (WEXITSTATUS(status) == 0) {
      ++answers;
      EXPECT_TRUE(out_.read("answer") == expected) << limit;
      EXPECT_EQ(out_.files(), 1) << limit;
      EXPECT_EQ(message, "") << limit;
    } else {
      EXPECT_EQ(WEXITSTATUS(status), 2) << limit << ": " << message;
      EXPECT_TRUE(message.starts_with("mrc: error: ")) << limit << ": " << message;
      EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 1) << limit << ": " << message;
      EXPECT_EQ(out_.files(), 0) << limit;
    }
  }
  EXPECT_GT(answers, 0);
}

INSTANTIATE_TEST_SUITE_P(Verbs, MemoryLimit,
                         testing::Values("count -j8 in", "count -j1 in", "count -j8 in.gz",
                                         "stats -f fields -k 1 -a count,distinct:2,p50:2 -j4 in",
                                         "stats -f fields -a distinct:1,mode:1,p50:1 -j3 in",
                                         "sort -j8 in", "sort -k 1:num -f fields -j2 in",
                                         "index --positions byte -j4 in",
                                         "hist 1 -f fields --to table -j8 in", "grep 7 -j8 in",
                                         "grep 7 -j8 in.gz",
                                         "select -f fields -k 1 -w '$2 > 5' -j4 in"));

// Without --memory, a job keeps within the addresses that there are.
TEST(AddressLimit, IsWhatTheDefaultOfMemoryLooksAt) {
  const TemporaryFolder folder;
  string text;
  for (unsigned i = 0; text.size() < 39000000; ++i) {
    text += std::to_string(i * 2654435761u) + " " + std::to_string(i % 1000) + "\n";
  }
  folder.write("in", text);
  for (const string limit : {"-v 500000", "-d 300000"}) {
    for (const string verb :
         {"sort", "count", "wordcount", "index", "stats -f fields -k 1 -a count"}) {
      SCOPED_TRACE(verb + " " + limit);
      const string run = "cd " + folder.path("") + "; $MRC " + verb + " -j4 in";
      ASSERT_EQ(run_shell(run + " >expected"), 0);
      EXPECT_EQ(run_shell("ulimit " + limit + "; " + run + " >answer"), 0);
      EXPECT_EQ(run_shell("cd " + folder.path("") + "; cmp answer expected"), 0);
    }
  }
}
#endif

}  // namespace
}  // namespace mrc
