#include "join/merged_sides.h"

#include <gtest/gtest.h>

#include <memory>

namespace mrc {
namespace {

using std::string;

class NoBadRecords : public BadRecordSink {
 public:
  void take(const Chunk &, const BadRecord &) override {}
};

// Records of one field, which is the key; chunks that follow each other.
class SortedSide : public testing::Test {
 protected:
  void SetUp() override {
    side_.keys.push_back(*parse_field("1", {}));
    readers_ = std::make_unique<InputReaders>(1, side_.wanted().names());
    ASSERT_TRUE(readers_->set(0, {.format = &LineFormat::tsv}).is_ok());
    records_ = std::make_unique<SideRecords>(side_, *readers_, &bad_);
  }
  i64 add(const string &text, SideOrder *order, bool counts_lone = true) {
    padded_ = text + string(kPadding, '\0');
    const i64 at = offset_;
    offset_ += std::ssize(text);
    return order->add({Bytes(padded_).substr(0, text.size()), 0, at}, counts_lone, records_.get());
  }
  // "BEGIN-END FIRST LAST; ..."
  static string shown(SideOrder *order) {
    const std::optional<std::vector<SortedPiece>> pieces = order->pieces();
    if (!pieces) return "disorder";
    string text;
    for (const SortedPiece &piece : *pieces) {
      DecodedKey key(1);
      text += std::to_string(piece.begin) + "-" + std::to_string(piece.end) + " ";
      text += string(key.decode(piece.first)[0]) + " ";
      text += string(key.decode(piece.last)[0]) + "; ";
    }
    return text;
  }

  JoinSide side_;
  std::unique_ptr<InputReaders> readers_;
  NoBadRecords bad_;
  std::unique_ptr<SideRecords> records_;
  string padded_;
  i64 offset_ = 0;
};

TEST_F(SortedSide, IsPieces) {
  SideOrder order(1);
  EXPECT_EQ(add("a\nb\n", &order), 2);
  EXPECT_EQ(add("b\nb\nd\n", &order), 3);
  EXPECT_EQ(shown(&order), "0-4 a b; 4-10 b d; ");
}

TEST_F(SortedSide, HasPiecesOfAtLeastTheirSize) {
  SideOrder order(5);
  for (const char *text : {"a\n", "b\n", "c\n", "d\n"}) add(text, &order);
  EXPECT_EQ(shown(&order), "0-6 a c; 6-8 d d; ");
}

TEST_F(SortedSide, IsPutTogetherFromWhatWorkersSaw) {
  SideOrder first(1), second(1);
  add("a\n", &first);
  add("b\n", &second);
  add("c\n", &first);
  second.add(&first);
  EXPECT_EQ(shown(&second), "0-2 a a; 2-4 b b; 4-6 c c; ");
}

TEST_F(SortedSide, IsInDisorderInAChunkAndBetweenThem) {
  SideOrder within(1), between(1), grown(100);
  add("b\na\n", &within);
  EXPECT_TRUE(within.found_disorder());
  EXPECT_EQ(shown(&within), "disorder");
  add("b\n", &between);
  add("a\n", &between);
  EXPECT_EQ(shown(&between), "disorder");
  add("b\n", &grown);
  add("a\n", &grown);
  EXPECT_EQ(shown(&grown), "disorder");
}

TEST_F(SortedSide, CountsRecordsWithoutAKeyIfTheyArePrinted) {
  SideOrder printed(1), not_printed(1);
  add("a\tx\n\tx\n", &printed);
  EXPECT_EQ(shown(&printed), "disorder");
  add("a\tx\n\tx\n", &not_printed, false);
  EXPECT_EQ(shown(&not_printed), "7-14 a a; ");
}

TEST_F(SortedSide, HasNoLongKeys) {
  SideOrder order(1);
  add(string(5000, 'a') + "\n", &order);
  EXPECT_EQ(shown(&order), "disorder");
}

TEST_F(SortedSide, MayHaveNoRecords) {
  SideOrder order(1);
  EXPECT_EQ(shown(&order), "");
}

}  // namespace
}  // namespace mrc
