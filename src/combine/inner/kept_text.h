// Texts that states keep, in 16 bytes if they are short, and hash tables of them.
#pragma once

#include "base/arena.h"
#include "base/hash.h"
#include "map/key_image.h"

#include <bit>
#include <cstring>

namespace mrc {

// Texts that states keep, in 16 bytes if they are short.

// A text of up to 15 bytes is in the two words, as a Key16. For a longer text the words are its
// address and its size, with 255 in the top byte. Equal short texts have equal words. All zero
// bytes are no text. Plain data; longer texts belong to an arena, or to the owner of the borrowed
// text.
struct KeptText {
  u64 word[2];

  static constexpr u64 kLong = u64{0xFF} << 56;

  bool is_none() const { return word[1] == 0; }
  bool is_long() const { return word[1] >> 56 == 0xFF; }
  // Valid as long as this and, for a long text, its bytes.
  Bytes bytes() const {
    if (!is_long()) return {reinterpret_cast<const char *>(word), (word[1] >> 56) - 1};
    return {reinterpret_cast<const char *>(word[0]), word[1] & ~kLong};
  }
};

// Copies a short text into the words, and borrows a long one. The bytes may be over-read by
// kPadding.
MRC_INLINE KeptText borrow_text(Bytes text) {
  if (text.size() <= 15) [[likely]] {
    const Key16 image = image16<Fold::none>(text.data(), text.size());
    return {{image.word[0], image.word[1]}};
  }
  return {{reinterpret_cast<u64>(text.data()), text.size() | KeptText::kLong}};
}
// Does what borrow_text() does, for bytes that must not be over-read.
inline KeptText borrow_exactly(Bytes text) {
  if (text.size() > 15) return borrow_text(text);
  KeptText kept{};
  std::memcpy(kept.word, text.data(), text.size());
  kept.word[1] |= (text.size() + 1) << 56;
  return kept;
}
// Copies a long text into the arena.
inline KeptText keep_text(KeptText text, Arena *arena) {
  if (text.is_long()) text.word[0] = reinterpret_cast<u64>(arena->copy(text.bytes()).data());
  return text;
}

MRC_INLINE bool operator==(const KeptText &a, const KeptText &b) {
  if (a.word[1] != b.word[1]) return false;
  return a.word[0] == b.word[0] || (a.is_long() && a.bytes() == b.bytes());
}

MRC_INLINE u64 hash_of(const KeptText &text, const Seed &seed) {
  return text.is_long() ? hash_bytes(text.bytes(), seed)
                        : fold_multiply(text.word[0] ^ seed.a, text.word[1] ^ seed.b);
}

// True if a field has a value: logs write "-" for a missing one.
MRC_INLINE bool is_present(Bytes text) {
  return text.size() > 1 || (text.size() == 1 && text[0] != '-');
}

// A text of a state that is often replaced.

// Returns the room of a long text, a number that is stored before its bytes. A text that changes
// often, such as the last text of a key, is replaced in place if there is room.
inline u64 room_of(const KeptText &text) {
  if (!text.is_long()) return 0;
  u64 room;
  std::memcpy(&room, text.bytes().data() - sizeof room, sizeof room);
  return room;
}

// Replaces `kept` by a borrowed text, which is copied if it is long. REQUIRES: `kept` is none, or
// was set by this function
inline void replace_text(KeptText *kept, KeptText text, Arena *arena) {
  if (!text.is_long()) {
    *kept = text;
    return;
  }
  const Bytes bytes = text.bytes();
  char *to = reinterpret_cast<char *>(kept->word[0]);
  if (room_of(*kept) < bytes.size()) {
    const u64 room = std::bit_ceil(bytes.size());
    to = reinterpret_cast<char *>(arena->alloc(static_cast<i64>(sizeof room + room)));
    std::memcpy(to, &room, sizeof room);
    to += sizeof room;
  }
  std::memcpy(to, bytes.data(), bytes.size());
  *kept = {{reinterpret_cast<u64>(to), text.word[1]}};
}

// Hash tables of texts in states, with open addressing, in an arena.

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
