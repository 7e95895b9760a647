// --follow: lines that arrive while mrc runs, in files that are rotated meanwhile.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <thread>

namespace mrc {
namespace {

using std::string;
using namespace std::chrono_literals;

class Follow : public testing::Test {
 protected:
  // An mrc that goes on; its answer is in the file "out", its messages are in "err".
  Background run(const string &arguments) const {
    return Background("timeout --foreground 100 $MRC " + arguments + " >" + folder_.path("out") +
                      " 2>" + folder_.path("err"));
  }
  // The same without a process around it that would not pass signals on.
  Background run_bare(const string &arguments) const {
    return Background("$MRC " + arguments + " >" + folder_.path("out") + " 2>" +
                      folder_.path("err"));
  }
  string path(const string &name) const { return folder_.path(name); }
  void append(const string &name, const string &text) const {
    const int fd = open(path(name).c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    EXPECT_EQ(::write(fd, text.data(), text.size()), std::ssize(text));
    close(fd);
  }
  void rename(const string &from, const string &to) const {
    std::filesystem::rename(path(from), path(to));
  }
  // Waits until the answer is so; the bound is generous, since the machine may be busy.
  void expect_out(const string &expected, const string &name = "out") const {
    const bool is_so =
        wait_until("the answer in " + name, [&] { return folder_.read(name) == expected; });
    if (!is_so) {
      EXPECT_EQ(folder_.read(name), expected);
    }
  }
  // Waits until the first SIGINT would end the input, and what was there is read.
  void wait_until_it_follows(const Background &mrc) const {
    wait_until("it catches SIGINT", [&] { return catches_sigint(mrc); });
    wait_until("it has the log open", [&] { return open_files_in(mrc.id(), path("log")) > 0; });
    pause_of_looks();
  }
  static bool catches_sigint(const Background &mrc) {
    std::ifstream status("/proc/" + std::to_string(mrc.id()) + "/status");
    for (string line; std::getline(status, line);) {
      if (line.starts_with("SigCgt:")) return (std::stoull(line.substr(7), nullptr, 16) & 2) != 0;
    }
    return false;
  }
  // Longer than several looks at the files take.
  static void pause_of_looks() { std::this_thread::sleep_for(200ms); }
  static int code_after_interrupt(Background *mrc) {
    mrc->send(SIGINT);
    const int status = mrc->wait();
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    return WEXITSTATUS(status);
  }

  TemporaryFolder folder_;
};

TEST_F(Follow, PrintsWhatIsThereAndThenWhatArrives) {
  folder_.write("log", "a 1\nb 2\na 3\n");
  Background mrc = run_bare("grep --follow a " + path("log"));
  expect_out("a 1\na 3\n");
  append("log", "a 4\nb\n");
  expect_out("a 1\na 3\na 4\n");
  EXPECT_EQ(code_after_interrupt(&mrc), 0);
  EXPECT_EQ(folder_.read("out"), "a 1\na 3\na 4\n");
  EXPECT_EQ(folder_.read("err"), "");
}

TEST_F(Follow, PrintsALineSoonAfterItIsAppended) {
  folder_.write("log", "a\n");
  Background mrc = run_bare("grep --follow a " + path("log"));
  expect_out("a\n");
  const auto begin = std::chrono::steady_clock::now();
  append("log", "ab\n");
  expect_out("a\nab\n");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 1s);
}

TEST_F(Follow, WaitsForTheEndOfALine) {
  folder_.write("log", "a 1\na ha");
  Background mrc = run_bare("grep -n --follow a " + path("log"));
  expect_out("1:a 1\n");
  append("log", "lf\n");
  expect_out("1:a 1\n2:a half\n");
  append("log", "a quarter");
  pause_of_looks();
  EXPECT_EQ(folder_.read("out"), "1:a 1\n2:a half\n");
  EXPECT_EQ(code_after_interrupt(&mrc), 0);
  EXPECT_EQ(folder_.read("out"), "1:a 1\n2:a half\n3:a quarter\n") << "the input ends there";
}

TEST_F(Follow, JoinsLinesToRecords) {
  folder_.write("log",
                "2026-11-03 10:15:30 INFO a.Main - on\n2026-11-03 10:15:31 INFO a.Main - up\n");
  Background mrc = run_bare("select --follow -k level,message " + path("log"));
  expect_out("INFO\ton\nINFO\tup\n");
  append("log", "2026-11-03 10:15:32 ERROR a.Main - no\njava.lang.X: y\n\tat a.b\n");
  expect_out("INFO\ton\nINFO\tup\nERROR\tno\\njava.lang.X: y\\n\\tat a.b\n");
  EXPECT_EQ(code_after_interrupt(&mrc) + std::ssize(folder_.read("err")), 0);
}

TEST_F(Follow, JoinsRecordsThatAnExpressionStarts) {
  folder_.write("log", "# 1\na\n# 2\n# 3\nab\nc\n# 4\n");
  Background mrc = run_bare("grep --record-start '^#' --follow a " + path("log"));
  expect_out("# 1\na\n# 3\nab\nc\n");
}

TEST_F(Follow, IsANegativeAnswerIfNothingIsFound) {
  folder_.write("log", "b\n");
  Background mrc = run_bare("grep --follow a " + path("log"));
  wait_until_it_follows(mrc);
  EXPECT_EQ(code_after_interrupt(&mrc), 1);
}

TEST_F(Follow, GivesTheAnswerOfAGroupingJobAtSigint) {
  folder_.write("log", "a\nb\na\n");
  for (const string threads : {"-j1", "-j4"}) {
    Background mrc = run_bare("count --follow --live=1000s " + threads + " " + path("log"));
    wait_until_it_follows(mrc);
    append("log", "b\nb\nc");
    pause_of_looks();
    EXPECT_EQ(folder_.read("out"), "");
    EXPECT_EQ(code_after_interrupt(&mrc), 0);
    EXPECT_EQ(folder_.read("out"), "a\t2\nb\t3\nc\t1\n");
    folder_.write("log", "a\nb\na\n");
  }
}

TEST_F(Follow, ReadsWhatIsAppendedJustBeforeSigint) {
  folder_.write("log", "1\n");
  Background mrc = run_bare("grep -c --follow '' " + path("log"));
  wait_until_it_follows(mrc);
  string lines;
  for (int i = 0; i < 100000; ++i) lines += "line\n";
  append("log", lines);
  EXPECT_EQ(code_after_interrupt(&mrc), 0);
  EXPECT_EQ(folder_.read("out"), "100001\n");
}

// The first one is of no use while the job waits for the reader of its answer.
TEST_F(Follow, ShowsInterimAnswersOfAGroupingJob) {
  folder_.write("log", "a\n");
  Background mrc = run_bare("count --follow --live=50ms " + path("log"));
  expect_out("a\t1\n\n");
  append("log", "a\n");
  expect_out("a\t1\n\na\t2\n\n");
  EXPECT_EQ(code_after_interrupt(&mrc), 0);
  EXPECT_EQ(folder_.read("out"), "a\t1\n\na\t2\n\na\t2\n");
}

// What was read before, by this job or another one, counts, and is not read again.
TEST_F(Follow, IsStoppedAndContinuedWithState) {
  folder_.write("log", "a\n");
  const string job = "count --follow --live=50ms --state " + path("state") + " " + path("log");
  {
    Background mrc = run_bare(job);
    expect_out("a\t1\n\n");
    append("log", "a\n");
    expect_out("a\t1\n\na\t2\n\n");
    EXPECT_EQ(code_after_interrupt(&mrc), 0);
    EXPECT_EQ(folder_.read("out"), "a\t1\n\na\t2\n\na\t2\n");
  }
  rename("log", "log.1");
  folder_.write("log", "a\n");
  Background mrc = run_bare(job);
  expect_out("a\t3\n\n");
  append("log", "a\n");
  expect_out("a\t3\n\na\t4\n\n");
  EXPECT_EQ(code_after_interrupt(&mrc), 0);
  EXPECT_EQ(folder_.read("out"), "a\t3\n\na\t4\n\na\t4\n");
  EXPECT_EQ(folder_.read("err"), "");
}

TEST_F(Follow, DiesOfTheSecondSigint) {
  const string fifo = path("full");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  string lines;
  for (int i = 0; i < 500000; ++i) lines += "line\n";
  folder_.write("log", lines);
  const int reader = open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  Background mrc("$MRC grep --follow line " + path("log") + " >" + fifo);
  pause_of_looks();
  mrc.send(SIGINT);
  pause_of_looks();
  mrc.send(SIGINT);
  const int status = mrc.wait();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  close(reader);
}

TEST_F(Follow, DiesOfSigterm) {
  folder_.write("log", "a\n");
  Background mrc = run_bare("grep --follow a " + path("log"));
  expect_out("a\n");
  mrc.send(SIGTERM);
  const int status = mrc.wait();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

// Rotations are more than a look apart, as those of any log are.
TEST_F(Follow, LosesNothingInRotationsUnderAWriterThatNeverStops) {
  constexpr int kRotations = 20, kLines = 100;
  string expected = "first\n";
  folder_.write("log", expected);
  Background mrc = run_bare("grep --follow '' " + path("log"));
  expect_out(expected);
  int line = 0;
  const auto write_lines = [&](int fd) {
    for (int i = 0; i < kLines / 2; ++i) {
      const string text = std::to_string(line++) + "\n";
      expected += text;
      ASSERT_EQ(::write(fd, text.data(), text.size()), std::ssize(text));
      if (i % 5 == 0) std::this_thread::sleep_for(1ms);
    }
  };
  for (int rotation = 0; rotation < kRotations; ++rotation) {
    const int old = open(path("log").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    const string first = "\n" + std::to_string(line) + "\n";
    write_lines(old);
    wait_until("the first line of a file is printed",
               [&] { return folder_.read("out").find(first) != string::npos; });
    rename("log", "log." + std::to_string(rotation));
    folder_.write("log", "");
    write_lines(old);  // the writer learns late that its file has another name
    close(old);
  }
  expect_out(expected);
  EXPECT_EQ(code_after_interrupt(&mrc), 0);
  EXPECT_EQ(folder_.read("out"), expected);
}

TEST_F(Follow, FollowsAFileThatIsCopiedAndTruncated) {
  folder_.write("log", "a 1\na 2\n");
  Background mrc = run_bare("grep -n --follow a " + path("log"));
  expect_out("1:a 1\n2:a 2\n");
  std::filesystem::copy_file(path("log"), path("log.1"));
  std::filesystem::resize_file(path("log"), 0);
  append("log", "a 3\n");
  expect_out("1:a 1\n2:a 2\n3:a 3\n");
}

TEST_F(Follow, CountsNothingTwiceThatIsCopied) {
  string lines;
  for (int i = 0; i < 2000; ++i) lines += "line " + std::to_string(i) + "\n";
  folder_.write("log", lines);
  Background mrc = run_bare("grep -c --follow line " + path("log"));
  wait_until_it_follows(mrc);
  folder_.write("new", lines + "line more\n");
  rename("new", "log");
  pause_of_looks();
  EXPECT_EQ(code_after_interrupt(&mrc), 0);
  EXPECT_EQ(folder_.read("out"), "2001\n");
}

TEST_F(Follow, WaitsForAFileThatIsRemoved) {
  folder_.write("log", "a 1\n");
  Background mrc = run_bare("grep --follow a " + path("log"));
  expect_out("a 1\n");
  std::filesystem::remove(path("log"));
  const string gone = "mrc: info: " + path("log") +
                      ": No such file or directory; it is followed again when it is back\n";
  expect_out(gone, "err");
  append("log", "a 2\n");
  expect_out("a 1\na 2\n");
  EXPECT_EQ(code_after_interrupt(&mrc), 0);
  EXPECT_EQ(folder_.read("err"), gone + "mrc: info: " + path("log") + ": is there again\n");
}

TEST_F(Follow, TakesTheHeaderOfARotatedFileForNoRecord) {
  folder_.write("log.csv", "name,n\nx,1\ny,2\n");
  Background mrc = run_bare("select -f csv -k name,n --follow " + path("log.csv"));
  expect_out("x\t1\ny\t2\n");
  rename("log.csv", "log.csv.1");
  folder_.write("log.csv", "name,n\nz,3\n");
  expect_out("x\t1\ny\t2\nz\t3\n");
  append("log.csv", "\"q\nr\",4\n\"s");
  expect_out("x\t1\ny\t2\nz\t3\nq\\nr\t4\n");
  append("log.csv", "\nt\",5\n");
  expect_out("x\t1\ny\t2\nz\t3\nq\\nr\t4\ns\\nt\t5\n");
  EXPECT_EQ(code_after_interrupt(&mrc), 0);
  EXPECT_EQ(folder_.read("err"), "");
}

TEST_F(Follow, NamesTheFirstBadRecordByItsLine) {
  folder_.write("log", "{\"a\":1}\n{\"a\":2}\n");
  for (const string options : {"", "--strict "}) {
    Background mrc = run_bare("select -k a --follow " + options + path("log"));
    wait_until_it_follows(mrc);
    append("log", "{\"a\":3}\n");
    pause_of_looks();
    append("log", "{\"a\":4}\nbad\n");
    if (options.empty()) {
      expect_out("1\n2\n3\n4\n");
      EXPECT_EQ(code_after_interrupt(&mrc), 0);
    } else {
      EXPECT_EQ(WEXITSTATUS(mrc.wait()), 2) << "it ends";
    }
    EXPECT_NE(folder_.read("err").find(path("log") + ":5: "), string::npos) << folder_.read("err");
    folder_.write("log", "{\"a\":1}\n{\"a\":2}\n");
  }
}

TEST_F(Follow, FindsOutTheFormatOfAFileThatIsEmptyAtFirst) {
  folder_.write("log", "");
  Background mrc = run_bare("select -k b --follow " + path("log"));
  wait_until_it_follows(mrc);
  append("log", "{\"a\":1,\"b\":2}\n");
  append("log", "{\"a\":3,\"b\":4}\n{\"a\":5,");
  expect_out("2\n4\n");
  append("log", "\"b\":6}\n");
  expect_out("2\n4\n6\n");
  EXPECT_EQ(code_after_interrupt(&mrc), 0);
}

TEST_F(Follow, TakesOneHeaderOfAFileThatIsEmptyAtFirst) {
  folder_.write("log", "");
  Background mrc = run_bare("stats -f csv -k name -a sum:n --follow --live=1000s " + path("log"));
  wait_until_it_follows(mrc);
  append("log", "name,n\n");
  pause_of_looks();
  append("log", "x,1\nx,2\n");
  pause_of_looks();
  EXPECT_EQ(code_after_interrupt(&mrc), 0);
  EXPECT_EQ(folder_.read("out"), "x\t3\n");
  EXPECT_EQ(folder_.read("err"), "");
}

TEST_F(Follow, MixesFilesAndPipes) {
  folder_.write("log", "a file 1\n");
  folder_.write("empty", "");
  const string fifo = path("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  Background mrc = run_bare("grep -n --no-filename --follow a " + path("log") + " " + fifo + " " +
                            path("empty"));
  string expected = "1:a file 1\n";
  expect_out(expected);
  const int feeder = open(fifo.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(write(feeder, "no\na pipe\na h", 13), 13);
  expect_out(expected += "2:a pipe\n");
  append("log", "a file 2\n");
  expect_out(expected += "2:a file 2\n");
  append("empty", "a new\n");
  expect_out(expected += "1:a new\n");
  close(feeder);
  expect_out(expected += "3:a h\n");
  append("log", "a file 3\n");
  expect_out(expected += "3:a file 3\n");
  EXPECT_EQ(code_after_interrupt(&mrc), 0);
}

TEST_F(Follow, EndsWithItsPipes) {
  const int status = run_shell(
      "(echo a 1; sleep 0.1; echo b; printf 'a 2') | timeout 60 $MRC grep "
      "--follow a >" +
      path("out"));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(folder_.read("out"), "a 1\na 2\n");
}

TEST_F(Follow, ReportsAPipeThatIsCompressed) {
  const int status = run_shell("echo a | gzip | timeout 60 $MRC grep --follow a 2>" + path("err"));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_EQ(folder_.read("err"),
            "mrc: error: standard input: a pipe that is followed cannot be compressed; decompress "
            "it before\n");
}

TEST_F(Follow, EndsWhenEnoughIsFound) {
  folder_.write("log", "a 1\n");
  Background mrc = run("grep -m2 --follow a " + path("log"));
  expect_out("a 1\n");
  append("log", "b\na 2\na 3\n");
  EXPECT_EQ(WEXITSTATUS(mrc.wait()), 0);
  EXPECT_EQ(folder_.read("out"), "a 1\na 2\n");
}

TEST_F(Follow, EndsWhenTheReaderLeavesAndNothingArrives) {
  folder_.write("log", "a 1\na 2\n");
  run_shell("(timeout 60 $MRC grep --follow a " + path("log") + " 2>" + path("err") +
            "; echo $? >" + path("code") + ") | head -1 >" + path("out"));
  EXPECT_EQ(folder_.read("out"), "a 1\n");
  EXPECT_EQ(folder_.read("code"), "0\n") << "124: it went on";
  EXPECT_EQ(folder_.read("err"), "");
}

TEST_F(Follow, WritesItsOutputFileAtTheEnd) {
  folder_.write("log", "a 1\n");
  Background mrc = run_bare("select --follow --output " + path("answer") + " " + path("log"));
  wait_until_it_follows(mrc);
  append("log", "a 2\n");
  pause_of_looks();
  EXPECT_FALSE(std::filesystem::exists(path("answer")));
  EXPECT_EQ(code_after_interrupt(&mrc), 0);
  EXPECT_EQ(folder_.read("answer"), "a 1\na 2\n");
}

TEST_F(Follow, ReadsCompressedFilesOnce) {
  folder_.write("log", "a 2\n");
  run_shell("echo a 1 | gzip >" + path("log.gz"));
  Background mrc = run_bare("grep --no-filename --follow a " + path("log.gz") + " " + path("log"));
  expect_out("a 1\na 2\n");
  append("log", "a 3\n");
  expect_out("a 1\na 2\na 3\n");
  EXPECT_EQ(code_after_interrupt(&mrc), 0);
}

// An explicit format holds, however little of the input is there at first.
TEST_F(Follow, ReadsAFileThatIsEmptyAtFirstByTheFormatAsked) {
  const struct {
    string options, records;
  } formats[] = {
      {"-f lines -k 1", "a b\nb c\n"},
      {"-f fields -k 2", "1 k2 x\n2 k3 x\n"},
      {"-d ' ' -k 2", "1 k2 x\n2 k3 x\n"},
      {"-d ' ' --columns n,k,x -k k", "1 k2 x\n2 k3 x\n"},
      {"-d ' ' --header-in yes -k k", "n k x\n1 k2 x\n2 k3 x\n"},
      {"-f csv -k k", "n,k\n1,a\n2,b\n"},
      {"-f csv --header-in no -k 2", "1,a\n2,b\n"},
      {"-f csv --columns n,k -k k", "1,a\n2,b\n"},
      {"-f tsv -k k", "n\tk\n1\ta\n2\tb\n"},
      {"-f json -k k", "{\"k\":\"a\"}\n{\"k\":\"b\"}\n"},
      {"-f ltsv -k k", "k:a\tn:1\nk:b\tn:2\n"},
      {"-f logfmt -k k", "k=a n=1\nk=b n=2\n"},
      {"-f combined -k status", R"(h - - [03/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "c"
h - - [03/Nov/2026:10:00:01 +0000] "GET / HTTP/1.1" 500 5 "-" "c"
)"},
      {"-f common -k status", R"(h - - [03/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 5
h - - [03/Nov/2026:10:00:01 +0000] "GET / HTTP/1.1" 500 5
)"},
      {"-f syslog -k program", "Nov  3 10:00:00 h sshd[1]: a\nNov  3 10:00:01 h cron[1]: b\n"},
      {"-f log -k level", "2026-11-03 10:00:00 INFO a\n2026-11-03 10:00:01 WARN b\n"},
      {"--regex '(?<n>[^ ]*) (?<k>[^ ]*)' -k k", "1 a\n2 b\n"},
      {"-f 'pattern:%{n} %{k}' -k k", "1 a\n2 b\n"},
      {"--record-start '^[0-9]' -d ' ' -k 2", "1 a x\n y\n2 b\n"},
  };
  for (const auto &[options, records] : formats) {
    SCOPED_TRACE(options);
    folder_.write("whole", records);
    folder_.write("empty", "");
    const auto answer = [&](const string &inputs) {
      EXPECT_EQ(run_shell("cd " + path(".") + "; timeout 60 $MRC count " + options + " " + inputs +
                          " >expected 2>err"),
                0)
          << folder_.read("err");
      return folder_.read("expected");
    };
    const string expected = answer("whole");
    EXPECT_NE(expected, "");
    EXPECT_EQ(answer("empty whole"), expected);
    EXPECT_EQ(answer("- <whole"), expected);
    EXPECT_EQ(answer("empty"), "");
    EXPECT_EQ(answer("- <empty"), "");
    if (options.starts_with("--record-start")) continue;  // cannot be followed
    folder_.write("log", "");
    Background mrc = run_bare("count --follow --live=1000s " + options + " " + path("log"));
    wait_until_it_follows(mrc);
    append("log", records);
    pause_of_looks();
    EXPECT_EQ(code_after_interrupt(&mrc), 0) << folder_.read("err");
    EXPECT_EQ(folder_.read("out"), expected);
  }
}

TEST_F(Follow, RefusesAFieldThatTheFormatAskedCannotHaveAtOnce) {
  folder_.write("log", "");
  EXPECT_EQ(WEXITSTATUS(run_shell("timeout 20 $MRC count -d ' ' -k name --follow " + path("log") +
                                  " 2>" + path("err"))),
            2);
  EXPECT_NE(folder_.read("err").find("no field \"name\""), string::npos) << folder_.read("err");
}

TEST_F(Follow, RefusesWhatCannotGoOn) {
  folder_.write("log", "a 1\n");
  for (const string arguments :
       {"sort --follow ", "count --follow --explain ", "count --follow --io mmap ",
        "count --follow --live=order ", "count --follow --checkpoint x "}) {
    const int status = run_shell("cd " + path(".") + "; timeout 20 $MRC " + arguments +
                                 path("log") + " 2>" + path("err"));
    EXPECT_EQ(WEXITSTATUS(status), 2) << arguments;
    EXPECT_NE(folder_.read("err").find("--follow"), string::npos) << folder_.read("err");
  }
}

}  // namespace
}  // namespace mrc
