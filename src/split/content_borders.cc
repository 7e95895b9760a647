// The start of a tile is skipped up to the minimum size. From there on, each end of a record ends
// the tile with a probability in proportion to the record's length, so that the size of tiles does
// not depend on that of records. The decision is a hash of the record, or of several if they are
// short: the ends of a log's lines are often repeated, but their starts have the time. So two
// contents that are equal from some offset on have the same borders soon after it.
#include "split/content_borders.h"

#include "base/hash.h"

#include <algorithm>

namespace mrc {

ContentBorders::ContentBorders(const CutBytes &cuts, i64 size, i64 begin)
    : cuts_(cuts),
      least_(size / 4),
      most_(4 * size),
      begin_(begin),
      record_end_(begin),
      record_begin_(begin),
      scanned_(begin),
      at_(begin) {}

void ContentBorders::feed(Bytes piece, std::vector<i64> *ends) {
  const i64 size = std::ssize(piece), piece_end = at_ + size;
  while (earliest() <= piece_end && scanned_ < piece_end) {
    pass_over(earliest() - 1, piece);
    const char *from = piece.data() + (scanned_ - at_);
    const char *cut = cuts_.first(from, piece.data() + size, scanned_);
    scanned_ = cut == nullptr ? piece_end : at_ + (cut - piece.data()) + 1;
    if (cut == nullptr) break;
    end_record(scanned_, piece, ends);
    record_begin_ = scanned_;
  }
  tail_.append(piece.substr(static_cast<size_t>(std::max<i64>(0, size - kMostWindow))));
  if (std::ssize(tail_) > kMostWindow) tail_.erase(0, tail_.size() - kMostWindow);
  at_ = piece_end;
}

void ContentBorders::pass_over(i64 to, Bytes piece) {
  if (to <= scanned_) return;
  const i64 size = std::min(kMostWindow, to - record_begin_);
  const Bytes before = bytes_before(to, size, piece);
  const char *cut = cuts_.last(before.data(), before.data() + size, to - size);
  record_begin_ = cut == nullptr ? to - size : to - size + (cut - before.data()) + 1;
  scanned_ = to;
}

void ContentBorders::finish(std::vector<i64> *ends) {
  if (at_ - begin_ > most_ && record_end_ > begin_) end_tile(record_end_, ends);
  if (at_ > begin_) end_tile(at_, ends);
}

void ContentBorders::end_record(i64 end, Bytes piece, std::vector<i64> *ends) {
  if (end - begin_ > most_) {
    end_tile(record_end_ > begin_ ? record_end_ : end, ends);
    if (end < earliest()) return;
  }
  const i64 length = end - std::max(record_end_, earliest() - 1);
  const i64 mean = most_ / 4 - least_;
  record_end_ = end;
  const i64 window = std::clamp(end - record_begin_, kLeastWindow, kMostWindow);
  const u64 chance = checksum_bytes(bytes_before(end, window, piece));
  if (chance % static_cast<u64>(mean) < static_cast<u64>(length)) {
    end_tile(end, ends);
  }
}

void ContentBorders::end_tile(i64 end, std::vector<i64> *ends) {
  ends->push_back(end);
  begin_ = record_end_ = end;
}

// REQUIRES: the bytes are in the piece or in tail_
Bytes ContentBorders::bytes_before(i64 end, i64 size, Bytes piece) {
  const i64 inside = end - at_;
  if (inside >= size) {
    return piece.substr(static_cast<size_t>(inside - size), static_cast<size_t>(size));
  }
  window_.assign(tail_, tail_.size() - static_cast<size_t>(size - inside));
  window_.append(piece.substr(0, static_cast<size_t>(inside)));
  return window_;
}

}  // namespace mrc
