// combine: hash tables of texts in states, with open addressing, in an arena.
#pragma once

#include "combine/inner/kept_text.h"

#include <cstring>

namespace mrc {

// `Table` derives from it, and may have members of its own, which are plain data. Entries begin
// with `KeptText text` and follow the table in memory. A table doubles when three quarters of it
// are used. The arena keeps the old tables, which together are as large as the new one.
//
// Use adopt() to move the entries of one table to another. A table yields its entries in the order
// of their hashes. Added one by one to a table of the same seed, they would fill its front before
// it is full enough to double, and each insertion would walk past all entries before it.
template <typename Table, typename Entry>
struct TextTable {
  u64 size;      // used entries
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

  // Returns the entry of the text, or the free place for it.
  Entry *place_of(const KeptText &text, const Seed &seed) {
    return place_from(hash_of(text, seed), text);
  }

  // Moves the entries of `from` into a table. Entries of new texts are copied; for others meet(own,
  // entry) is called. `into` becomes another table when it grows. Returns the number of places
  // probed, which are at most about kCrowded for each entry.
  template <typename Meet>
  static u64 adopt(Table **into, const Table &from, const Seed &seed, Arena *arena, Meet meet);

  // True if the table must be doubled before it takes another entry.
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

 private:
  // More probes per entry mean that entries crowd. A table that is three quarters full needs 8.5 if
  // its entries came in random order.
  static constexpr u64 kCrowded = 16;
  static constexpr u64 kSomePlaces = 1024;  // ignores a few crowded entries

  MRC_INLINE Entry *place_from(u64 home, const KeptText &text) {
    for (u64 at = home;; ++at) {
      Entry *entry = begin() + (at & (capacity - 1));
      if (entry->text.is_none() || entry->text == text) return entry;
    }
  }
  bool has_room_for(u64 entries) const { return 4 * (entries + 1) <= 3 * capacity; }
};

// Doubles the table early if entries crowd, but not beyond the size that all entries need.
template <typename Table, typename Entry>
template <typename Meet>
u64 TextTable<Table, Entry>::adopt(Table **into, const Table &from, const Seed &seed, Arena *arena,
                                   Meet meet) {
  const u64 most = (*into)->size + from.size;
  u64 places = 0, all_places = 0, entries = 0;
  for (const Entry &entry : from) {
    if (entry.text.is_none()) continue;
    const bool crowded = places > kCrowded * entries + kSomePlaces && !(*into)->has_room_for(most);
    if (crowded || (*into)->is_full()) {
      *into = (*into)->doubled(seed, arena);
      places = entries = 0;
    }
    const u64 home = hash_of(entry.text, seed);
    Entry *own = (*into)->place_from(home, entry.text);
    const u64 distance =
        (static_cast<u64>(own - (*into)->begin()) - home) & ((*into)->capacity - 1);
    places += distance + 1, all_places += distance + 1, ++entries;
    if (own->text.is_none()) {
      *own = entry;
      ++(*into)->size;
    } else {
      meet(own, entry);
    }
  }
  return all_places;
}

}  // namespace mrc
