#include "portion.h"

#include "base/hash.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

TEST(Portion, GrowsByWhatFollowsIt) {
  const ContentHash hash(7);
  Portion all{1, 0, 5, hash.of(0, "abcde"), 2, 1, 0};
  const Portion next{1, 5, 8, hash.of(5, "fgh"), 3, 0, 4};
  EXPECT_TRUE(all.is_before(next));
  EXPECT_FALSE(next.is_before(all));
  EXPECT_FALSE(all.is_before({.source = 2, .begin = 5, .end = 6}));
  all.add(next);
  EXPECT_EQ(all.end, 8);
  EXPECT_EQ(all.content, hash.of(0, "abcdefgh"));
  EXPECT_EQ(all.records, 5);
  EXPECT_EQ(all.bad_records, 1);
  EXPECT_EQ(all.bad_values, 4);
}

}  // namespace
}  // namespace mrc
