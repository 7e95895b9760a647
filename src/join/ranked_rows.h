// Broadcast join: the table ranks the records, which become rows whose first eight bytes decide
// almost every comparison.
#pragma once

#include "join/join.h"
#include "join/join_table.h"
#include "output/output.h"
#include "rows/rows.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Broadcast join in the order of the keys: the table of RIGHT ranks the keys. Records of LEFT
// become rows whose first eight bytes are the rank of the key and the record's position. They
// decide almost every comparison, so that sorting reads no key.

// The ranks of RIGHT's keys. REQUIRES: the references outlive all that is made from it
struct RankedSpec {
  const Join &join;
  const JoinText &text;
  const JoinTable &table;
  int position_bits;  // size of LEFT's positions

  // An entry's key has an odd rank; keys between two entries have the even rank between them.
  static u64 rank_of_entry(u64 entry) { return entry * 2 + 1; }
  // True if ranks and positions fit in eight bytes. Records of RIGHT without a partner have the
  // last position.
  static bool has_room(i64 entries, int position_bits);
  u64 packed(u64 rank, u64 position) const { return rank << position_bits | position; }
};

// Writes rows of ranked_layout(), in which these bytes follow the first eight:
//   the key is in the table       the text of the fields of LEFT
//   it is not                     the encoded key, the position, the text of the key and of LEFT
// For one worker; not thread safe.
class RankedWriter {
 public:
  // REQUIRES: `store` is of ranked_layout(), in ascending order
  RankedWriter(const RankedSpec &spec, RowStore *store) : spec_(spec), store_(*store) {}

  // Adds a record, unless it is not printed.
  void add(const SideRecord &record);
  // Adds the records of RIGHT without a partner, for a full join. REQUIRES: all of LEFT has been
  // read
  void add_lone_entries();

 private:
  void add_matched(const SideRecord &record, const JoinTable::Entry &entry);
  void add_lone(const SideRecord &record);
  void add_row(u64 packed, u32 identity_end);

  const RankedSpec &spec_;
  RowStore &store_;
  std::string row_, key_;
};
RowLayout ranked_layout();

// Formats these rows, in order, as joined text.
std::unique_ptr<Formatter> make_ranked_formatter(const RankedSpec &spec, std::string header);

// Broadcast join with a table of LEFT, which ranks its records in the order of the output. A record
// of RIGHT becomes a row for each of its partners. The first eight bytes of a row are the partner's
// rank and the record's position, and decide almost every comparison.

// The ranks of LEFT's records. REQUIRES: all arguments outlive this
class RankedPairs {
 public:
  // `table` is the table of LEFT, `position_bits` is the size of RIGHT's positions.
  RankedPairs(const Join &join, const JoinText &text, const JoinTable &table, int position_bits);

  const Join &join() const { return join_; }
  const JoinText &text() const { return text_; }
  const JoinTable &table() const { return table_; }
  // Returns the rank of rows that begin with a record of LEFT, which is odd. Even ranks are between
  // records.
  u64 rank_of(u64 record) const { return place_of(record) * 2 + 1; }
  u64 record_at(u64 rank) const { return records_.empty() ? rank / 2 : records_[rank / 2]; }
  u64 packed(u64 rank, u64 position) const {
    return rank << position_bits_ | (position & ((u64{1} << position_bits_) - 1));
  }
  int position_bits() const { return position_bits_; }

 private:
  u64 place_of(u64 record) const { return places_.empty() ? record : places_[record]; }

  const Join &join_;
  const JoinText &text_;
  const JoinTable &table_;
  const int position_bits_;
  // The records of LEFT in the order of its input, and the place of each record in it. Empty if
  // rows are in the order of the keys.
  std::vector<u64> records_, places_;
};

// Writes rows of ranked_layout(), in which these bytes follow the first eight:
//   the rank is a record of LEFT's    the text after its head
//   it is not                         the encoded key, the position, and the text of the row
// For one worker; not thread safe.
class PairWriter {
 public:
  PairWriter(const RankedPairs &pairs, RowStore *store) : pairs_(pairs), store_(*store) {}

  void add(const SideRecord &record);
  // Adds the records of LEFT that are printed alone. REQUIRES: all of RIGHT has been read
  void add_lone_left();

 private:
  void add_lone_right(const SideRecord &record);
  void add_row(u64 packed, u32 identity_end);

  const RankedPairs &pairs_;
  RowStore &store_;
  std::string row_, key_, tail_;
};

// Formats these rows, in order, as joined text.
std::unique_ptr<Formatter> make_pair_formatter(const RankedPairs &pairs, std::string header);

}  // namespace mrc
