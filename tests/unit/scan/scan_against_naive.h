// Scans a text with all scanners and compares with naive_edges.h.
#pragma once

#include "unit/map/padded_text.h"
#include "unit/scan/naive_edges.h"

#include <gtest/gtest.h>

namespace mrc {

// How far texts are moved through the blocks of a scan.
#ifdef MRC_SANITIZED
constexpr size_t kMostBefore = 65;
#else
constexpr size_t kMostBefore = 130;
#endif

// All edges of a text, in as many scans as it takes.
inline std::vector<i64> scan_all(ScanWords scan, Bytes text, i64 *scans = nullptr) {
  ScanCursor cursor{text.data(), text.data() + text.size()};
  std::vector<i64> edges;
  Bounds bounds;
  for (i64 calls = 1; cursor.next < cursor.end; ++calls) {
    const char *base = cursor.next;
    scan(&cursor, &bounds);
    if (scans != nullptr) *scans = calls;
    if (cursor.next <= base || bounds.size > Bounds::kMost + 1) {
      ADD_FAILURE() << "a scan moved " << cursor.next - base << " for " << bounds.size;
      break;
    }
    for (i64 i = 0; i < bounds.size; ++i) {
      edges.push_back(base - text.data() + bounds.at[static_cast<size_t>(i)]);
    }
  }
  return edges;
}

// True if it is right for all scanners and kinds of words; else says where not.
inline bool expect_right(Bytes text, char padding = 'a', size_t shift = 0) {
  static constexpr const char *kKinds[] = {"alpha", "word", "blank"};
  const PaddedText padded(text, padding, shift);
  bool right = true;
  for (Words kind : {Words::alpha, Words::word, Words::blank}) {
    const std::vector<i64> expected = naive_edges(text, kind);
    for (const Scanner *scanner : runnable_scanners()) {
      if (scanner == nullptr) continue;
      const size_t k = static_cast<size_t>(kind);
      if (scan_all(scanner->words[k], padded.text()) == expected) continue;
      right = false;
      EXPECT_EQ(scan_all(scanner->words[k], padded.text()), expected)
          << scanner->name << " " << kKinds[k] << " " << testing::PrintToString(text);
    }
  }
  return right;
}

// After a prefix of every length, so that it lies at every place of a block.
inline void expect_right_everywhere(const std::string &text) {
  for (char filler : {' ', 'x'}) {
    for (size_t before = 0; before <= kMostBefore; ++before) {
      ASSERT_TRUE(expect_right(std::string(before, filler) + text));
      ASSERT_TRUE(expect_right(std::string(before, filler) + text + "b c"));
    }
  }
}

}  // namespace mrc
