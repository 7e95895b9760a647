#include "sort/sort.h"

#include <cstring>

namespace mrc {

void RowStore::add(u64 prefix, Bytes key, const State *state) {
  const bool in_row = key.size() <= kInline;
  const i64 key_room = in_row ? static_cast<i64>(key.size()) : static_cast<i64>(sizeof(char *));
  std::byte *row = arena_.alloc(8 + state_bytes_ + key_room);
  const u64 key_size = key.size();
  const char *key_data = key.data();
  std::memcpy(row, &key_size, 8);
  std::memcpy(row + 8, state, static_cast<size_t>(state_bytes_));
  if (in_row) {
    std::memcpy(row + 8 + state_bytes_, key_data, key.size());
  } else {
    std::memcpy(row + 8 + state_bytes_, &key_data, sizeof key_data);
  }
  rows_.push_back({prefix, row});
}

const State *row_state(const Row &row) { return row.data + 8; }

Bytes row_key(const Row &row, i64 state_bytes) {
  u64 size;
  std::memcpy(&size, row.data, 8);
  const char *key = reinterpret_cast<const char *>(row.data + 8 + state_bytes);
  if (size > RowStore::kInline) std::memcpy(&key, row.data + 8 + state_bytes, sizeof key);
  return {key, static_cast<size_t>(size)};
}

}  // namespace mrc
