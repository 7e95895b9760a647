#include "rows/rows.h"

#include <string.h>

#include <algorithm>

namespace mrc {

Bytes RowLayout::key(const Row &row) const {
  const char *at = data(row);
  if (lines) {
    u64 size = row.place >> 48;
    if (size == kLongLine) {
      size = static_cast<u64>(static_cast<const char *>(rawmemchr(at + size, terminator)) - at);
    }
    return {at, static_cast<size_t>(size)};
  }
  u64 size;
  std::memcpy(&size, at, 8);
  const char *bytes = at + 8 + state_bytes;
  if (size > kInline) std::memcpy(&bytes, bytes, sizeof bytes);
  return {bytes, static_cast<size_t>(size)};
}

Bytes RowLayout::identity(const Row &row) const {
  if (!parts) return key(row);
  Parts at;
  std::memcpy(&at, state(row) + parts_at, sizeof at);
  return key(row).substr(0, at.identity_end);
}

Bytes RowLayout::behind_order(const Row &row) const {
  Parts at;
  std::memcpy(&at, state(row) + parts_at, sizeof at);
  return key(row).substr(at.payload_begin);
}

void RowStore::add(u64 prefix, Bytes key, const State *state) {
  const bool in_row = key.size() <= RowLayout::kInline;
  if (!in_row && key_bytes_ == KeyBytes::copied) key = arena_.copy(key);
  const char *key_data = key.data();
  const Bytes last = in_row ? key : Bytes(reinterpret_cast<char *>(&key_data), sizeof key_data);
  std::byte *row = arena_.alloc(8 + layout_.state_bytes + static_cast<i64>(last.size()));
  const u64 key_size = key.size();
  std::memcpy(row, &key_size, 8);
  std::copy_n(state, layout_.state_bytes, row + 8);  // either may be nothing, at null
  std::copy_n(reinterpret_cast<const std::byte *>(last.data()), last.size(),
              row + 8 + layout_.state_bytes);
  rows_.push_back({prefix, reinterpret_cast<u64>(row)});
}

// Rows are added again one by one, so that what lay between them is free.
void RowStore::keep_first(i64 n, const Order &order) {
  order.compares()
      ? sort_range({rows_.begin(), rows_.end()}, order, layout_)
      : std::nth_element(rows_.begin(), rows_.begin() + n, rows_.end(), Before(order, layout_));
  RowStore kept(layout_, key_bytes_);
  for (i64 i = 0; i < n; ++i) {
    kept.add(rows_[i].prefix, layout_.key(rows_[i]), layout_.state(rows_[i]));
  }
  rows_.truncate(0);
  rows_.append(kept.rows());
  arena_ = std::move(kept.arena_);
}

void RowStore::clear() {
  rows_.clear();
  arena_.clear();
}

}  // namespace mrc
