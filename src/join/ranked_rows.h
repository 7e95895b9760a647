// Broadcast in the order of the keys. Keys have ranks, which the table of RIGHT knows: records of
// LEFT become rows whose first eight bytes are the rank of the key and the record's position. These
// decide almost every comparison, so sorting reads no key.
#pragma once

#include "join/join_table.h"
#include "join/side_records.h"
#include "output/output.h"
#include "rows/rows.h"

#include <memory>
#include <string>

namespace mrc {

// All must outlive what is made of it.
struct RankedSpec {
  const Join &join;
  const JoinText &text;
  const JoinTable &table;
  int position_bits;  // of LEFT

  // The rank of an entry's key is odd; keys between two entries have the even rank between.
  static u64 rank_of_entry(u64 entry) { return entry * 2 + 1; }
  // Whether ranks and positions have room in eight bytes. The last position is that of what LEFT
  // does not have.
  static bool has_room(i64 entries, int position_bits);
  u64 packed(u64 rank, u64 position) const { return rank << position_bits | position; }
};

// Rows of ranked_layout(), in which bytes follow the first eight:
//   the key is in the table       the text of the fields of LEFT
//   it is not                     the key, encoded; the position; the text of the key and of LEFT
// One for each worker, not thread safe.
class RankedWriter {
 public:
  // Of ranked_layout(), in ascending order.
  RankedWriter(const RankedSpec &spec, RowStore *store) : spec_(spec), store_(*store) {}

  // A record that is not printed is left out.
  void add(const SideRecord &record);
  // Records of RIGHT without a partner, for a full join. When LEFT has been read.
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

// Such rows, in order, as joined text.
std::unique_ptr<Formatter> make_ranked_formatter(const RankedSpec &spec, std::string header);

}  // namespace mrc
