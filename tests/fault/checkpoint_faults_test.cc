// Jobs with --checkpoint that are killed: the same command goes on, and prints the bytes of a job
// that was never interrupted.
#include "support/kept_state.h"
#include "support/random.h"
#include "support/seed.h"

#include <fmt/format.h>
#include <sys/mount.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace mrc {
namespace {

using std::string;
namespace fs = std::filesystem;

// Tables of fixed size, values of any number, lists, little memory, one worker and several.
constexpr const char *kJobs[] = {
    "wordcount -j1",
    "wordcount -j3 --split 30K",
    "wordcount --memory 2M -j2",
    "stats -f fields -k 4 -a count,sum:2,last:2 -j2",
    "stats -f fields -k 4 -a median:2,distinct:2,first:2,mode:2 -j2",
    "stats -f fields -a distinct:2,median:2 -j2 --memory 2M",
    "index -j2",
    "distinct -j2 -c",
    "grep -n 7 -j2 --split 20K other",
    "grep -c -v 7 -j2 other",
    "grep -v -j3 5 other --memory 2M",
    "grep -F -m 40000 line other packed.gz",
    "grep --count -l 7 other packed.gz",
    "grep --json --top 90000 -w [0-9]+ -j2 packed.gz",
    "select -f fields -w '$2 > 100' -j2",
    "select -f fields -k 2,4 --to csv -j3 --split 30K other",
    "select -f csv -w '$1 != 7' table -j2",
    "select -f csv -k 1 --to json --top 70000 table -j2",
    "sort -j2",
    "sort -r -j3 --split 20K other",
    "sort -u -k 3 -j2 --split 20K",
    "sort -k 2:num:desc,4 --top 300 -j2 other packed.gz",
    "sort -n -s -j2 --memory 2M packed.gz",
    "sort -f csv -k 1:num:desc -j3 table",
    "sort -f csv -k 1:text -u --memory 2M -j2 table.gz packed.gz",
};

class CheckpointFaults : public KeptState {
 protected:
  static constexpr const char *kOptions = " --checkpoint kept --checkpoint-every ";

  // What some jobs read before the log.
  void write_others() {
    folder_.write("other", lines(20000));
    folder_.write("packed", lines(30000));
    ASSERT_EQ(run_shell("cd " + folder_.path("") + "; gzip packed"), 0);
    folder_.write("table", "number,value\n");
    string rows;
    for (i64 i = 0; i < 50000; ++i) rows += fmt::format("{},{}\n", i, i * 7919);
    std::ofstream(folder_.path("table"), std::ios::app) << rows;
    ASSERT_EQ(run_shell("cd " + folder_.path("") + "; gzip -k table"), 0);
  }
  string command(const string &job, const string &every) const {
    return "env -C " + folder_.path("") + " $MRC " + job + kOptions + every +
           " --output answer log";
  }
  bool has_checkpoint() const { return fs::exists(folder_.path("kept/MANIFEST")); }
  // Kills the job as soon as it has made a checkpoint. False: it has ended before.
  bool kill_after_checkpoint(const string &job, const string &every = "100K") const {
    Background mrc(command(job, every));
    wait_until(
        "a checkpoint, or the end", [&] { return has_checkpoint() || mrc.has_ended(); },
        std::chrono::microseconds(200));
    mrc.send(SIGKILL);
    const bool was_killed = mrc.wait() != 0 && has_checkpoint();
    // Text may have become the answer just before.
    return was_killed && !fs::exists(folder_.path("answer"));
  }
  // Makes the input longer until the job can be interrupted, and its checkpoint has this text.
  void interrupt(const string &job, const string &needed = "") {
    const auto is_interrupted = [&] {
      return kill_after_checkpoint(job) &&
             folder_.read("kept/MANIFEST").find(needed) != string::npos;
    };
    for (append(lines(40000)); !is_interrupted(); append(lines(40000))) {
      ASSERT_LT(fs::file_size(folder_.path("log")), 100 << 20) << job;
      fs::remove_all(folder_.path("kept"));
      fs::remove(folder_.path("answer"));
    }
  }
  // The job ends with the right answer, and leaves nothing.
  void expect_right_end(const string &job, const string &options = "") const {
    const string expected = answer(job);
    EXPECT_EQ(run(job + kOptions + "100K --stats --output answer " + options + " log"), 0)
        << error();
    EXPECT_TRUE(folder_.read("answer") == expected) << job;
    EXPECT_FALSE(fs::exists(folder_.path("kept"))) << job;
    fs::remove(folder_.path("answer"));
    for (const auto &entry : fs::directory_iterator(folder_.path(""))) {
      EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
    }
  }
  // The line is missing where nothing was known and no checkpoint was made.
  bool has_read_all() const {
    const string stats = error();
    return stats.find("kept ") == string::npos || stats.find("kept    0 bytes") != string::npos;
  }
};

TEST_F(CheckpointFaults, EveryKindOfJobGoesOn) {
  write_others();
  for (const string job : kJobs) {
    interrupt(job);
    EXPECT_FALSE(fs::exists(folder_.path("answer")));
    expect_right_end(job, "--resume require");
    EXPECT_FALSE(has_read_all()) << job << ": " << error();
    if (HasFailure()) return;
  }
}

TEST_F(CheckpointFaults, KillsAtAnyMomentLoseNothing) {
  Random random(first_seed());
  write_others();
  append(lines(20000));
  i64 kills = 0;
  while (kills < 24 * rounds()) {
    const string job = kJobs[pick(random, 0, std::ssize(kJobs) - 1)];
    const string every = pick(random, 0, 1) == 0 ? "50K" : "400K";
    for (i64 more = pick(random, 1, 4); more > 0; --more, ++kills) {
      Background mrc(command(job, every));
      std::this_thread::sleep_for(std::chrono::microseconds(pick(random, 0, 150000)));
      mrc.send(pick(random, 0, 3) == 0 ? SIGTERM : SIGKILL);
      if (mrc.wait() == 0) break;
    }
    expect_right_end(job);
    if (HasFailure()) return;
  }
}

// So many objects, of which a few have a value that is none.
string objects(i64 n) {
  string text;
  for (i64 i = 0; i < n; ++i) {
    text += fmt::format("{{\"group\":{},\"value\":{}}}\n", i % 7, i % 999 == 998 ? "\"x\"" : "1");
  }
  return text;
}

// A resumed job warns of the same faults as one that was not interrupted: their number, and the
// first. Workers read an amount beyond the end of a limited answer that depends on timing, so the
// limited answer ends in the last chunk.
TEST_F(CheckpointFaults, WhatIsBadIsCountedOnce) {
  folder_.write("packed", objects(5000) + lines(2) + objects(20000));
  ASSERT_EQ(run_shell("cd " + folder_.path("") + "; gzip packed"), 0);
  for (const string job :
       {"stats -f json -k group -a sum:value -j2 --split 20K",
        "stats -f json -k group -a sum:value -j2 packed.gz",
        "select -f json -k group,value:1 -j2 --split 20K",
        "select -f json -k value:1 --top 54900 -j3 packed.gz",
        "sort -f json -k value,group -j2 --split 20K", "sort -f json -k group -u -j2 packed.gz"}) {
    for (const bool is_early : {true, false}) {
      folder_.write("log", (is_early ? lines(3) : "") + objects(30000));
      interrupt(job);
      EXPECT_EQ(run(job + " --output answer log"), 0);
      const string said = error();
      EXPECT_NE(said.find("left out; the first: "), string::npos) << said;
      EXPECT_EQ(run(job + kOptions + "100K --resume require --output answer log"), 0);
      EXPECT_EQ(error(), said) << job;
      fs::remove(folder_.path("answer"));
    }
  }
}

// A checkpoint must not make a job forget why it failed.
TEST_F(CheckpointFaults, StrictJobsFailAgain) {
  for (const string job : {"count -f json -k group -j2 --split 20K --strict",
                           "select -f json -k group -j2 --split 20K --strict",
                           "sort -f json -k group -j2 --split 20K --strict"}) {
    folder_.write("log", objects(30000) + lines(1) + objects(30000));
    EXPECT_EQ(run(job + " --output answer log"), 2);
    const string said = error();
    for (i64 time = 0; time < 3; ++time) {
      EXPECT_EQ(run(job + kOptions + "20K --output answer log"), 2);
      EXPECT_EQ(error(), said) << job;
      EXPECT_FALSE(fs::exists(folder_.path("answer")));
    }
    fs::remove_all(folder_.path("kept"));
  }
}

// A record that had no end yet is read again when it goes on.
TEST_F(CheckpointFaults, ARecordThatGoesOnBeginsAnew) {
  const string job = "count -j2 --split 20K other";
  const string text = lines(100) + "a record without";
  folder_.write("other", text);
  // The log alone may make the first checkpoint, if the worker that has claimed the small input
  // pauses before it begins.
  interrupt(job, fmt::format("\nsource 0 {} ", text.size()));
  folder_.write("other", folder_.read("other") + " its end\n");
  expect_right_end(job);
  EXPECT_TRUE(error().starts_with("mrc: info: kept: begins anew: other has grown, and its last"))
      << error();
}

// What a kill leaves between two steps, made by hand: data is on the disk before the manifest that
// names it, old files go after it, and in the end the manifest goes first.
TEST_F(CheckpointFaults, WhatAStepLeavesIsCleanedUp) {
  for (const string job : {"grep -n 7 -j2", "index -j2", "sort -j2"}) {
    const bool is_text = job.starts_with("grep");
    interrupt(job);
    if (is_text) std::ofstream(folder_.path("kept/text"), std::ios::app) << lines(1000);
    folder_.write("kept/MANIFEST.part", "mrc kept 1\n");
    folder_.write("kept/09999999.run", "of a checkpoint that was not made, or is older");
    folder_.write("kept/09999998.run.part", "begun");
    expect_right_end(job, "--resume require");
    EXPECT_FALSE(has_read_all()) << job;
    interrupt(job);
    fs::remove(folder_.path("kept/MANIFEST"));
    EXPECT_EQ(run(job + kOptions + "100K --resume require --output answer log"), 2);
    expect_right_end(job);
    EXPECT_TRUE(has_read_all()) << job;
    if (HasFailure()) return;
  }
}

TEST_F(CheckpointFaults, CompressedInputGoesOn) {
  append(lines(200000));
  fs::rename(folder_.path("log"), folder_.path("plain"));
  ASSERT_EQ(run_shell("cd " + folder_.path("") + "; gzip -c plain >log"), 0);
  ASSERT_TRUE(kill_after_checkpoint("wordcount -j2"));
  expect_right_end("wordcount -j2", "--resume require");
  EXPECT_FALSE(has_read_all());
}

// The second run is killed before it has unpacked what the first had counted.
TEST_F(CheckpointFaults, CompressedInputGoesOnTwice) {
  append(lines(300000));
  fs::rename(folder_.path("log"), folder_.path("plain"));
  ASSERT_EQ(run_shell("cd " + folder_.path("") + "; gzip -c plain >log"), 0);
  for (const char *every : {"2M", "50K", "50K"}) {
    const string before = has_checkpoint() ? folder_.read("kept/MANIFEST") : "";
    Background mrc(command("wordcount -j2", every));
    wait_until(
        "another checkpoint, or the end",
        [&] {
          return (has_checkpoint() && folder_.read("kept/MANIFEST") != before) || mrc.has_ended();
        },
        std::chrono::microseconds(200));
    mrc.send(SIGKILL);
    mrc.wait();
  }
  expect_right_end("wordcount -j2");
}

// What was appended meanwhile is read as well.
TEST_F(CheckpointFaults, InputsMayHaveGrown) {
  interrupt("count -j2");
  append(lines(1000));
  expect_right_end("count -j2", "--resume require");
  EXPECT_FALSE(has_read_all());
}

// What is appended to an input belongs before the text of the next one.
TEST_F(CheckpointFaults, TextBeginsAnewIfAnInputInFrontHasGrown) {
  const string job = "grep -n 7 -j2 --split 20K other";
  folder_.write("other", lines(100));
  interrupt(job);
  append(lines(1000));
  expect_right_end(job, "--resume require");
  EXPECT_FALSE(has_read_all());
  interrupt(job);
  folder_.write("other", folder_.read("other") + lines(100));
  expect_right_end(job);
  EXPECT_TRUE(error().starts_with("mrc: info: kept: begins anew: other has grown")) << error();
}

TEST_F(CheckpointFaults, TextThatIsGoneIsMadeAgain) {
  interrupt("select -f fields -k 2,4");
  fs::resize_file(folder_.path("kept/text"), 10);
  EXPECT_EQ(run("state check kept"), 1);
  expect_right_end("select -f fields -k 2,4");
  EXPECT_TRUE(error().starts_with("mrc: info: kept: begins anew: kept/text is shorter than"))
      << error();
  interrupt("select -f fields -k 2,4");
  fs::remove(folder_.path("kept/text"));
  expect_right_end("select -f fields -k 2,4");
}

// The header of an input of which all is read stays that of the answer.
TEST_F(CheckpointFaults, AHeaderIsKept) {
  folder_.write("names", "number,name\n3,c\n1,a\n");
  append(lines(200000));
  fs::rename(folder_.path("log"), folder_.path("plain"));
  ASSERT_EQ(run_shell("cd " + folder_.path("") + "; gzip names; gzip -c plain >log"), 0);
  const string job = "sort -f csv -k 1:num -j2 names.gz";
  // Until a checkpoint has come after the end of the small input.
  const auto is_ready = [&] {
    return kill_after_checkpoint(job, "500K") &&
           folder_.read("kept/MANIFEST").find("source 0 20 1 0 names.gz") != string::npos;
  };
  for (int tries = 0; !is_ready(); ++tries) {
    ASSERT_LT(tries, 100);
    fs::remove_all(folder_.path("kept"));
    fs::remove(folder_.path("answer"));
  }
  expect_right_end(job, "--resume require");
  EXPECT_EQ(run(job + " log"), 0);
  EXPECT_TRUE(out().starts_with("number,name\n"));
}

// Rows are saved with what the sample of an earlier run has shown of their keys.
TEST_F(CheckpointFaults, KeysMayBeginAlikeAtFirst) {
  interrupt("sort -j2");
  for (const char *text : {"lines\n", "li\n", "line 5\n", "a\n", "z\n"}) {
    for (i64 i = 0; i < 20000; ++i) append(text);
  }
  expect_right_end("sort -j2", "--resume require");
}

TEST_F(CheckpointFaults, DamagedRowsAreNoAnswer) {
  interrupt("sort -j2 --split 20K");
  for (const auto &entry : fs::directory_iterator(folder_.path("kept"))) {
    const string name = "kept/" + entry.path().filename().string();
    if (!name.ends_with(".run")) continue;
    string bytes = folder_.read(name);
    bytes[bytes.size() / 2] ^= 1;
    folder_.write(name, bytes);
  }
  EXPECT_EQ(run("state check kept"), 1);
  EXPECT_EQ(run(string("sort -j2 --split 20K") + kOptions + "100K --output answer log"), 2);
  EXPECT_TRUE(says_one_line()) << error();
  EXPECT_FALSE(fs::exists(folder_.path("answer")));
}

TEST_F(CheckpointFaults, ChangedInputsBeginAnew) {
  interrupt("count -j2");
  folder_.write("log", lines(100000));
  EXPECT_EQ(run(string("count -j2 --resume require") + kOptions + "1M log"), 2);
  EXPECT_EQ(error(), "mrc: error: kept: cannot go on: log has changed since\n");
  EXPECT_TRUE(has_checkpoint());
  expect_right_end("count -j2");
  EXPECT_TRUE(error().starts_with("mrc: info: kept: begins anew: log has changed since\n"))
      << error();
}

TEST_F(CheckpointFaults, AnotherJobIsRefused) {
  interrupt("count -j2");
  const auto before = folder_.read("kept/MANIFEST");
  EXPECT_EQ(run(string("wordcount") + kOptions + "1M log"), 2);
  EXPECT_TRUE(says_one_line()) << error();
  EXPECT_EQ(run("count --state kept log"), 2) << "a checkpoint is no state";
  EXPECT_EQ(folder_.read("kept/MANIFEST"), before);
  EXPECT_EQ(run("state check kept"), 0) << error();
  expect_right_end("count -j2", "--resume never");
  EXPECT_TRUE(has_read_all()) << error();
}

// The answer matters more.
TEST_F(CheckpointFaults, AFullDiskEndsCheckpointsOnly) {
  fs::create_directory(folder_.path("disk"));
  const string disk = folder_.path("disk");
  if (mount("none", disk.c_str(), "tmpfs", MS_NOSUID, "size=64k") != 0) GTEST_SKIP() << "not root";
  append(lines(60000));
  for (const string job : {"count", "sort", "sort -u --memory 2M"}) {
    const string expected = answer(job);
    EXPECT_EQ(run(job + " --checkpoint disk/kept --checkpoint-every 100K --split 20K log"), 0);
    EXPECT_TRUE(out() == expected);
    EXPECT_EQ(std::ranges::count(error(), '\n'), 1) << error();
    EXPECT_NE(error().find("No space left on device; the job goes on without checkpoints"),
              string::npos)
        << error();
    EXPECT_TRUE(error().starts_with("mrc: warning: ")) << error();
  }
  umount2(disk.c_str(), MNT_DETACH);
}

}  // namespace
}  // namespace mrc
