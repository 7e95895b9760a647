#include "base/pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace mrc {
namespace {

constexpr i64 kHugePage = i64{2} << 20;

bool is_zero(const Pages &pages) {
  return std::all_of(pages.data(), pages.data() + pages.size(),
                     [](std::byte b) { return b == std::byte{0}; });
}

TEST(Pages, AreZeroAndAlignedAndAtLeastWhatWasAsked) {
  for (i64 bytes : {i64{1}, i64{4096}, i64{4097}, kHugePage - 1, kHugePage, kHugePage + 1}) {
    Pages pages(bytes);
    EXPECT_GE(pages.size(), bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pages.data()) % 4096, 0u);
    EXPECT_TRUE(is_zero(pages)) << bytes;
  }
}

TEST(Pages, StartWithoutMemory) {
  for (const Pages &none : {Pages(), Pages(0)}) {
    EXPECT_EQ(none.data(), nullptr);
    EXPECT_EQ(none.size(), 0);
  }
}

TEST(Pages, KeepTheirContentWhenTheyGrow) {
  Pages pages(4096);
  std::memset(pages.data(), 'a', 4096);
  for (i64 size : {i64{4097}, i64{100000}, kHugePage, 3 * kHugePage + 1}) {
    pages.grow(size);
    ASSERT_GE(pages.size(), size);
    EXPECT_EQ(std::count(pages.data(), pages.data() + pages.size(), std::byte{'a'}), 4096);
    EXPECT_EQ(pages.data()[4095], std::byte{'a'});
    EXPECT_EQ(pages.data()[4096], std::byte{0});
  }
}

TEST(Pages, DoNotShrinkWhenAskedToGrowToLess) {
  Pages pages(100000);
  const std::byte *data = pages.data();
  pages.grow(10);
  EXPECT_EQ(pages.data(), data);
  EXPECT_GE(pages.size(), 100000);
}

TEST(Pages, GrowFromNothing) {
  Pages pages;
  pages.grow(5000);
  EXPECT_GE(pages.size(), 5000);
  EXPECT_TRUE(is_zero(pages));
}

TEST(Pages, MoveWithTheirMemory) {
  Pages a(4096), b(8192);
  a.data()[0] = std::byte{'a'};
  const std::byte *data = a.data();
  b = std::move(a);
  EXPECT_EQ(b.data(), data);
  EXPECT_EQ(b.size(), 4096);
  EXPECT_EQ(a.data(), nullptr);
  EXPECT_EQ(a.size(), 0);
  Pages c(std::move(b));
  EXPECT_EQ(c.data()[0], std::byte{'a'});
  EXPECT_EQ(b.data(), nullptr);
  Pages &same = c;
  c = std::move(same);
  EXPECT_EQ(c.data(), data);
}

TEST(Pages, ThatNoMachineHasAreABadAlloc) {
  EXPECT_THROW(Pages(i64{1} << 60), std::bad_alloc);
  Pages pages(4096);
  pages.data()[0] = std::byte{'a'};
  EXPECT_THROW(pages.grow(i64{1} << 60), std::bad_alloc);
  EXPECT_EQ(pages.data()[0], std::byte{'a'});
}

}  // namespace
}  // namespace mrc
