#include "join/join_table.h"

#include <algorithm>
#include <bit>

namespace mrc {
namespace {

// A key of one part is looked up by its bytes; others have to be put together.
Bytes whole_key(std::span<const Bytes> keys, std::string *buffer) {
  if (keys.size() == 1) return keys[0];
  buffer->clear();
  append_join_key(keys, buffer);
  return *buffer;
}

}  // namespace

JoinTable::JoinTable(const Join &join, const JoinText &text, const Rows &rows, Seed seed)
    : join_(join), text_(text), seed_(seed) {
  const RowLayout layout = join_layout();
  std::vector<Bytes> fields(join.sides[kRight].fields.size());
  Bytes encoded;
  for (const Row &row : rows) {
    const StoredSide side(layout, row);
    if (entries_.empty() || side.key != encoded) add_entry(side);
    encoded = side.key;
    side.read_fields(&fields);
    tails_.push_back({texts_.size(), side.position});
    text.append_tail(fields, &texts_);
    entries_.back().end = tails_.size();
  }
  tails_.push_back({texts_.size(), 0});
  marks_ = std::vector<std::atomic<bool>>(entries_.size());
  fill_slots();
}

void JoinTable::add_entry(const StoredSide &side) {
  const size_t parts = join_.sides[kRight].keys.size();
  Bytes key = side.key;
  DecodedKey decoded(parts);
  if (parts == 1) key = decoded.decode(side.key)[0];
  entries_.push_back({keys_.copy(key), side.has_key, tails_.size(), tails_.size()});
}

void JoinTable::fill_slots() {
  slots_.resize(std::bit_ceil(std::max<size_t>(16, entries_.size() * 2)));
  const size_t mask = slots_.size() - 1;
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].has_key) continue;
    const u64 hash = hash_bytes(entries_[i].key, seed_);
    size_t at = hash & mask;
    while (slots_[at].entry != 0) at = (at + 1) & mask;
    slots_[at] = {static_cast<u32>(hash >> 32), static_cast<u32>(i + 1)};
  }
}

const JoinTable::Entry *JoinTable::find(std::span<const Bytes> keys, std::string *buffer) const {
  const Bytes key = whole_key(keys, buffer);
  const u64 hash = hash_bytes(key, seed_);
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask; slots_[at].entry != 0; at = (at + 1) & mask) {
    if (slots_[at].hash != static_cast<u32>(hash >> 32)) continue;
    const Entry *entry = &entries_[slots_[at].entry - 1];
    if (entry->key == key) return entry;
  }
  return nullptr;
}

void JoinTable::append_unmarked(i64 limit, std::string *out) const {
  std::vector<std::pair<u64, const Entry *>> lone;  // tails
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (marks_[i].load(std::memory_order_relaxed)) continue;
    for (u64 tail = entries_[i].first; tail < entries_[i].end; ++tail) {
      lone.emplace_back(tail, &entries_[i]);
    }
  }
  std::ranges::sort(lone, {}, [this](const auto &one) { return tails_[one.first].position; });
  if (limit < std::ssize(lone)) lone.resize(static_cast<size_t>(limit));
  DecodedKey decoded(join_.sides[kRight].keys.size());
  for (const auto &[tail_number, entry] : lone) {
    const Bytes key = entry->key.empty() ? Bytes() : entry->key;
    const bool is_plain = join_.sides[kRight].keys.size() == 1;
    text_.append_lone_head(is_plain ? std::span(&key, 1) : std::span(decoded.decode(key)), out);
    out->append(tail(tail_number));
  }
}

i64 JoinTable::bytes() const {
  return keys_.size() + std::ssize(texts_) + std::ssize(entries_) * i64{sizeof(Entry)} +
         std::ssize(tails_) * i64{sizeof(Tail)} + std::ssize(slots_) * i64{sizeof(Slot)};
}

}  // namespace mrc
