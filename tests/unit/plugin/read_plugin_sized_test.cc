#include "plugin/read_plugin.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace mrc {
namespace {

struct First {
  uint32_t size;
  uint32_t flags;
  int64_t value;
};
struct Grown {
  uint32_t size;
  uint32_t flags;
  int64_t value;
  int64_t added;
};

TEST(CopySized, FillsWhatAnOlderHeaderDoesNotHaveWithZeros) {
  const First old = {sizeof old, 3, 42};
  Grown copy = {1, 1, 1, 1};
  ASSERT_TRUE(copy_sized(&old, sizeof old, sizeof(First), "it", &copy).is_ok());
  EXPECT_EQ(copy.flags, 3u);
  EXPECT_EQ(copy.value, 42);
  EXPECT_EQ(copy.added, 0);
}

TEST(CopySized, TakesWhatANewerHeaderHasIfItIsNotUsed) {
  Grown newer = {sizeof newer, 3, 42, 0};
  First copy = {};
  ASSERT_TRUE(copy_sized(&newer, sizeof newer, sizeof(First), "it", &copy).is_ok());
  EXPECT_EQ(copy.value, 42);
  newer.added = 256;
  EXPECT_EQ(copy_sized(&newer, sizeof newer, sizeof(First), "it", &copy).message(),
            "it uses what this mrc does not have: it is built for a newer one");
}

TEST(CopySized, RefusesSizesThatNoHeaderHas) {
  const First old = {};
  First copy = {};
  for (size_t size : {size_t{0}, sizeof old - 1, kLargestStruct + 1}) {
    EXPECT_FALSE(copy_sized(&old, size, sizeof old, "it", &copy).is_ok()) << size;
  }
}

}  // namespace
}  // namespace mrc
