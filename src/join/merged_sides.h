// Merge join: reads two inputs that are sorted by the key side by side, and sorts nothing.
#pragma once

#include "input/input.h"
#include "join/join.h"
#include "join/joined_rows.h"
#include "rows/row_source.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Finds out in one scan whether a side's records are already sorted by their keys. The scan also
// notes where keys are in the input, so that ranges of keys can be read.

// Encoded keys (joined_rows.h) in the order of the input.
class AscendingKeys {
 public:
  // Returns false if the key is before the last one.
  bool add(const SideRecord &record);
  void clear() { count_ = 0; }

  i64 count() const { return count_; }
  // REQUIRES: count() > 0
  const std::string &first() const { return first_; }
  const std::string &last() const { return last_; }

 private:
  i64 count_ = 0;
  std::string first_, last_, key_;
};

// A part of an input that begins and ends where records do, and is sorted.
struct SortedPiece {
  i64 begin = 0, end = 0;
  std::string first, last;  // encoded keys
};

// The order of a side as seen by one worker or several. Not thread safe.
class SideOrder {
 public:
  // Pieces have at least about `piece_bytes`, if their chunks are adjacent.
  explicit SideOrder(i64 piece_bytes) : piece_bytes_(piece_bytes) {}

  // Returns the number of records read. Records without a key are skipped, unless `counts_lone`.
  // REQUIRES: chunks of one split come in its order
  i64 add(const Chunk &chunk, bool counts_lone, SideRecords *records);
  // True if a record is out of order, or a key is too long to be kept.
  bool found_disorder() const { return found_disorder_; }

  // Takes over the pieces of another worker.
  void add(SideOrder *other);
  // Returns the side's pieces, in order; unset if it is not sorted by its keys. REQUIRES: the whole
  // side was added
  std::optional<std::vector<SortedPiece>> pieces();

 private:
  void add_piece(SortedPiece piece);

  const i64 piece_bytes_;
  bool found_disorder_ = false;
  AscendingKeys keys_;  // keys of the current chunk
  std::vector<SortedPiece> pieces_;
};

// Merge join: reads two inputs that are sorted by the key side by side, and sorts nothing.

struct MergedSidesSpec {
  const Join &join;
  const InputReaders &readers;
  std::array<Source, 2> sources;  // both are files; there are no others
  std::array<std::vector<SortedPiece>, 2> pieces;
  i64 block_bytes;  // approximate size of a block's parts of both inputs
};

// Returns the records of both sides as ordered rows of join_layout(), in blocks that begin where
// keys do, for join_rows(). A block reads its part of each input piece by piece, and keeps one
// piece of each in memory. Malformed records are skipped without a report, because the scan that
// found the order has reported them. Fails if a file has changed since its pieces were noted.
Result<std::unique_ptr<RowSource>> merge_sides(MergedSidesSpec spec);

}  // namespace mrc
