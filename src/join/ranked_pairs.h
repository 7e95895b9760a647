// Broadcast join with a table of LEFT, which ranks its records in the order of the output. A record
// of RIGHT becomes a row for each of its partners. The first eight bytes of a row are the partner's
// rank and the record's position, and decide almost every comparison.
#pragma once

#include "join/inner/join_table.h"
#include "join/side_records.h"
#include "output/output.h"
#include "rows/rows.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

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
