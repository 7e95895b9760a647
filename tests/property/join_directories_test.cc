// Joins of directories that a hash divides: the same bytes with copartitions and without, with any
// number of partitions, threads and memory, and for keys of all shapes.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace mrc {
namespace {

using std::string;

#ifdef MRC_SANITIZED
constexpr i64 kRounds = 6;
#else
constexpr i64 kRounds = 25;
#endif

class JoinDirectories : public testing::Test {
 protected:
  int run(const string &arguments) const {
    const int status = run_shell("cd " + folder_.path("") + "; timeout 60 $MRC " + arguments +
                                 " >out 2>err </dev/null");
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  string out() const { return folder_.read("out"); }
  string error() const { return folder_.read("err"); }

  string key() {
    switch (pick(random_, 0, 9)) {
      case 0: return "";
      case 1: return "-";
      case 2: return "\"a,\"\"" + std::to_string(pick(random_, 0, 3)) + "\"";
      case 3: return string(static_cast<size_t>(pick(random_, 30, 3000)), 'l');
      case 4: return "hot";
      default: return "k" + std::to_string(pick(random_, 0, 60));
    }
  }
  void write(const string &name, const string &columns) {
    string text = columns + "\n";
    for (i64 n = pick(random_, 1, one_in(random_, 3) ? 2000 : 60); n > 0; --n) {
      text += fmt::format("{},d{},{}\n", key(), pick(random_, 0, 2), n);
    }
    folder_.write(name + ".csv", text);
  }
  // Loads a file in one step, or in two of which the second adds files.
  void load(const string &name, const string &options) {
    const string command = fmt::format("load -q {} -o {} ", options, name);
    ASSERT_EQ(run(command + name + ".csv"), 0) << error();
    if (!one_in(random_, 3)) return;
    const string columns = name == "left" ? "id,day,a" : "key,day,b";
    write(name + "2", columns);
    ASSERT_EQ(run(command + name + "2.csv"), 0) << error();
  }
  void load_both() {
    run_shell("rm -rf " + folder_.path("left") + " " + folder_.path("right"));
    partitions_ = one_of<i64>(random_, {1, 2, 7, 16, 100});
    write("left", "id,day,a");
    write("right", "key,day,b");
    const bool by_day = one_in(random_, 3);
    const string then = by_day ? ",day" : "", sorts = one_in(random_, 2) ? " --sort-by a" : "";
    load("left", fmt::format("--partition-by id:hash/{}{}{}", partitions_, then, sorts));
    load("right", fmt::format("--partition-by key:hash/{}{}", partitions_, then));
  }
  string question() {
    string text = one_of<string>(random_, {"", "--left ", "--full ", "--anti ", "--semi "});
    if (!one_in(random_, 5)) text += "--stable ";
    if (one_in(random_, 4)) text += "-w 'a > 10' ";
    text += one_in(random_, 3) ? "-k id=key,day " : "-k id=key ";
    text += one_of<string>(random_, {"", "--to csv ", "--to json ", "--header-out yes "});
    return text + fmt::format("-j {} --split {} ", pick(random_, 1, 4), pick(random_, 100, 5000));
  }

  Random random_{first_seed()};
  const TemporaryFolder folder_;
  i64 partitions_ = 0;
};

TEST_F(JoinDirectories, GiveTheSameBytesPartByPart) {
  i64 used = 0;
  for (i64 round = 0; round < kRounds * rounds() && !HasFailure(); ++round) {
    load_both();
    for (i64 n = 0; n < 4 && !HasFailure(); ++n) {
      const string asked = "join -q " + question();
      const string memory = one_of<string>(random_, {"", "--memory 300K ", "--memory 8M "});
      SCOPED_TRACE(fmt::format("MRC_SEED={} {}{} of {}", first_seed(), asked, memory, partitions_));
      ASSERT_EQ(run(asked + "--engine copartitions=off left right"), 0) << error();
      const string expected = out();
      EXPECT_EQ(run(asked + memory + "--stats left right"), 0) << error();
      EXPECT_EQ(out(), expected);
      used += error().find("copartitions: ") != string::npos;
    }
  }
  EXPECT_GT(used, kRounds * rounds());
}

// The plain join is the same as that of the files that were loaded, but for the order of LEFT.
TEST_F(JoinDirectories, JoinWhatWasLoaded) {
  for (i64 round = 0; round < kRounds * rounds() / 2 && !HasFailure(); ++round) {
    write("left", "id,day,a");
    write("right", "key,day,b");
    run_shell("rm -rf " + folder_.path("left") + " " + folder_.path("right"));
    ASSERT_EQ(run("load -q --partition-by id:hash/5 -o left left.csv"), 0) << error();
    ASSERT_EQ(run("load -q --partition-by key:hash/5 -o right right.csv"), 0) << error();
    for (const char *kind : {"", "--left", "--full", "--anti", "--semi"}) {
      const string asked = fmt::format("join -q -k id=key {} ", kind);
      ASSERT_EQ(run(asked + "left.csv right.csv"), 0) << error();
      const string expected = out();
      EXPECT_EQ(run(asked + "left right"), 0) << error();
      EXPECT_EQ(out(), expected) << kind << " MRC_SEED=" << first_seed();
    }
  }
}

// A file that was changed, and that is as long as before, gives no answer.
TEST_F(JoinDirectories, RefuseRecordsOfAnotherPartition) {
  string records;
  for (i64 n = 0; n < 20; ++n) records += fmt::format("k{},{}\n", n, n);
  folder_.write("left.csv", "id,a\n" + records);
  folder_.write("right.csv", "key,b\n" + records);
  ASSERT_EQ(run("load --partition-by id:hash/2 -o left left.csv"), 0) << error();
  ASSERT_EQ(run("load --partition-by key:hash/2 -o right right.csv"), 0) << error();
  run_shell("cd " + folder_.path("") + "; sed -i 's/^k\\([0-9]\\)/j\\1/' right/key_hash_2=0/*.csv");
  EXPECT_EQ(run("join -k id=key --stable left right"), 2);
  EXPECT_NE(error().find("has a record whose key has another hash than its folder says"),
            string::npos)
      << error();
  EXPECT_EQ(run("join -k id=key --stable --engine copartitions=off left right"), 0) << error();
}

}  // namespace
}  // namespace mrc
