// combine: tables of texts that states keep, by open addressing, in an arena.
#pragma once

#include "combine/kept_text.h"

#include <cstring>

namespace mrc {

// `Table` is derived from it and may have members of its own, which are plain data; entries, which
// begin with `KeptText text`, follow it in memory. Tables double when three quarters of them are
// taken; the arena keeps the old ones, which together are as large as the new.
//
// Entries of one table must reach another one by adopt() alone. A table shows its entries in the
// order of their hashes. If they were added one by one to a table of the same seed, they would
// fill its front before it is full enough to double, and each would walk past all before it.
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
    return place_from(hash_of(text, seed), text);
  }

  // Takes over the entries of `from`: new texts as they are; for others, meet(own, entry) is
  // called. `into` becomes another table when it grows. Returns how many places were looked at,
  // which are at most about kCrowded for each entry.
  template <typename Meet>
  static u64 adopt(Table **into, const Table &from, const Seed &seed, Arena *arena, Meet meet);

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

 private:
  // Places that are looked at for each entry. In a table that is three quarters full they are 8.5
  // if its entries came in any order; with more of them, entries crowd at its front.
  static constexpr u64 kCrowded = 16;
  static constexpr u64 kSomePlaces = 1024;  // a few crowded entries are no reason to double

  MRC_INLINE Entry *place_from(u64 home, const KeptText &text) {
    for (u64 at = home;; ++at) {
      Entry *entry = begin() + (at & (capacity - 1));
      if (entry->text.is_none() || entry->text == text) return entry;
    }
  }
  bool has_room_for(u64 entries) const { return 4 * (entries + 1) <= 3 * capacity; }
};

// Doubles the table early if entries crowd, but never beyond what all entries need.
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
