#include "store/store.h"
#include "support/run_bytes.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace mrc {
namespace {

using std::string;

Status put_text(const RunFile &file, i64 offset, Bytes text) {
  return file.write(offset, {&text, 1});
}

TEST(TemporaryRunFile, HasNoNameAndIsNotInherited) {
  TemporaryFolder folder;
  Result<RunFile> file = RunFile::temporary(folder.path("."));
  ASSERT_TRUE(file.is_ok()) << file.status().message();
  EXPECT_EQ(folder.files(), 0);
  ASSERT_TRUE(put_text(*file, 0, "text").is_ok());
  EXPECT_EQ(folder.files(), 0);
  EXPECT_EQ(all_bytes(*file), "text");
  EXPECT_EQ(file->name(), folder.path("."));
}

TEST(TemporaryRunFile, SaysWhichFolderCannotBeUsed) {
  TemporaryFolder folder;
  const string missing = folder.path("missing");
  EXPECT_EQ(RunFile::temporary(missing).status().message(),
            "tmpdir: " + missing +
                ": No such file or directory; name a directory that can be written to");
  const string text = folder.write("file", "text");
  EXPECT_EQ(RunFile::temporary(text).status().message(),
            "tmpdir: " + text + ": Not a directory; name a directory that can be written to");
  EXPECT_EQ(RunFile::temporary("").status().message(), "tmpdir: the name is empty");
  // /proc is not writable for anybody.
  EXPECT_FALSE(RunFile::temporary("/proc").is_ok());
  if (geteuid() == 0) return;
  const string closed = folder.path("closed");
  ASSERT_EQ(mkdir(closed.c_str(), 0500), 0);
  EXPECT_EQ(RunFile::temporary(closed).status().message(),
            "tmpdir: " + closed + ": Permission denied; name a directory that can be written to");
}

TEST(CreatedRunFile, AppearsWhenItIsCommitted) {
  TemporaryFolder folder;
  folder.write("state", "old");
  {
    Result<RunFile> file = RunFile::create(folder.path("state"));
    ASSERT_TRUE(file.is_ok()) << file.status().message();
    ASSERT_TRUE(put_text(*file, 0, "new").is_ok());
    EXPECT_EQ(folder.read("state"), "old");
    ASSERT_TRUE(file->commit().is_ok());
    EXPECT_EQ(folder.read("state"), "new");
  }
  EXPECT_EQ(folder.files(), 1);
}

TEST(CreatedRunFile, IsReadAgainAfterARest) {
  TemporaryFolder folder;
  Result<RunFile> file = RunFile::create(folder.path("state"));
  ASSERT_TRUE(file.is_ok()) << file.status().message();
  ASSERT_TRUE(put_text(*file, 0, "some text").is_ok());
  ASSERT_TRUE(file->commit().is_ok());
  file->rest();
  std::byte bytes[5];
  for (int i = 0; i < 2; ++i) {
    const Result<i64> got = file->read(5, bytes, 5);
    ASSERT_TRUE(got.is_ok()) << got.status().message();
    EXPECT_EQ(Bytes(reinterpret_cast<const char *>(bytes), static_cast<size_t>(*got)), "text");
  }
  unlink(folder.path("state").c_str());
  EXPECT_FALSE(file->read(0, bytes, 5).is_ok());
}

TEST(CreatedRunFile, LeavesNothingIfItIsNot) {
  TemporaryFolder folder;
  {
    Result<RunFile> file = RunFile::create(folder.path("state"));
    ASSERT_TRUE(file.is_ok());
    const RunFile moved = std::move(*file);
    ASSERT_TRUE(put_text(moved, 0, "new").is_ok());
    EXPECT_EQ(folder.files(), 1);
  }
  EXPECT_EQ(folder.files(), 0);
  const string missing = folder.path("missing/state");
  EXPECT_EQ(RunFile::create(missing).status().message(), missing + ": No such file or directory");
}

TEST(OpenedRunFile, IsAnExistingRegularFile) {
  TemporaryFolder folder;
  Result<RunFile> file = RunFile::open(folder.write("run", "text"));
  ASSERT_TRUE(file.is_ok());
  EXPECT_EQ(all_bytes(*file), "text");
  EXPECT_FALSE(put_text(*file, 0, "no").is_ok());
  const string missing = folder.path("missing");
  EXPECT_EQ(RunFile::open(missing).status().message(), missing + ": No such file or directory");
  ASSERT_EQ(mkfifo(folder.path("fifo").c_str(), 0600), 0);
  for (const string &name : {folder.path("fifo"), folder.path("."), string("/dev/null")}) {
    EXPECT_EQ(RunFile::open(name).status().message(), name + ": is not a regular file");
  }
}

TEST(RunFile, WritesMorePiecesThanTheKernelTakesAtOnce) {
  TemporaryFolder folder;
  Result<RunFile> file = RunFile::temporary(folder.path("."));
  ASSERT_TRUE(file.is_ok());
  std::vector<string> texts;
  std::vector<Bytes> pieces;
  string all;
  for (int i = 0; i < 5000; ++i) texts.push_back(i % 7 == 0 ? "" : std::to_string(i));
  for (const string &text : texts) {
    pieces.push_back(text);
    all += text;
  }
  ASSERT_TRUE(file->write(3, pieces).is_ok());
  EXPECT_EQ(all_bytes(*file), string(3, '\0') + all);
}

TEST(RunFile, ReadsUpToTheEnd) {
  TemporaryFolder folder;
  Result<RunFile> file = RunFile::open(folder.write("run", "text"));
  ASSERT_TRUE(file.is_ok());
  std::byte bytes[10];
  EXPECT_EQ(*file->read(0, bytes, 10), 4);
  EXPECT_EQ(*file->read(2, bytes, 2), 2);
  EXPECT_EQ(*file->read(4, bytes, 10), 0);
}

}  // namespace
}  // namespace mrc
