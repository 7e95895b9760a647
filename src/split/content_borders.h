// split: tiles of a file whose borders follow from its content, so that an edit moves the borders
// near it and no others (content-defined chunking).
#pragma once

#include "split/split.h"

#include <string>
#include <vector>

namespace mrc {

// Finds the ends of tiles: ends of records, chosen by a hash of the records before them. Tiles have
// about `size` bytes, at least a quarter of it but for the last one, and at most four times as
// much unless a record is longer. They are the same whatever pieces the content comes in, and
// wherever it was begun, from the first end on that two have in common.
class ContentBorders {
 public:
  static constexpr i64 kLeastSize = i64{1} << 10;

  // REQUIRES: size >= kLeastSize; `cuts` end records, and outlive this; a tile begins at `begin`,
  // where the first piece follows
  ContentBorders(const CutBytes &cuts, i64 size, i64 begin = 0);

  // The next piece. Appends the ends of tiles that it shows: some may lie before the piece.
  void feed(Bytes piece, std::vector<i64> *ends);
  // The content ends here, after a whole record.
  void finish(std::vector<i64> *ends);

 private:
  // Bytes that decide: the record, as many as these if it is shorter, and no more if it is longer.
  static constexpr i64 kLeastWindow = 64, kMostWindow = i64{4} << 10;

  void end_record(i64 end, Bytes piece, std::vector<i64> *ends);
  void end_tile(i64 end, std::vector<i64> *ends);
  void pass_over(i64 to, Bytes piece);
  // Where the first record may end that can end the tile.
  i64 earliest() const { return begin_ + least_; }
  Bytes bytes_before(i64 end, i64 size, Bytes piece);

  const CutBytes &cuts_;
  const i64 least_, most_;
  i64 begin_;         // of the tile
  i64 record_end_;    // the last in the tile that was seen; where it begins: none
  i64 record_begin_;  // of the record at `scanned_`, or far before it
  i64 scanned_;       // up to here
  i64 at_;            // where the piece begins
  std::string tail_;  // the last bytes before it
  std::string window_;
};

}  // namespace mrc
