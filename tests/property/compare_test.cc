// The benchmark refuses to compare programs with different answers.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;

class Compare : public testing::Test {
 protected:
  // The exit status of `compare -n 1` with these arguments; out and err have what it prints.
  int compare(const string &arguments) {
    const int status = run_shell("cd " + folder_.path("") + "; " MRC_BENCH "/compare -n 1 " +
                                 arguments + " >out 2>err");
    return WEXITSTATUS(status);
  }
  string out() const { return folder_.read("out"); }
  string err() const { return folder_.read("err"); }

 private:
  TemporaryFolder folder_;
};

TEST_F(Compare, FailsIfAnswersDiffer) {
  EXPECT_EQ(compare("title one 'echo a' other 'echo b; echo c'"), 1);
  EXPECT_EQ(out(), "");
  EXPECT_EQ(err(), "compare: title: ANOTHER ANSWER: one prints 2 bytes, other prints 4\n");
}

TEST_F(Compare, SeesBytesThatDifferInAnswersOfOneSize) {
  EXPECT_EQ(compare("title one 'echo a' other 'echo b'"), 1);
}

TEST_F(Compare, TakesAnswersThatAreTheSame) {
  EXPECT_EQ(compare("title one 'echo a' other 'echo a'"), 0) << err();
  EXPECT_NE(out().find("title\n  (the same bytes)\n"), string::npos) << out();
}

TEST_F(Compare, FiltersAnswersAndSaysSo) {
  EXPECT_EQ(compare("-f sort title one 'echo a; echo b' other 'echo b; echo a'"), 0) << err();
  EXPECT_NE(out().find("(the same bytes after: sort)"), string::npos) << out();
  EXPECT_EQ(compare("-f sort title one 'echo a' other 'echo b'"), 1);
}

TEST_F(Compare, SaysWhatIsNotCompared) {
  EXPECT_EQ(compare("-u other title one 'echo a' other 'echo b' third 'echo a'"), 0) << err();
  EXPECT_NE(out().find("; not compared: other)"), string::npos) << out();
  EXPECT_EQ(compare("-u other title one 'echo a' other 'echo b' third 'echo c'"), 1);
  EXPECT_EQ(compare("-U title one 'echo a' other 'echo b'"), 0) << err();
  EXPECT_NE(out().find("answers are not compared)"), string::npos) << out();
}

TEST_F(Compare, FailsIfACommandFails) {
  EXPECT_EQ(compare("title one 'echo a' other 'echo a; exit 3'"), 1);
  EXPECT_EQ(compare("-f cat title one 'echo a' other 'echo a; exit 3'"), 1);
}

}  // namespace
}  // namespace mrc
