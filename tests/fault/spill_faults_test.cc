// Spilling to a disk that is full or not there, and being killed meanwhile: one clear
// line, and no file left.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <cstdio>

namespace mrc {
namespace {

using std::string;

// Lines that are all different, in no order.
string many_lines(int lines) {
  string text;
  for (unsigned i = 0; i < static_cast<unsigned>(lines); ++i) {
    text += std::to_string(i * 2654435761u) + " some more bytes " + std::to_string(i) + "\n";
  }
  return text;
}

class Spilling : public testing::TestWithParam<const char *> {
 protected:
  // Runs the verb in little memory; returns its exit status.
  int run(const string &tmpdir, const string &before = "", const string &memory = "1M") {
    const int status = run_shell(before + "$MRC " + GetParam() + " -j3 --split 64K --memory " +
                                 memory + " --tmpdir " + tmpdir + " -o " + out_.path("answer") +
                                 " " + in_.path("in") + " 2>" + in_.path("err"));
    return WEXITSTATUS(status);
  }
  string error() const { return in_.read("err"); }

  TemporaryFolder in_, out_, tmpdir_;
};

TEST_P(Spilling, ToAFullDiskIsOneLineAndLeavesNothing) {
  in_.write("in", many_lines(100000));
  const bool mounted = mount("none", tmpdir_.path("").c_str(), "tmpfs", MS_NOSUID, "size=1m") == 0;
  const int code = run(tmpdir_.path("."), mounted ? "" : "ulimit -f 1000; ");
  EXPECT_EQ(code, 2);
  EXPECT_EQ(error(), "mrc: error: " + tmpdir_.path(".") + ": " +
                         (mounted ? "No space left on device" : "File too large") +
                         " while spilling; free space there or choose another --tmpdir\n");
  EXPECT_EQ(tmpdir_.files(), 0);
  EXPECT_EQ(out_.files(), 0);
  if (mounted) umount(tmpdir_.path("").c_str());
}

TEST_P(Spilling, ToALimitedFileIsOneLineAndLeavesNothing) {
  in_.write("in", many_lines(100000));
  EXPECT_EQ(run(tmpdir_.path("."), "ulimit -f 1000; "), 2);
  EXPECT_EQ(error(), "mrc: error: " + tmpdir_.path(".") +
                         ": File too large while spilling; free space there or choose another "
                         "--tmpdir\n");
  EXPECT_EQ(tmpdir_.files() + out_.files(), 0);
}

TEST_P(Spilling, NeedsAFolderThatCanBeWrittenTo) {
  in_.write("in", many_lines(20000));
  const string file = in_.write("file", "");
  EXPECT_EQ(run(tmpdir_.path("missing")), 2);
  EXPECT_EQ(error(), "mrc: error: --tmpdir: " + tmpdir_.path("missing") +
                         ": No such file or directory; name a directory that can be written to\n");
  EXPECT_EQ(run(file), 2);
  EXPECT_EQ(error(), "mrc: error: --tmpdir: " + file +
                         ": Not a directory; name a directory that can be written to\n");
  EXPECT_EQ(run("/proc/self"), 2);
  const string message = error();
  EXPECT_TRUE(message.starts_with("mrc: error: --tmpdir: /proc/self: ")) << message;
  EXPECT_EQ(message.find('\n'), message.size() - 1);
  EXPECT_EQ(out_.files(), 0);
}

// Feeds a fifo until something has been spilled for sure, then sends the signal.
TEST_P(Spilling, LeavesNothingWhenASignalEndsIt) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer holds signals back while open() or a lock waits";
#endif
  ASSERT_EQ(mkfifo(in_.path("fifo").c_str(), 0600), 0);
  const string text = many_lines(100000);
  for (int signal : {SIGKILL, SIGINT, SIGTERM}) {
    Background mrc(string("\"$MRC\" ") + GetParam() + " -j2 --memory 1M --tmpdir " +
                   tmpdir_.path(".") + " -o " + out_.path("answer") + " " + in_.path("fifo"));
    FILE *fifo = fopen(in_.path("fifo").c_str(), "w");
    ASSERT_EQ(fwrite(text.data(), 1, text.size(), fifo), text.size());
    fflush(fifo);
    auto spilled = [&] {
      for (int fd = 3; fd < 30; ++fd) {
        const string link = "/proc/" + std::to_string(mrc.id()) + "/fd/" + std::to_string(fd);
        struct stat file;
        std::error_code none;
        const string target = std::filesystem::read_symlink(link, none).string();
        if (target.ends_with("(deleted)") && stat(link.c_str(), &file) == 0 && file.st_size > 0) {
          return true;
        }
      }
      return false;
    };
    EXPECT_TRUE(wait_until("something is spilled", spilled));
    EXPECT_EQ(tmpdir_.files(), 0);  // without names from the start
    mrc.send(signal);
    const int status = mrc.wait();
    fclose(fifo);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << status;
    EXPECT_EQ(tmpdir_.files(), 0);
    EXPECT_EQ(out_.files(), 0);
    std::filesystem::remove_all(out_.path(""));
    std::filesystem::create_directory(out_.path(""));
  }
}

#if !defined(MRC_SANITIZED)
// MiB at most in memory, as --stats says.
double peak_of(const string &stats) {
  const size_t line = stats.find("memory  ");
  if (line == string::npos) ADD_FAILURE() << stats;
  return line == string::npos ? 0 : std::stod(stats.substr(line + 8));
}

// What --memory promises: the resident set is below the limit and 64 MB.
TEST_P(Spilling, KeepsItsPromise) {
  in_.write("in", many_lines(500000));
  EXPECT_EQ(run(tmpdir_.path(".") + " --stats", "", "8M"), 0);
  EXPECT_LT(peak_of(error()), 8 + 64) << error();
}

// Rows of a partition that is divided leave part by part.
TEST(OnePartition, KeepsThePromise) {
  TemporaryFolder folder;
  folder.write("in", many_lines(1500000));
  const string count = "$MRC count -j1 --memory 8M --engine partitions=1 --stats " +
                       folder.path("in") + " 2>" + folder.path("err") + " >" + folder.path("out");
  EXPECT_EQ(run_shell(count), 0);
  EXPECT_LT(peak_of(folder.read("err")), 8 + 64) << folder.read("err");
}

// One group with a large state, which no record may be staged with.
class Histograms : public testing::TestWithParam<const char *> {};

TEST_P(Histograms, KeepThePromiseInAnyMemory) {
  TemporaryFolder folder;
  folder.write("in", many_lines(20000));
  const string hist = string("$MRC hist 1 -f fields --stats ") + GetParam() + " " +
                      folder.path("in") + " 2>" + folder.path("err") + " >" + folder.path("out");
  EXPECT_EQ(run_shell(hist), 0);
  EXPECT_LT(peak_of(folder.read("err")), 1 + 64) << folder.read("err");
}

INSTANTIATE_TEST_SUITE_P(Memory, Histograms,
                         testing::Values("-j1 --memory 512K", "-j1 --memory 512K --to table",
                                         "-j1 --memory 1 --log", "-j4 --split 20K --memory 1M",
                                         "-j1 --engine hot=0"));
#endif

INSTANTIATE_TEST_SUITE_P(Verbs, Spilling,
                         testing::Values("sort", "sort -k 2", "count", "distinct --stable",
                                         "index --positions file"),
                         [](const auto &verb) {
                           string name;
                           for (char c : string(verb.param)) {
                             if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
                           }
                           return name;
                         });

}  // namespace
}  // namespace mrc
