#include "base/arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

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

TEST(Arena, KeepsEarlierPiecesAndUsesTheRestAgainAfterRewind) {
  Arena arena;
  const Bytes first = arena.copy("first");
  const Arena::Mark mark = arena.mark();
  i64 most = 0;
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i < 1000; ++i) arena.alloc(100);
    arena.copy(std::string(20 << 20, 'x'));
    most = std::max(most, arena.size());
    arena.rewind(mark);
    EXPECT_EQ(arena.used(), 8);
  }
  EXPECT_EQ(first, "first");
  EXPECT_LT(most, i64{22} << 20);
  EXPECT_LT(arena.size(), i64{1} << 20);
}

std::vector<i64> destroyed;  // pieces, by what is in them
void destroy(const void *context, std::byte *piece) {
  destroyed.push_back(*static_cast<const i64 *>(context) + *reinterpret_cast<i64 *>(piece));
}

class DestroyLater : public testing::Test {
 protected:
  DestroyLater() { destroyed.clear(); }
  void make(Arena *arena, i64 number) {
    std::byte *piece = arena->alloc(8);
    *reinterpret_cast<i64 *>(piece) = number;
    arena->destroy_later(destroy, &kContext, piece);
  }
  static constexpr i64 kContext = 100;
};

TEST_F(DestroyLater, EachOnceTheLastFirstWhenTheArenaIsClearedReleasedOrGone) {
  {
    Arena arena;
    for (i64 i = 0; i < 3; ++i) make(&arena, i);
    EXPECT_TRUE(destroyed.empty());
    arena.clear();
    EXPECT_EQ(destroyed, (std::vector<i64>{102, 101, 100}));
    arena.clear();
    make(&arena, 7);
    arena.release();
    make(&arena, 8);
    EXPECT_EQ(destroyed, (std::vector<i64>{102, 101, 100, 107}));
  }
  EXPECT_EQ(destroyed, (std::vector<i64>{102, 101, 100, 107, 108}));
}

TEST_F(DestroyLater, GoesWithTheArenaThatIsMoved) {
  Arena to;
  {
    Arena from;
    make(&from, 1);
    Arena first = std::move(from);
    to = std::move(first);
  }
  EXPECT_TRUE(destroyed.empty());
  to.clear();
  EXPECT_EQ(destroyed, (std::vector<i64>{101}));
}

}  // namespace
}  // namespace mrc
