#include "output/output.h"
#include "output/zstd_frame.h"
#include "support/temporary_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mrc {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<OutputFile> opened(const std::string &path) {
  Result<std::unique_ptr<OutputFile>> file = OutputFile::open(path);
  EXPECT_TRUE(file.is_ok()) << file.status().message();
  return file.is_ok() ? std::move(*file) : nullptr;
}

// Writes a whole file.
void put(const std::string &path, const std::string &text) {
  std::unique_ptr<OutputFile> file = opened(path);
  ASSERT_NE(file, nullptr);
  EXPECT_TRUE(file->write(text).is_ok());
  Status status = file->commit();
  EXPECT_TRUE(status.is_ok()) << status.message();
}

int mode_of(const std::string &path) {
  struct stat info = {};
  EXPECT_EQ(stat(path.c_str(), &info), 0);
  return info.st_mode & 07777;
}

class OutputFileTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(OutputFileTest, AppearsOnlyWhenItIsCommitted) {
  const std::string path = folder_.path("out");
  std::unique_ptr<OutputFile> file = opened(path);
  EXPECT_TRUE(file->write("one ").is_ok());
  EXPECT_TRUE(file->write("").is_ok());
  EXPECT_TRUE(file->write("two").is_ok());
  EXPECT_FALSE(fs::exists(path));
  EXPECT_LE(folder_.files(), 1);  // if it needs a name, it has another one
  EXPECT_TRUE(file->commit().is_ok());
  EXPECT_EQ(folder_.read("out"), "one two");
  file.reset();
  EXPECT_EQ(folder_.read("out"), "one two");
  EXPECT_EQ(folder_.files(), 1);
}

// Frames do not depend on the sizes of what is written.
TEST_F(OutputFileTest, CompressesAllThatIsWritten) {
  const std::string text(3'000'000, 'x');
  std::unique_ptr<OutputFile> whole = opened(folder_.path("whole.zst"));
  std::unique_ptr<OutputFile> pieces = opened(folder_.path("pieces.zst"));
  std::unique_ptr<OutputFile> none = opened(folder_.path("none.zst"));
  for (OutputFile *file : {whole.get(), pieces.get(), none.get()}) file->compress();
  EXPECT_TRUE(whole->write(text).is_ok());
  for (size_t at = 0; at < text.size(); at += 7000) {
    EXPECT_TRUE(pieces->write(Bytes(text).substr(at, 7000)).is_ok());
  }
  for (OutputFile *file : {whole.get(), pieces.get(), none.get()}) {
    EXPECT_TRUE(file->commit().is_ok());
  }
  const std::string first = zstd_frame(text.substr(0, size_t{1} << 20));
  const std::string last = zstd_frame(text.substr(size_t{2} << 20));
  EXPECT_EQ(folder_.read("whole.zst"), first + first + last);
  EXPECT_EQ(folder_.read("pieces.zst"), first + first + last);
  EXPECT_EQ(folder_.read("none.zst"), zstd_frame({}));
}

// /tmp is on another file system than the usual folder, where that is in memory.
TEST_F(OutputFileTest, MayGrowElsewhereAndGoOn) {
  const TemporaryFolder other(fs::path("/tmp"));
  for (const TemporaryFolder *target :
       std::initializer_list<const TemporaryFolder *>{&folder_, &other}) {
    const std::string place = folder_.path("text"), path = target->path("out");
    {
      std::unique_ptr<OutputFile> file = std::move(*OutputFile::open_at(place, path));
      ASSERT_TRUE(file->go_on_after(0).is_ok());
      EXPECT_TRUE(file->write("12345678").is_ok());
      EXPECT_TRUE(file->sync().is_ok());
    }
    EXPECT_EQ(folder_.read("text"), "12345678");
    EXPECT_FALSE(fs::exists(path));
    std::unique_ptr<OutputFile> file = std::move(*OutputFile::open_at(place, path));
    ASSERT_TRUE(file->go_on_after(4).is_ok());
    EXPECT_EQ(file->bytes(), 4);
    EXPECT_TRUE(file->write("abc").is_ok());
    const Status status = file->commit();
    EXPECT_TRUE(status.is_ok()) << status.message();
    EXPECT_EQ(target->read("out"), "1234abc");
    put(folder_.path("usual"), "");
    EXPECT_EQ(mode_of(path), mode_of(folder_.path("usual")));
    fs::remove(place);
  }
  EXPECT_FALSE(OutputFile::open_at(folder_.path("text"), "/dev/null").is_ok());
  EXPECT_FALSE(OutputFile::open_at(folder_.path("text"), "-").is_ok());
}

TEST_F(OutputFileTest, LeavesNothingBehindWithoutCommit) {
  opened(folder_.path("out"))->write("text").is_ok();
  EXPECT_EQ(folder_.files(), 0);
  folder_.write("old", "old");
  opened(folder_.path("old"))->write("new").is_ok();
  EXPECT_EQ(folder_.read("old"), "old");
  EXPECT_EQ(folder_.files(), 1);
}

TEST_F(OutputFileTest, KeepsThePermissionsOfWhatItReplaces) {
  folder_.write("out", "a longer old text");
  ASSERT_EQ(chmod(folder_.path("out").c_str(), 0640), 0);
  put(folder_.path("out"), "new");
  EXPECT_EQ(folder_.read("out"), "new");
  EXPECT_EQ(mode_of(folder_.path("out")), 0640);
}

// With them any user that runs the file would be the new owner.
TEST_F(OutputFileTest, DropsSetUidAndSetGidOfOthers) {
  if (geteuid() != 0) GTEST_SKIP() << "only root replaces files of others";
  const struct {
    uid_t owner, group;
    int mode;
  } cases[] = {{0, 0, 06755}, {1234, 0, 0755}, {0, 1234, 0755}, {1234, 1234, 0755}};
  for (const auto &old : cases) {
    const std::string path = folder_.write("out", "old");
    ASSERT_EQ(chown(path.c_str(), old.owner, old.group), 0);
    ASSERT_EQ(chmod(path.c_str(), 06755), 0);
    put(path, "new");
    EXPECT_EQ(mode_of(path), old.mode) << old.owner << ":" << old.group;
    fs::remove(path);
  }
}

TEST_F(OutputFileTest, HasTheUsualPermissionsWhenItIsNew) {
  const mode_t before = umask(027);
  put(folder_.path("out"), "text");
  EXPECT_EQ(umask(before), 027u) << "the mask must be as it was";
  EXPECT_EQ(mode_of(folder_.path("out")), 0640);
}

TEST_F(OutputFileTest, LeavesASymbolicLinkAndReplacesItsTarget) {
  fs::create_directory(folder_.path("there"));
  folder_.write("there/target", "old");
  fs::create_symlink("there/target", folder_.path("link"));
  put(folder_.path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(folder_.path("link")));
  EXPECT_EQ(folder_.read("there/target"), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path("there")), {}), 1);
}

// As a shell's > does.
TEST_F(OutputFileTest, CreatesTheTargetOfADanglingLink) {
  fs::create_symlink("target", folder_.path("link"));
  put(folder_.path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(folder_.path("link")));
  EXPECT_EQ(folder_.read("target"), "new");
  fs::remove(folder_.path("target"));
  fs::create_directory(folder_.path("there"));
  fs::create_symlink("../link", folder_.path("there/relative"));
  fs::create_symlink(folder_.path("there/relative"), folder_.path("absolute"));
  put(folder_.path("absolute"), "newer");
  EXPECT_EQ(folder_.read("target"), "newer");
  for (const char *link : {"link", "there/relative", "absolute"}) {
    EXPECT_TRUE(fs::is_symlink(folder_.path(link))) << link;
  }
}

TEST_F(OutputFileTest, CannotBeALinkToItself) {
  fs::create_symlink("b", folder_.path("a"));
  fs::create_symlink("a", folder_.path("b"));
  EXPECT_FALSE(OutputFile::open(folder_.path("a")).is_ok());
  EXPECT_EQ(folder_.files(), 2);
}

TEST_F(OutputFileTest, MayBeNamedRelativeToTheFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path(""));
  put("new", "1");
  put("./new", "2");
  put("new", "3");
  fs::current_path(before);
  EXPECT_EQ(folder_.read("new"), "3");
  EXPECT_EQ(folder_.files(), 1);
}

TEST_F(OutputFileTest, TakesTheLongestNamesThereAre) {
  const std::string name(255, 'n');
  Result<std::unique_ptr<OutputFile>> file = OutputFile::open(folder_.path(name));
  ASSERT_TRUE(file.is_ok()) << file.status().message().substr(0, 40) << " ...";
  EXPECT_TRUE((*file)->commit().is_ok());
  EXPECT_TRUE(fs::exists(folder_.path(name)));
}

TEST_F(OutputFileTest, CannotBeAFolderOrInNone) {
  EXPECT_EQ(OutputFile::open(folder_.path("")).status().message(),
            folder_.path("") + ": is a directory");
  EXPECT_EQ(OutputFile::open(folder_.path("none/out")).status().message(),
            folder_.path("none/out") + ": No such file or directory");
  folder_.write("file", "");
  EXPECT_EQ(OutputFile::open(folder_.path("file/out")).status().message(),
            folder_.path("file/out") + ": Not a directory");
  EXPECT_EQ(folder_.files(), 1);
}

TEST_F(OutputFileTest, CannotHaveAnEmptyName) { EXPECT_FALSE(OutputFile::open("").is_ok()); }

TEST_F(OutputFileTest, SaysThatADeviceIsFull) {
  std::unique_ptr<OutputFile> file = opened("/dev/full");
  Status status = file->write("text");
  ASSERT_FALSE(status.is_ok());
  EXPECT_EQ(status.message(), "/dev/full: cannot write: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(OutputFileTest, SaysWhenItsPlaceIsGone) {
  fs::create_directory(folder_.path("there"));
  std::unique_ptr<OutputFile> file = opened(folder_.path("there/out"));
  fs::remove_all(folder_.path("there"));
  EXPECT_EQ(file->commit().message(),
            folder_.path("there/out") + ": cannot write: No such file or directory");
}

TEST_F(OutputFileTest, IsStandardOutputForADash) {
  fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  const int target = open(folder_.path("out").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  dup2(target, STDOUT_FILENO);
  put("-", "to standard output");
  dup2(before, STDOUT_FILENO);
  close(before);
  close(target);
  EXPECT_EQ(folder_.read("out"), "to standard output");
  EXPECT_GE(fcntl(STDOUT_FILENO, F_GETFD), 0) << "must stay open";
}

TEST_F(OutputFileTest, NoticesThatNobodyReadsAPipe) {
  signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  for (bool asked : {false, true}) {
    std::unique_ptr<OutputFile> file = opened("/dev/fd/" + std::to_string(ends[1]));
    ASSERT_NE(file, nullptr);
    if (!asked) {
      EXPECT_FALSE(file->reader_left());
      EXPECT_TRUE(file->write("text").is_ok());
      EXPECT_FALSE(file->abandoned());
      close(ends[0]);
      EXPECT_TRUE(file->write("text").is_ok());  // no error, as a shell user expects
    } else {
      close(ends[0]);
      EXPECT_TRUE(file->reader_left());
    }
    EXPECT_TRUE(file->abandoned());
    EXPECT_TRUE(file->write("more").is_ok());
    EXPECT_TRUE(file->commit().is_ok());
    close(ends[1]);
    if (asked) break;
    ASSERT_EQ(pipe(ends), 0);
  }
}

}  // namespace
}  // namespace mrc
