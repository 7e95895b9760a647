#include "join/inner/sorted_side.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mrc {
namespace {

constexpr size_t kLongestKey = 4096;

}  // namespace

bool AscendingKeys::add(const SideRecord &record) {
  key_.clear();
  append_join_key(record.keys, &key_);
  if (count_ == 0) {
    first_ = key_;
  } else if (key_ < last_) {
    return false;
  }
  last_.swap(key_);
  ++count_;
  return true;
}

i64 SideOrder::add(const Chunk &chunk, bool counts_lone, SideRecords *records) {
  keys_.clear();
  const i64 read = records->each(chunk, [&](const SideRecord &record) {
    if (record.has_key || counts_lone) found_disorder_ |= !keys_.add(record);
    return !found_disorder_;
  });
  if (keys_.count() == 0) return read;
  found_disorder_ |= std::max(keys_.first().size(), keys_.last().size()) > kLongestKey;
  add_piece({chunk.offset, chunk.offset + std::ssize(chunk.bytes), keys_.first(), keys_.last()});
  return read;
}

void SideOrder::add_piece(SortedPiece piece) {
  SortedPiece *const before = pieces_.empty() ? nullptr : &pieces_.back();
  const bool grows =
      before != nullptr && before->end == piece.begin && before->end - before->begin < piece_bytes_;
  if (!grows) return pieces_.push_back(std::move(piece));
  found_disorder_ |= piece.first < before->last;
  before->end = piece.end;
  before->last = std::move(piece.last);
}

void SideOrder::add(SideOrder *other) {
  found_disorder_ |= other->found_disorder_;
  std::ranges::move(other->pieces_, std::back_inserter(pieces_));
}

std::optional<std::vector<SortedPiece>> SideOrder::pieces() {
  std::ranges::sort(pieces_, {}, &SortedPiece::begin);
  const auto disorder = std::ranges::adjacent_find(
      pieces_, [](const SortedPiece &a, const SortedPiece &b) { return b.first < a.last; });
  if (found_disorder_ || disorder != pieces_.end()) return std::nullopt;
  return std::move(pieces_);
}

}  // namespace mrc
