#include "input/inner/line_batch.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

void add(Bytes bytes, LineBatch *batch) {
  while (!bytes.empty()) {
    const std::span<char> room = batch->room();
    const size_t size = std::min(room.size(), bytes.size());
    std::copy_n(bytes.begin(), size, room.begin());
    batch->take(static_cast<i64>(size));
    bytes.remove_prefix(size);
  }
}

std::string sorted(LineBatch *batch) {
  batch->sort();
  const std::shared_ptr<Feed> feed = make_batch_feed(*batch);
  const std::unique_ptr<Feed::Reader> reader = feed->open();
  std::string text;
  for (Result<Bytes> next = reader->next(); !next->empty(); next = reader->next()) text += *next;
  return text;
}

TEST(LineBatch, SortsByKeyAndThenByLine) {
  LineBatch batch('\n', 1000);
  add("b\t1\na\x01\t1\na\t2\na\t10\na\t2\n\na long key of two parts\nb", &batch);
  batch.end_last_line();
  EXPECT_EQ(sorted(&batch), "\na\t10\na\t2\na\t2\na\x01\t1\na long key of two parts\nb\nb\t1\n");
}

TEST(LineBatch, KeepsAnUnfinishedLineForTheNextBatch) {
  LineBatch batch('\0', 1000);
  add(Bytes("y\0x\0a", 5), &batch);
  EXPECT_EQ(sorted(&batch), std::string("x\0y\0", 4));
  batch.clear();
  add(Bytes("b\0", 2), &batch);
  batch.end_last_line();
  EXPECT_EQ(sorted(&batch), std::string("ab\0", 3));
}

TEST(LineBatch, IsFullByItsLinesAndHasRoomForOneOfAnyLength) {
  LineBatch batch('\n', 100);
  EXPECT_FALSE(batch.is_full());
  add(std::string(500'000, 'x'), &batch);
  EXPECT_FALSE(batch.is_full());
  add("\n", &batch);
  EXPECT_TRUE(batch.is_full());
  EXPECT_EQ(sorted(&batch).size(), 500'001U);
  batch.clear();
  add("\n\n\n\n\n", &batch);
  EXPECT_TRUE(batch.is_full());
}

TEST(LineBatch, NamesTheKeysThatACombinerHasGot) {
  LineBatch batch('\n', 1000);
  add("b\t1\na\n", &batch);
  batch.sort();
  const std::shared_ptr<Feed> feed = make_batch_feed(batch);
  const std::unique_ptr<Feed::Reader> reader = feed->open();
  ASSERT_TRUE(reader->next().is_ok());
  EXPECT_EQ(reader->place(), "keys \"a\" to \"b\"");
}

}  // namespace
}  // namespace mrc
