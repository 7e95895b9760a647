#include "input/packed_blocks.h"

#include "support/compress.h"

#include <gtest/gtest.h>

#include <vector>

namespace mrc {
namespace {

class PackedFiles : public testing::Test {
 protected:
  Source source_of(const std::string &packed) {
    Result<Source> source = examine(folder_.write("file", packed));
    EXPECT_TRUE(source.is_ok());
    return *source;
  }
  // Reads ranges of a file in blocks, forwards, backwards and beyond its end.
  void expect_any_offset(const std::string &packed) {
    Source source = source_of(packed);
    Result<PackedBlocks> blocks = find_packed_blocks(source);
    ASSERT_TRUE(blocks.is_ok()) << blocks.status().message();
    EXPECT_TRUE(blocks->is_sound());
    EXPECT_GT(blocks->blocks.size(), 2U);
    read_by_blocks(std::make_shared<const PackedBlocks>(std::move(*blocks)), &source);
    EXPECT_EQ(source.end, std::ssize(text_));
    const Result<InputFile> file = InputFile::open(source);
    ASSERT_TRUE(file.is_ok());
    for (const i64 offset : {0, 10, 700000, 299999, 300001, 1, 999999, 1000000, 1000001}) {
      for (const i64 size : {1, 5000, 400000}) {
        std::string got(static_cast<size_t>(size), '\0');
        const Result<i64> bytes = file->read_at(offset, got.data(), size);
        ASSERT_TRUE(bytes.is_ok()) << bytes.status().message();
        got.resize(static_cast<size_t>(*bytes));
        EXPECT_EQ(got, text_.substr(std::min(text_.size(), static_cast<size_t>(offset)),
                                    static_cast<size_t>(size)));
      }
    }
  }
  std::string frames(size_t size) {
    std::string all;
    for (size_t at = 0; at < text_.size(); at += size) {
      all += zstandard(Bytes(text_).substr(at, size));
    }
    return all;
  }

  TemporaryFolder folder_;
  const std::string text_ = log_like(1000000);
};

TEST_F(PackedFiles, AreReadAtAnyOffset) {
  expect_any_offset(bgzipped(text_, 65280));
  expect_any_offset(bgzipped(text_, 999));
  expect_any_offset(frames(300000));
  expect_any_offset(frames(1000));
  const std::string skippable("\x5A\x2A\x4D\x18\x02\0\0\0ab", 10);
  expect_any_offset(skippable + frames(300000) + skippable);
}

TEST_F(PackedFiles, NeedBlocks) {
  for (const std::string &packed :
       {gzipped(text_), bgzipped(text_, 65280) + gzipped("a\n"), frames(300000) + "trailing",
        frames(300000).substr(0, 200000), zstandard(std::string(9 << 20, 'a'))}) {
    EXPECT_FALSE(find_packed_blocks(source_of(packed)).is_ok());
  }
}

// Reading fails, and later calls of read_at() still work.
TEST_F(PackedFiles, MayBeDamaged) {
  std::string packed = frames(300000);
  Source source = source_of(packed);
  const auto blocks = std::make_shared<const PackedBlocks>(*find_packed_blocks(source));
  packed[static_cast<size_t>(blocks->blocks[1].packed)] ^= 1;  // not the magic of a frame
  source = source_of(packed);
  read_by_blocks(blocks, &source);
  const Result<InputFile> file = InputFile::open(source);
  char byte;
  EXPECT_FALSE(file->read_at(599999, &byte, 1).is_ok());
  ASSERT_TRUE(file->read_at(700000, &byte, 1).is_ok());
  EXPECT_EQ(byte, text_[700000]);
}

}  // namespace
}  // namespace mrc
