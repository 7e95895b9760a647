#include "join/inner/stored_sides.h"

#include "base/varint.h"
#include "map/key_parts.h"
#include "map/sort_key.h"

namespace mrc {
namespace {

constexpr u8 kLeftBit = 1, kNoKeyBit = 2;
constexpr size_t kSideBytes = 9;  // side and position

const KeyPart kTextPart;

}  // namespace

RowLayout join_layout() {
  RowLayout layout;
  layout.parts = true;
  layout.state_bytes = sizeof(RowLayout::Parts);
  return layout;
}

void append_join_key(std::span<const Bytes> keys, std::string *out) {
  for (const Bytes key : keys) append_key_part(kTextPart, key, out);
}

void SideWriter::add(const SideRecord &record) {
  if (!record.has_key && !keeps_lone_) return;
  bytes_.clear();
  append_join_key(record.keys, &bytes_);
  RowLayout::Parts parts{static_cast<u32>(bytes_.size()), 0};
  parts.payload_begin = parts.identity_end + kSideBytes;
  const u8 side = (side_ == kLeft ? kLeftBit : 0) | (record.has_key ? 0 : kNoKeyBit);
  bytes_.push_back(static_cast<char>(side));
  append_position(record.position, &bytes_);
  for (const Bytes field : record.fields) {
    append_varint(field.data() == nullptr ? 0 : field.size() + 1, &bytes_);
    bytes_.append(field);
  }
  store_.add(order_prefix(order_, bytes_, 0), bytes_, reinterpret_cast<State *>(&parts));
}

StoredSide::StoredSide(const RowLayout &layout, const Row &row) : key(layout.identity(row)) {
  const char *at = key.data() + key.size();
  const u8 bits = static_cast<u8>(*at);
  side = (bits & kLeftBit) != 0 ? kLeft : kRight;
  has_key = (bits & kNoKeyBit) == 0;
  position = position_at(at + 1);
  fields = layout.payload(row);
}

void StoredSide::read_fields(std::vector<Bytes> *values) const {
  Bytes rest = fields;
  for (Bytes &value : *values) {
    const u64 size = take_varint(&rest);
    value = size == 0 ? Bytes() : rest.substr(0, size - 1);
    rest.remove_prefix(value.size());
  }
}

const std::vector<Bytes> &DecodedKey::decode(Bytes key) {
  for (size_t i = 0; i < texts_.size(); ++i) {
    texts_[i].clear();
    take_key_part(kTextPart, &key, &texts_[i]);
    values_[i] = texts_[i].empty() ? Bytes() : Bytes(texts_[i]);
  }
  return values_;
}

}  // namespace mrc
