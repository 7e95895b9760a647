// The beginning of a tile is passed over up to the least size. Past that, each end of a record ends
// the tile with a probability in proportion to the record's length, so that the size of tiles does
// not depend on that of records. Chance is a hash of the bytes before it. So two contents that are
// the same from some place on have the same borders soon after that place.
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
      at_(begin) {}

void ContentBorders::feed(Bytes piece, std::vector<i64> *ends) {
  const i64 size = std::ssize(piece);
  for (i64 from = earliest() - 1;;) {
    from = std::max(from, at_);
    if (from >= at_ + size) break;
    const char *cut = cuts_.first(piece.data() + (from - at_), piece.data() + size, from);
    if (cut == nullptr) break;
    const i64 end = at_ + (cut - piece.data()) + 1;
    end_record(end, piece, ends);
    from = std::max(end, earliest() - 1);
  }
  tail_.append(piece.substr(static_cast<size_t>(std::max<i64>(0, size - kWindow))));
  if (std::ssize(tail_) > kWindow) tail_.erase(0, tail_.size() - kWindow);
  at_ += size;
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
  if (hash_before(end, piece) % static_cast<u64>(mean) < static_cast<u64>(length)) {
    end_tile(end, ends);
  }
}

void ContentBorders::end_tile(i64 end, std::vector<i64> *ends) {
  ends->push_back(end);
  begin_ = record_end_ = end;
}

u64 ContentBorders::hash_before(i64 end, Bytes piece) const {
  const i64 inside = end - at_;
  if (inside >= kWindow) {
    return checksum_bytes(piece.substr(static_cast<size_t>(inside - kWindow), kWindow));
  }
  const auto missing = std::min(static_cast<size_t>(kWindow - inside), tail_.size());
  std::string window = tail_.substr(tail_.size() - missing);
  window.append(piece.substr(0, static_cast<size_t>(inside)));
  return checksum_bytes(window);
}

}  // namespace mrc
