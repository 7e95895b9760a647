// split: tiles of a file with borders chosen by content, so that an edit moves only the borders
// near it (content-defined chunking).
#pragma once

#include "split/split.h"

#include <string>
#include <vector>

namespace mrc {

// Finds the ends of tiles: ends of records, chosen by a hash of the records before them. Tiles have
// about `size` bytes. All but the last have at least a quarter of it, and none has more than four
// times as much unless a record is longer. Borders do not depend on how the content is divided into
// pieces. Two scans that start at different places agree from the first border that they have in
// common.
class ContentBorders {
 public:
  static constexpr i64 kLeastSize = i64{1} << 10;

  // REQUIRES: size >= kLeastSize; `cuts` end records, and outlive this object; a tile begins at
  // `begin`, where the first piece starts
  ContentBorders(const CutBytes &cuts, i64 size, i64 begin = 0);

  // Processes the next piece and appends the ends of tiles found; some may lie before the piece.
  void feed(Bytes piece, std::vector<i64> *ends);
  // Ends the content, after a whole record.
  void finish(std::vector<i64> *ends);

 private:
  // Window of the hash: the last record, clamped to these sizes.
  static constexpr i64 kLeastWindow = 64, kMostWindow = i64{4} << 10;

  void end_record(i64 end, Bytes piece, std::vector<i64> *ends);
  void end_tile(i64 end, std::vector<i64> *ends);
  void pass_over(i64 to, Bytes piece);
  // Offset of the first record end that can end the tile.
  i64 earliest() const { return begin_ + least_; }
  Bytes bytes_before(i64 end, i64 size, Bytes piece);

  const CutBytes &cuts_;
  const i64 least_, most_;
  i64 begin_;         // start of the tile
  i64 record_end_;    // last record end seen in the tile; equal to begin_ if there is none
  i64 record_begin_;  // start of the record at scanned_, or at least kMostWindow before it
  i64 scanned_;       // all bytes before it are scanned
  i64 at_;            // offset of the piece
  std::string tail_;  // last bytes before the piece
  std::string window_;
};

}  // namespace mrc
