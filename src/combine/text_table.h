// combine: tables of texts that states keep, by open addressing, in an arena.
#pragma once

#include "combine/kept_text.h"

#include <cstring>

namespace mrc {

// `Table` is derived from it and may have members of its own, which are plain data; entries, which
// begin with `KeptText text`, follow it in memory. Tables double when three quarters of them are
// taken; the arena keeps the old ones, which together are as large as the new.
template <typename Table, typename Entry>
struct TextTable {
  u64 size;      // entries that are taken
  u64 capacity;  // a power of two

  Entry *begin() { return reinterpret_cast<Entry *>(static_cast<Table *>(this) + 1); }
  const Entry *begin() const {
    return reinterpret_cast<const Entry *>(static_cast<const Table *>(this) + 1);
  }
  const Entry *end() const { return begin() + capacity; }

  static Table *make(u64 capacity, Arena *arena) {
    const u64 bytes = sizeof(Table) + capacity * sizeof(Entry);
    auto *table = reinterpret_cast<Table *>(arena->alloc(static_cast<i64>(bytes)));
    std::memset(static_cast<void *>(table), 0, bytes);
    table->capacity = capacity;
    return table;
  }

  // Where the text is, or belongs.
  Entry *place_of(const KeptText &text, const Seed &seed) {
    for (u64 at = hash_of(text, seed);; ++at) {
      Entry *entry = begin() + (at & (capacity - 1));
      if (entry->text.is_none() || entry->text == text) return entry;
    }
  }

  // Whether it has to be doubled before it takes another entry.
  bool is_full() const { return 4 * (size + 1) > 3 * capacity; }
  Table *doubled(const Seed &seed, Arena *arena) const {
    Table *larger = make(2 * capacity, arena);
    *larger = *static_cast<const Table *>(this);
    larger->capacity *= 2;
    for (const Entry &entry : *this) {
      if (!entry.text.is_none()) *larger->place_of(entry.text, seed) = entry;
    }
    return larger;
  }
};

}  // namespace mrc
