// A side of a join whose records are in the order of their keys already, which one scan finds out.
// It also notes where in the input keys are, so that ranges of them can be read.
#pragma once

#include "join/side_records.h"
#include "join/stored_sides.h"

#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Keys, encoded (stored_sides.h), as they come.
class AscendingKeys {
 public:
  // False: it is before the last one.
  bool add(const SideRecord &record);
  void clear() { count_ = 0; }

  i64 count() const { return count_; }
  // REQUIRES: there are some
  const std::string &first() const { return first_; }
  const std::string &last() const { return last_; }

 private:
  i64 count_ = 0;
  std::string first_, last_, key_;
};

// A part of an input that begins and ends where records do. It is in order by itself.
struct SortedPiece {
  i64 begin = 0, end = 0;
  std::string first, last;  // keys
};

// The order of a side as one worker has seen it, or several together. Not thread safe.
class SideOrder {
 public:
  // Pieces have about so many bytes at least.
  explicit SideOrder(i64 piece_bytes) : piece_bytes_(piece_bytes) {}

  // Returns the number of records. Those that are not printed and have no partner do not count,
  // unless `counts_lone`. REQUIRES: chunks of one split come in its order
  i64 add(const Chunk &chunk, bool counts_lone, SideRecords *records);
  // A record is out of order, or a key too long to be kept.
  bool found_disorder() const { return found_disorder_; }

  // Takes over what another worker has seen.
  void add(SideOrder *other);
  // When all of the side was added: its pieces, in order; unset: it is not in that of its keys.
  std::optional<std::vector<SortedPiece>> pieces();

 private:
  void add_piece(SortedPiece piece);

  const i64 piece_bytes_;
  bool found_disorder_ = false;
  AscendingKeys keys_;  // of a chunk
  std::vector<SortedPiece> pieces_;
};

}  // namespace mrc
