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
  const char *key = at + 8 + state_bytes;
  if ((size & kElsewhere) != 0) std::memcpy(&key, key, sizeof(const char *));
  return {key, static_cast<size_t>(size & ~kElsewhere)};
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
  const bool in_row = key_bytes_ == KeyBytes::copied || key.size() <= kShort;
  const char *key_data = key.data();
  const Bytes last = in_row ? key : Bytes(reinterpret_cast<char *>(&key_data), sizeof key_data);
  std::byte *row = arena_.alloc(8 + layout_.state_bytes + static_cast<i64>(last.size()));
  const u64 key_size = in_row ? key.size() : key.size() | RowLayout::kElsewhere;
  std::memcpy(row, &key_size, 8);
  std::copy_n(state, layout_.state_bytes, row + 8);  // a state of no bytes may be null
  std::copy_n(reinterpret_cast<const std::byte *>(last.data()), last.size(),
              row + 8 + layout_.state_bytes);
  rows_.push_back({prefix, reinterpret_cast<u64>(row)});
}

void RowStore::add_copy(const Row &row) {
  const Bytes key = layout_.key(row);
  if (!layout_.lines) return add(row.prefix, key, layout_.state(row));
  auto *line = reinterpret_cast<char *>(arena_.alloc(std::ssize(key) + 1 + kPadding));
  std::memcpy(line, key.data(), key.size());
  line[key.size()] = layout_.terminator;
  add_line(row.prefix, {line, key.size()});
}

// Copies the kept rows out and in again, so that more rows reuse the memory of the others.
void RowStore::keep_first(i64 n, const Order &order) {
  const Before before(order, layout_);
  if (order.unique) {
    std::sort(rows_.begin(), rows_.end(), before);
    drop_repeated(layout_, &rows_);
  } else if (order.compares()) {
    sort_range({rows_.begin(), rows_.end()}, order, layout_);
  } else if (n < rows_.size()) {
    std::nth_element(rows_.begin(), rows_.begin() + n, rows_.end(), before);
  }
  RowStore kept(layout_, key_bytes_);
  for (i64 i = 0; i < std::min(n, rows_.size()); ++i) kept.add_copy(rows_[i]);
  clear();
  for (const Row &row : kept.rows_) add_copy(row);
}

void RowStore::clear() {
  rows_.clear();
  arena_.clear();
}

}  // namespace mrc
