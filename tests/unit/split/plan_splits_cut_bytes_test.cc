#include "split/split.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// Places in the text, -1 for none.
i64 first(const CutBytes &cuts, Bytes text) {
  const char *found = cuts.first(text.data(), text.data() + text.size());
  return found == nullptr ? -1 : found - text.data();
}
i64 last(const CutBytes &cuts, Bytes text) {
  const char *found = cuts.last(text.data(), text.data() + text.size());
  return found == nullptr ? -1 : found - text.data();
}

TEST(CutBytes, FindsNothingInAnEmptyRange) {
  for (Bytes bytes : {"\n", "\n ", ""}) {
    EXPECT_EQ(first(CutBytes(bytes), ""), -1);
    EXPECT_EQ(last(CutBytes(bytes), ""), -1);
    // As a window shows it past the end of a file: without an address.
    EXPECT_EQ(CutBytes(bytes).first(nullptr, nullptr), nullptr);
    EXPECT_EQ(CutBytes(bytes).last(nullptr, nullptr), nullptr);
  }
}

TEST(CutBytes, FindsTheFirstAndTheLast) {
  for (Bytes bytes : {"\n", "\n;", ";\n,"}) {
    const CutBytes cuts(bytes);
    EXPECT_EQ(first(cuts, "\nab\ncd\n"), 0);
    EXPECT_EQ(last(cuts, "\nab\ncd\n"), 6);
    EXPECT_EQ(first(cuts, "ab\nc\nd"), 2);
    EXPECT_EQ(last(cuts, "ab\nc\nd"), 4);
    EXPECT_EQ(first(cuts, "abcd"), -1);
    EXPECT_EQ(last(cuts, "abcd"), -1);
  }
}

TEST(CutBytes, LooksNowhereOutsideTheRange) {
  const Bytes text = "\nabc\n";
  for (Bytes bytes : {"\n", "\n "}) {
    const CutBytes cuts(bytes);
    EXPECT_EQ(cuts.first(text.data() + 1, text.data() + 4), nullptr);
    EXPECT_EQ(cuts.last(text.data() + 1, text.data() + 4), nullptr);
  }
}

TEST(CutBytes, AreAnyBytes) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    std::string others;
    for (int other = 0; other < 256; ++other) {
      if (other != byte) others.push_back(static_cast<char>(other));
    }
    EXPECT_EQ(first(CutBytes(one), others), -1);
    EXPECT_EQ(first(CutBytes(one), others + one), 255);
    EXPECT_EQ(last(CutBytes(one), one + others), 0);
    EXPECT_EQ(first(CutBytes(others), one), -1);
    EXPECT_EQ(first(CutBytes(others), one + others), 1);
    EXPECT_EQ(last(CutBytes(others), others + one), 254);
  }
}

// The last bytes of records, which begin at multiples of the size.
TEST(CutBytes, EndRecordsOfFixedSize) {
  const std::string text(60, 'x');
  const char *begin = text.data();
  for (i64 size : {1, 2, 3, 7, 100}) {
    const CutBytes cuts = CutBytes::every(size);
    for (i64 offset : {i64{0}, i64{1}, i64{6}, i64{99}, i64{100}, i64{1} << 40}) {
      for (i64 bytes = 0; bytes <= std::ssize(text); ++bytes) {
        const char *first = nullptr, *last = nullptr;
        for (i64 i = 0; i < bytes; ++i) {
          if ((offset + i + 1) % size != 0) continue;
          last = begin + i;
          if (first == nullptr) first = last;
        }
        ASSERT_EQ(cuts.first(begin, begin + bytes, offset), first) << size << " at " << offset;
        ASSERT_EQ(cuts.last(begin, begin + bytes, offset), last) << size << " at " << offset;
      }
    }
    EXPECT_EQ(cuts.first(nullptr, nullptr, 5), nullptr);
    EXPECT_EQ(cuts.last(nullptr, nullptr, 5), nullptr);
  }
}

}  // namespace
}  // namespace mrc
