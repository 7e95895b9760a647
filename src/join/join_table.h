// Broadcast: one side as a table in memory, which all workers look records of the other side up in.
#pragma once

#include "base/arena.h"
#include "base/hash.h"
#include "base/hash_index.h"
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
    u64 first, end;  // of the records
  };

  // `rows` are those of the side, in order; they may go when the table is made. `join` and `text`
  // must outlive it.
  JoinTable(const Join &join, const JoinText &text, const Rows &rows, Seed seed,
            Side side = kRight);

  // Null: the side has no record with this key.
  const Entry *find(std::span<const Bytes> keys, std::string *buffer) const;
  // Entries are in the order of their keys, and numbered in it.
  u64 entries() const { return entries_.size(); }
  const Entry &entry(u64 number) const { return entries_[number]; }
  u64 number_of(const Entry &entry) const { return static_cast<u64>(&entry - entries_.data()); }
  // The first entry whose key is not before this one, or entries().
  u64 lower_bound(std::span<const Bytes> keys, std::string *buffer) const;
  // The first record whose key is after this one, or records().
  u64 first_record_after(std::span<const Bytes> keys, std::string *buffer) const;
  // How the key is printed. REQUIRES: of RIGHT, and rows are in the order of the keys
  Bytes key_text(u64 number) const {
    return Bytes(key_texts_).substr(key_ends_[number], key_ends_[number + 1] - key_ends_[number]);
  }
  // Of RIGHT, its tail; of LEFT, its head.
  Bytes record_text(u64 i) const {
    return Bytes(texts_).substr(records_[i].offset, records_[i + 1].offset - records_[i].offset);
  }
  u64 position(u64 i) const { return records_[i].position; }
  // That a record of the other side has this key. Any thread.
  void mark(const Entry *entry) const {
    std::atomic<bool> &mark = marks_[static_cast<size_t>(entry - entries_.data())];
    if (!mark.load(std::memory_order_relaxed)) mark.store(true, std::memory_order_relaxed);
  }
  bool is_marked(const Entry &entry) const {
    return marks_[number_of(entry)].load(std::memory_order_relaxed);
  }
  // Appends the rows of RIGHT without a partner, in the order of the input, up to `limit`.
  // REQUIRES: of RIGHT
  void append_unmarked(i64 limit, std::string *out) const;

  i64 records() const { return std::ssize(records_) - 1; }
  i64 bytes() const;

 private:
  struct Record {
    u64 offset = 0, position = 0;
  };
  void add_entry(const StoredSide &side, const std::vector<Bytes> &keys);
  void fill_index();

  const Join &join_;
  const JoinText &text_;
  const Seed seed_;
  const Side side_;
  Arena keys_;
  std::vector<Entry> entries_;
  std::string key_texts_;      // if rows are in the order of the keys
  std::vector<u64> key_ends_;  // by entry, where its text ends; the first is 0
  std::string texts_;
  std::vector<Record> records_;  // and one more, where the last ends
  HashIndex index_;
  mutable std::vector<std::atomic<bool>> marks_;
};

}  // namespace mrc
