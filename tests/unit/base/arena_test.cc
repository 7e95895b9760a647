#include "base/arena.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

TEST(Arena, AlignsEveryPiece) {
  Arena arena;
  for (i64 bytes : {1, 7, 8, 9, 100}) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(arena.alloc(bytes)) % 8, 0u) << bytes;
  }
}

TEST(Arena, CopiesStayWhereTheyAreWhenItGrowsAndMoves) {
  Arena arena;
  Bytes first = arena.copy("first");
  for (int i = 0; i < 100000; ++i) arena.copy("another piece of text");
  Arena moved = std::move(arena);
  EXPECT_EQ(first, "first");
}

TEST(Arena, TakesPiecesLargerThanABlock) {
  Arena arena;
  std::string large(20 << 20, 'x');
  EXPECT_EQ(arena.copy(large), large);
  EXPECT_EQ(arena.copy("small"), "small");
  EXPECT_GE(arena.size(), i64{20} << 20);
}

TEST(Arena, ReusesItsMemoryAfterClear) {
  Arena arena;
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i < 1000; ++i) arena.alloc(100);
    arena.clear();
  }
  EXPECT_LT(arena.size(), i64{1} << 20);
}

}  // namespace
}  // namespace mrc
