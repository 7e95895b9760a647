#include "engine/engine.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

std::string content(const StageRecords &records) {
  const Source source = records.source();
  const Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status().message();
  std::string bytes(static_cast<size_t>(source.end), '\0');
  const Result<i64> got = file->read_at(0, bytes.data(), source.end);
  return got.is_ok() && *got == source.end ? bytes : "cut short";
}

TEST(StageRecords, StayInMemoryAsFarAsTheyMay) {
  const TemporaryFolder folder;
  StageRecords records("rows", nullptr);
  records.keep_within(6, folder.path("none"));
  ASSERT_TRUE(records.write("one\n").is_ok());
  ASSERT_TRUE(records.write("2\n").is_ok());
  EXPECT_EQ(records.bytes_in_memory(), 6);
  EXPECT_EQ(content(records), "one\n2\n");
  EXPECT_EQ(records.write("3").message(),
            "tmpdir: " + folder.path("none") +
                ": No such file or directory; name a directory that can be written to");
}

TEST(StageRecords, AreInAFileWithoutANameBeyondThat) {
  const TemporaryFolder folder;
  StageRecords records("rows", nullptr);
  records.keep_within(1 << 20, folder.path("."));
  std::string all;
  for (int i = 0; i < 300; ++i) {
    const std::string piece(static_cast<size_t>(10000 + i), static_cast<char>('a' + i % 26));
    ASSERT_TRUE(records.write(piece).is_ok());
    all += piece;
  }
  EXPECT_EQ(records.bytes_in_memory(), 0);
  EXPECT_EQ(folder.files(), 0);
  EXPECT_EQ(content(records), all);
}

TEST(StageRecords, MayBeNone) {
  StageRecords records("rows of count", nullptr);
  EXPECT_FALSE(records.reader_left());
  EXPECT_EQ(records.source().end, 0);
  EXPECT_EQ(records.source().name(), "rows of count");
}

}  // namespace
}  // namespace mrc
