// mrc select -o with fields in braces: jobs that cannot end leave no files, and replace none.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace mrc {
namespace {

using std::string;
namespace fs = std::filesystem;

class NamedFilesFaults : public testing::Test {
 protected:
  NamedFilesFaults() { fs::create_directory(path("dir")); }

  string path(const string &name) const { return folder_.path(name); }
  int run(const string &arguments) const {
    const int status =
        run_shell("cd " + path("") + "; timeout 60 $MRC " + arguments + " >out 2>err </dev/null");
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  string error() const { return folder_.read("err"); }
  // The paths of all files below the directory, sorted.
  std::vector<string> files() const {
    std::vector<string> all;
    for (const auto &entry : fs::recursive_directory_iterator(path("dir"))) {
      if (fs::is_directory(entry.symlink_status())) continue;
      all.push_back(entry.path().lexically_relative(path("dir")));
    }
    std::ranges::sort(all);
    return all;
  }
  // Records of five files, which do not fit in what waits in memory.
  static string records() {
    string text;
    for (int i = 0; i < 100000; ++i) {
      text += std::to_string(i % 5) + " " + std::to_string(i) + "\n";
    }
    return text;
  }

  TemporaryFolder folder_;
};

// A job that has written to files, and waits for more input.
class Waiting : public NamedFilesFaults {
 protected:
  Waiting() {
    mkfifo(path("fifo").c_str(), 0600);
    mrc_.emplace("\"$MRC\" select -f fields --memory 1M -o '" + path("dir") + "/{1}/{1}.txt' " +
                 path("fifo") + " 2>" + path("err"));
    fifo_.open(path("fifo"));
    fifo_ << records() << std::flush;
    EXPECT_TRUE(wait_until("it has files", [&] { return files().size() == 5; }));
  }
  int end() {
    fifo_.close();
    return mrc_->wait();
  }

  std::optional<Background> mrc_;
  std::ofstream fifo_;
};

class Signalled : public Waiting, public testing::WithParamInterface<int> {};

TEST_P(Signalled, LeavesNothing) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the thread sanitizer holds signals back while open() or a lock waits";
#endif
  mrc_->send(GetParam());
  EXPECT_TRUE(WIFSIGNALED(mrc_->wait()));
  EXPECT_TRUE(fs::is_empty(path("dir")));
}

INSTANTIATE_TEST_SUITE_P(Signals, Signalled, testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST_F(Waiting, KilledJobsAreCleanedUpByTheNext) {
  mrc_->send(SIGKILL);
  mrc_->wait();
  const std::vector<string> left = files();
  ASSERT_EQ(left.size(), 5u);
  for (const string &file : left) EXPECT_TRUE(file.starts_with(".mrc-files-")) << file;
  folder_.write("in", "a 1\n");
  EXPECT_EQ(run("select -f fields -o 'dir/{1}' in"), 0) << error();
  EXPECT_EQ(files(), std::vector<string>{"a"});
}

// A job that lives keeps its files when another one begins.
TEST_F(Waiting, OthersLeaveItsFilesAlone) {
  folder_.write("in", "a 1\n");
  EXPECT_EQ(run("select -f fields -o 'dir/{1}' in"), 0) << error();
  EXPECT_EQ(end(), 0);
  EXPECT_EQ(files(),
            (std::vector<string>{"0/0.txt", "1/1.txt", "2/2.txt", "3/3.txt", "4/4.txt", "a"}));
}

TEST_F(Waiting, FilesThatAppearMeanwhileAreNotReplaced) {
  fs::create_directory(path("dir/3"));
  folder_.write("dir/3/3.txt", "mine\n");
  EXPECT_NE(end(), 0);
  EXPECT_EQ(error(), "mrc: error: " + path("dir") +
                         "/3/3.txt: is there already; remove it, or replace such files by "
                         "--force\n");
  EXPECT_EQ(files(), std::vector<string>{"3/3.txt"});
  EXPECT_EQ(folder_.read("dir/3/3.txt"), "mine\n");
}

TEST_F(Waiting, LinksThatAppearMeanwhileAreNotFollowed) {
  fs::create_directory(path("elsewhere"));
  fs::create_directory_symlink(path("elsewhere"), path("dir/4"));
  EXPECT_NE(end(), 0);
  EXPECT_EQ(error(), "mrc: error: " + path("dir") +
                         "/4: is no directory, or a symbolic link, which is not followed\n");
  EXPECT_TRUE(fs::is_empty(path("elsewhere")));
  EXPECT_EQ(files(), std::vector<string>{"4"});
}

TEST_F(NamedFilesFaults, AFullDiskLeavesNothing) {
  const string dir = path("dir");
  if (mount("none", dir.c_str(), "tmpfs", MS_NOSUID, "size=512k") != 0) GTEST_SKIP() << "not root";
  folder_.write("dir/3", "old\n");
  folder_.write("in", records());
  EXPECT_EQ(run("select -f fields --force -o 'dir/{1}' in"), 2);
  EXPECT_TRUE(error().ends_with(": cannot write: No space left on device\n")) << error();
  EXPECT_EQ(files(), std::vector<string>{"3"});
  EXPECT_EQ(folder_.read("dir/3"), "old\n");
  EXPECT_EQ(mount("none", dir.c_str(), "tmpfs", MS_NOSUID | MS_REMOUNT, "size=64m"), 0);
  EXPECT_EQ(run("select -f fields --force -o 'dir/{1}' in"), 0) << error();
  EXPECT_EQ(files().size(), 5u);
  umount2(dir.c_str(), MNT_DETACH);
}

TEST_F(NamedFilesFaults, AReadOnlyDirectoryIsRefused) {
  const string dir = path("dir");
  if (mount("none", dir.c_str(), "tmpfs", MS_NOSUID | MS_RDONLY, "") != 0) {
    GTEST_SKIP() << "not root";
  }
  folder_.write("in", "a 1\n");
  EXPECT_EQ(run("select -f fields -o 'dir/{1}' in"), 2);
  EXPECT_EQ(error(),
            "mrc: error: dir: cannot create a directory for temporary files: Read-only file "
            "system\n");
  umount2(dir.c_str(), MNT_DETACH);
}

TEST_F(NamedFilesFaults, TooManyNamesAreRefused) {
  string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + "\n";
  folder_.write("in", text);
  EXPECT_EQ(run("select -f fields --memory 1M -o 'dir/{1}' in"), 2);
  EXPECT_TRUE(
      error().ends_with(" files are named already, and the names of more take more than a "
                        "quarter of the memory; name files by something coarser, or raise "
                        "--memory\n"))
      << error();
  EXPECT_TRUE(fs::is_empty(path("dir")));
}

TEST_F(NamedFilesFaults, DamagedInputStillNamesFiles) {
  folder_.write("in", records());
  ASSERT_EQ(run_shell("cd " + path("") + "; gzip in; head -c 50000 in.gz >cut.gz"), 0);
  EXPECT_EQ(run("select -f fields -o 'dir/{1}' cut.gz"), 3) << error();
  EXPECT_EQ(files().size(), 5u);
}

}  // namespace
}  // namespace mrc
