#include "input/input.h"
#include "input/stream.h"
#include "support/temporary_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

namespace mrc {
namespace {

TEST(Examine, KnowsTheSizeOfAFile) {
  TemporaryFolder folder;
  Result<Source> source = examine(folder.write("f", "12345"));
  ASSERT_TRUE(source.is_ok());
  EXPECT_FALSE(source->stream);
  EXPECT_EQ(source->begin, 0);
  EXPECT_EQ(source->end, 5);
  EXPECT_EQ(source->name(), folder.path("f"));
}

TEST(Examine, TakesEmptyFilesFifosDevicesAndProcForStreams) {
  TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.path("fifo").c_str(), 0600), 0);
  for (const std::string &path : {folder.write("empty", ""), folder.path("fifo"),
                                  std::string("/dev/null"), std::string("/proc/self/status")}) {
    Result<Source> source = examine(path);  // must not wait for a writer
    ASSERT_TRUE(source.is_ok()) << path;
    EXPECT_TRUE(source->stream) << path;
    EXPECT_EQ(source->end, 0) << path;
  }
}

TEST(Examine, RefusesFoldersAndWhatIsMissing) {
  TemporaryFolder folder;
  EXPECT_EQ(examine(folder.path("none")).status().message(),
            folder.path("none") + ": No such file or directory");
  EXPECT_EQ(examine(folder.path(".")).status().message(),
            folder.path(".") + ": is a directory; name the files in it");
  EXPECT_EQ(examine(folder.write("f", "") + "/g").status().message(),
            folder.path("f") + "/g: Not a directory");
  EXPECT_FALSE(examine("").is_ok());
}

TEST(Examine, FollowsSymbolicLinks) {
  TemporaryFolder folder;
  folder.write("f", "123");
  ASSERT_EQ(symlink("f", folder.path("link").c_str()), 0);
  ASSERT_EQ(symlink("none", folder.path("dangling").c_str()), 0);
  EXPECT_EQ(examine(folder.path("link"))->end, 3);
  EXPECT_FALSE(examine(folder.path("dangling")).is_ok());
}

// Puts a file in the place of standard input while it lives.
class StandardInput {
 public:
  explicit StandardInput(const std::string &path) : before_(dup(STDIN_FILENO)) {
    int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    dup2(fd, STDIN_FILENO);
    close(fd);
  }
  ~StandardInput() {
    before_ >= 0 ? dup2(before_, STDIN_FILENO) : close(STDIN_FILENO);
    if (before_ >= 0) close(before_);
  }

 private:
  int before_;
};

TEST(Examine, BeginsWhereStandardInputStands) {
  TemporaryFolder folder;
  StandardInput input(folder.write("f", "0123456789"));
  char two[2];
  ASSERT_EQ(read(STDIN_FILENO, two, 2), 2);
  Result<Source> source = examine("-");
  ASSERT_TRUE(source.is_ok());
  EXPECT_FALSE(source->stream);
  EXPECT_EQ(source->begin, 2);
  EXPECT_EQ(source->end, 10);
  EXPECT_EQ(source->name(), "standard input");

  Result<InputFile> file = InputFile::open(*source);
  ASSERT_TRUE(file.is_ok());
  char text[4];
  EXPECT_EQ(*file->read_at(2, text, 4), 4);
  EXPECT_EQ(Bytes(text, 4), "2345");
}

TEST(Examine, BeginsAtMostAtTheEnd) {
  TemporaryFolder folder;
  StandardInput input(folder.write("f", "0123"));
  lseek(STDIN_FILENO, 100, SEEK_SET);
  EXPECT_EQ(examine("-")->begin, 4);
}

TEST(InputFile, ReadsAtAnyOffset) {
  TemporaryFolder folder;
  const Source source{.path = folder.write("f", "0123456789")};
  Result<InputFile> file = InputFile::open(source);
  ASSERT_TRUE(file.is_ok());
  char text[20];
  EXPECT_EQ(*file->read_at(3, text, 4), 4);
  EXPECT_EQ(Bytes(text, 4), "3456");
  EXPECT_EQ(*file->read_at(8, text, 20), 2);
  EXPECT_EQ(*file->read_at(10, text, 20), 0);
  EXPECT_EQ(*file->read_at(1000, text, 20), 0);
  EXPECT_EQ(*file->read_at(0, text, 0), 0);
}

TEST(InputFile, ReadsStreamsToTheirEnd) {
  TemporaryFolder folder;
  Result<InputFile> file = InputFile::open({.path = folder.write("f", "abc"), .stream = true});
  ASSERT_TRUE(file.is_ok());
  char text[20];
  EXPECT_EQ(*file->read(text, 2), 2);
  EXPECT_EQ(*file->read(text, 20), 1);
  EXPECT_EQ(text[0], 'c');
  EXPECT_EQ(*file->read(text, 20), 0);
}

TEST(InputFile, SaysWhatWentWrong) {
  TemporaryFolder folder;
  EXPECT_EQ(InputFile::open({.path = folder.path("none")}).status().message(),
            folder.path("none") + ": No such file or directory");
  Result<InputFile> directory = InputFile::open({.path = folder.path("")});
  ASSERT_TRUE(directory.is_ok());
  char text[4];
  EXPECT_EQ(directory->read_at(7, text, 4).status().message(),
            folder.path("") + ": offset 7: Is a directory");
  EXPECT_EQ(directory->read(text, 4).status().message(), folder.path("") + ": Is a directory");
}

TEST(InputFile, IsClosedByItsLastOwner) {
  int fd;
  {
    InputFile last;
    {
      Result<InputFile> file = InputFile::open({.path = "/dev/null"});
      ASSERT_TRUE(file.is_ok());
      fd = file->fd();
      last = std::move(*file);
    }
    EXPECT_EQ(last.fd(), fd);
    EXPECT_NE(fcntl(fd, F_GETFD), -1);
    InputFile moved(std::move(last));
    EXPECT_EQ(last.fd(), -1);
  }
  EXPECT_EQ(fcntl(fd, F_GETFD), -1);
}

class Command : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left"; }
};

TEST_F(Command, IsThatOfTheUserWhateverTheName) {
  EXPECT_EQ(examine("a'b", "x {} y{}")->command, "x {} y{}");
  EXPECT_EQ(examine("{} c", "x")->command, "x");
  const Result<Source> source = examine("/no/such/{}", "cat {}");
  ASSERT_TRUE(source.is_ok());
  EXPECT_TRUE(source->stream && source->is_independent() && !is_named_file(*source));
  EXPECT_EQ(source->name(), "/no/such/{}");
  EXPECT_FALSE(examine("/no/such", "").is_ok());
}

TEST_F(Command, PrintsTheInput) {
  Result<InputFile> opened = InputFile::open(*examine("a  b", "echo {}; cat"));
  ASSERT_TRUE(opened.is_ok());
  InputFile moved, file(std::move(*opened));
  moved = std::move(file);
  char text[20];
  EXPECT_EQ(*moved.read(text, 20), 5);
  EXPECT_EQ(Bytes(text, 5), "a  b\n");
  EXPECT_EQ(*moved.read(text, 20), 0);
}

TEST_F(Command, ThatFailsIsAnErrorInPlaceOfTheEnd) {
  const std::pair<const char *, const char *> failures[] = {
      {"echo; exit 3 #", "exit status 3"},
      {"echo; kill -TERM $$ #", "Terminated"},
      {"echo; /no/such/program 2>/dev/null", "exit status 127"}};
  for (const auto &[form, reason] : failures) {
    const Source source = *examine("in", form);
    Result<InputFile> file = InputFile::open(source);
    ASSERT_TRUE(file.is_ok());
    BufferedReader reader(std::move(*file));
    const std::string message = "in: " + source.command + ": " + reason;
    EXPECT_EQ(*reader.peek(1), "\n");
    EXPECT_EQ(reader.peek(2).status().message(), message);
    EXPECT_EQ(reader.peek(2).status().message(), message);  // it does not become an end
    char text[2];
    EXPECT_EQ(*reader.read(text, 2), 1);
    EXPECT_EQ(reader.read(text, 2).status().message(), message);
    EXPECT_EQ(reader.peek(1).status().message(), message);
  }
}

TEST_F(Command, EndsWhenNothingReadsOn) {
  for (const char *form : {"yes", "exec sleep 1000 #", "yes | cat #"}) {
    ASSERT_TRUE(InputFile::open(*examine("x", form)).is_ok());
  }
}

}  // namespace
}  // namespace mrc
