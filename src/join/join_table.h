// Broadcast: RIGHT as a table in memory, which all workers look records of LEFT up in.
#pragma once

#include "base/arena.h"
#include "base/hash.h"
#include "join/join_text.h"
#include "join/stored_sides.h"
#include "rows/rows.h"

#include <atomic>
#include <string>
#include <vector>

namespace mrc {

// Each key once, with the text of its records in the order of the input. Immutable, but for what
// mark() notes.
class JoinTable {
 public:
  struct Entry {
    Bytes key;
    bool has_key;    // else find() never returns it
    u64 first, end;  // of the tails
  };

  // `rows` are those of RIGHT, in order; they may go when the table is made. `join` and `text`
  // must outlive it.
  JoinTable(const Join &join, const JoinText &text, const Rows &rows, Seed seed);

  // Null: RIGHT has no record with this key.
  const Entry *find(std::span<const Bytes> keys, std::string *buffer) const;
  Bytes tail(u64 i) const {
    return Bytes(texts_).substr(tails_[i].offset, tails_[i + 1].offset - tails_[i].offset);
  }
  // That a record of LEFT has this key. Any thread.
  void mark(const Entry *entry) const {
    std::atomic<bool> &mark = marks_[static_cast<size_t>(entry - entries_.data())];
    if (!mark.load(std::memory_order_relaxed)) mark.store(true, std::memory_order_relaxed);
  }
  // Appends the rows of RIGHT without a partner, in the order of the input, up to `limit`.
  void append_unmarked(i64 limit, std::string *out) const;

  i64 records() const { return std::ssize(tails_) - 1; }
  i64 bytes() const;

 private:
  struct Tail {
    u64 offset = 0, position = 0;
  };
  struct Slot {
    u32 hash = 0, entry = 0;  // counted from 1; 0: it is empty
  };
  void add_entry(const StoredSide &side);
  void fill_slots();

  const Join &join_;
  const JoinText &text_;
  const Seed seed_;
  Arena keys_;
  std::vector<Entry> entries_;
  std::string texts_;
  std::vector<Tail> tails_;  // and one more, where the last ends
  std::vector<Slot> slots_;
  mutable std::vector<std::atomic<bool>> marks_;
};

}  // namespace mrc
