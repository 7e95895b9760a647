// Broadcast join: one side is a table in memory, in which all workers look up records of the other
// side.
#pragma once

#include "base/arena.h"
#include "base/hash.h"
#include "base/name_index.h"
#include "join/join.h"
#include "join/joined_rows.h"
#include "map/transform.h"
#include "rows/rows.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Has each key once, with the text of its records in the order of the input. Immutable except for
// marks.
class JoinTable {
 public:
  struct Entry {
    Bytes key;
    bool has_key;    // false: find() never returns it
    u64 first, end;  // range of its records
  };

  // `rows` are the rows of the side, in order; they may be freed afterwards. REQUIRES: `join` and
  // `text` outlive this
  JoinTable(const Join &join, const JoinText &text, const Rows &rows, Seed seed,
            Side side = kRight);

  // Returns null if the side has no record with this key.
  const Entry *find(std::span<const Bytes> keys, std::string *buffer) const;
  // Entries are numbered in the order of their keys.
  u64 entries() const { return entries_.size(); }
  const Entry &entry(u64 number) const { return entries_[number]; }
  u64 number_of(const Entry &entry) const { return static_cast<u64>(&entry - entries_.data()); }
  // Returns the first entry whose key is not before this one, or entries().
  u64 lower_bound(std::span<const Bytes> keys, std::string *buffer) const;
  // Returns the first record whose key is after this one, or records().
  u64 first_record_after(std::span<const Bytes> keys, std::string *buffer) const;
  // Returns the printed key. REQUIRES: the side is RIGHT, and rows are in the order of the keys
  Bytes key_text(u64 number) const {
    return Bytes(key_texts_).substr(key_ends_[number], key_ends_[number + 1] - key_ends_[number]);
  }
  // Returns the tail of a record of RIGHT, or the head of a record of LEFT.
  Bytes record_text(u64 i) const {
    return Bytes(texts_).substr(records_[i].offset, records_[i + 1].offset - records_[i].offset);
  }
  u64 position(u64 i) const { return records_[i].position; }
  // Notes that a record of the other side has this key. Any thread.
  void mark(const Entry *entry) const {
    std::atomic<bool> &mark = marks_[static_cast<size_t>(entry - entries_.data())];
    if (!mark.load(std::memory_order_relaxed)) mark.store(true, std::memory_order_relaxed);
  }
  bool is_marked(const Entry &entry) const {
    return marks_[number_of(entry)].load(std::memory_order_relaxed);
  }
  // Appends the rows of RIGHT without a partner, in the order of the input, up to `limit`.
  // REQUIRES: the side is RIGHT
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
  std::string key_texts_;      // only if rows are in the order of the keys
  std::vector<u64> key_ends_;  // end of each entry's text; the first is 0
  std::string texts_;
  std::vector<Record> records_;  // followed by one whose offset is the end of the last
  HashIndex index_;
  mutable std::vector<std::atomic<bool>> marks_;
};

// Makes joined text of chunks of LEFT and the table of RIGHT.

// `of_all` is the number of first rows to print; INT64_MAX: all. Each of its workers uses the table
// that is there when it is made. The caller prints the records of RIGHT without a partner.
// REQUIRES: all arguments outlive the result
std::unique_ptr<Transformer> make_match_text(const Join &join, const JoinText &text,
                                             const std::unique_ptr<JoinTable> &table, bool header,
                                             i64 of_all);

}  // namespace mrc
