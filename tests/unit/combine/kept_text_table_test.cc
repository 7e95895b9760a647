#include "combine/inner/kept_text.h"
#include "support/random.h"

#include <gtest/gtest.h>

#include <string>

namespace mrc {
namespace {

struct Entry {
  KeptText text;
  u64 count;
};
struct Table : TextTable<Table, Entry> {};

constexpr Seed kSeed{0x9E3779B97F4A7C15, 0xD1B54A32D192ED03};

Table *table_of(u64 first, u64 count, Arena *arena) {
  Table *table = Table::make(4, arena);
  for (u64 i = first; i < first + count; ++i) {
    const KeptText text = borrow_exactly("key" + std::to_string(i));
    if (table->is_full()) table = table->doubled(kSeed, arena);
    *table->place_of(text, kSeed) = {text, 1};
    ++table->size;
  }
  return table;
}

// How many places a merge of two tables of `size` entries each looks at, of which every
// `shared` entries of 100 are in both.
u64 places(u64 size, u64 shared) {
  Arena arena;
  Table *into = table_of(0, size, &arena);
  const Table *from = table_of(size - size * shared / 100, size, &arena);
  u64 met = 0;
  const u64 looked_at =
      Table::adopt(&into, *from, kSeed, &arena,
                   [&](Entry *own, const Entry &entry) { own->count += entry.count, ++met; });
  EXPECT_EQ(met, size * shared / 100);
  EXPECT_EQ(into->size, 2 * size - met);
  u64 sum = 0;
  for (const Entry &entry : *into) sum += entry.count;
  EXPECT_EQ(sum, 2 * size);
  EXPECT_LE(into->capacity, 4 * std::max<u64>(4, into->size));
  return looked_at;
}

// With as many entries as leave the tables nearly empty, and nearly full.
TEST(TextTable, MergesInTimeLinearInItsEntries) {
  for (u64 size : {20000, 25000, 30000, 45000, 49000}) {
    for (u64 shared : {0, 50, 100}) {
      const u64 once = places(size, shared), twice = places(2 * size, shared);
      EXPECT_LE(twice, 2.25 * static_cast<double>(once)) << size << ' ' << shared;
      EXPECT_LE(once, 17 * size + 20000) << size << ' ' << shared;
    }
  }
}

}  // namespace
}  // namespace mrc
