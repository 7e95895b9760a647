// Broadcast of LEFT. Its records have ranks in the order of the rows, which its table knows: each
// record of RIGHT becomes a row for each of its partners, whose first eight bytes are the partner's
// rank and the record's position. These decide almost every comparison.
#pragma once

#include "join/join_table.h"
#include "join/side_records.h"
#include "output/output.h"
#include "rows/rows.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// All must outlive what is made of it.
class RankedPairs {
 public:
  // `table` is of LEFT, `position_bits` of RIGHT.
  RankedPairs(const Join &join, const JoinText &text, const JoinTable &table, int position_bits);

  const Join &join() const { return join_; }
  const JoinText &text() const { return text_; }
  const JoinTable &table() const { return table_; }
  // Of what begins with a record of LEFT: odd. Even ones are between.
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
  std::vector<u64> records_, places_;  // in the order of LEFT; empty: in that of the keys
};

// Rows of ranked_layout(), in which bytes follow the first eight:
//   the rank is that of a record of LEFT    the text of what follows its head
//   it is not                               the key, encoded; the position; the text of the row
// One for each worker, not thread safe.
class PairWriter {
 public:
  PairWriter(const RankedPairs &pairs, RowStore *store) : pairs_(pairs), store_(*store) {}

  void add(const SideRecord &record);
  // Records of LEFT that are printed alone. When RIGHT has been read.
  void add_lone_left();

 private:
  void add_lone_right(const SideRecord &record);
  void add_row(u64 packed, u32 identity_end);

  const RankedPairs &pairs_;
  RowStore &store_;
  std::string row_, key_, tail_;
};

// Such rows, in order, as joined text.
std::unique_ptr<Formatter> make_pair_formatter(const RankedPairs &pairs, std::string header);

}  // namespace mrc
