// Broadcast join in the order of the keys: the table of RIGHT ranks the keys. Records of LEFT
// become rows whose first eight bytes are the rank of the key and the record's position. They
// decide almost every comparison, so that sorting reads no key.
#pragma once

#include "join/inner/join_table.h"
#include "join/side_records.h"
#include "output/output.h"
#include "rows/rows.h"

#include <memory>
#include <string>

namespace mrc {

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

}  // namespace mrc
