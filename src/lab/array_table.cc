// Places, in this order: the empty key; keys of one byte; keys of two, among them the
// numbers below 100; numbers from 100, which have three digits or more. So no key has
// two places and no place two keys.
//
// The array knows nothing of hashes: which entries belong to a partition is found in a
// list of the places in use, which seal() sorts by hash. The list is short by its nature.
#include "lab/array_table.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kOneByte = 1;
constexpr i64 kTwoBytes = kOneByte + (i64{1} << 8);
constexpr i64 kNumbers = kTwoBytes + (i64{1} << 16);
constexpr i64 kLargest = 65535;
constexpr i64 kPlaces = kNumbers + kLargest + 1;

// The number that the first `size` bytes are in decimal; -1 if they are none, or one that
// begins with 0.
i64 decimal(u64 bytes, u64 size) {
  if ((bytes & 0xFF) == '0') return -1;
  i64 number = 0;
  for (u64 i = 0; i < size; ++i, bytes >>= 8) {
    const u64 digit = (bytes & 0xFF) - '0';
    if (digit > 9) return -1;
    number = 10 * number + static_cast<i64>(digit);
  }
  return number;
}

}  // namespace

i64 ArrayTable::index_of(const Key16 &key) {
  const u64 size = (key.word[1] >> 56) - 1, bytes = key.word[0];
  if (size > 5) return -1;
  if (size == 0) return 0;
  if (size == 1) return kOneByte + static_cast<i64>(bytes);
  if (size == 2) return kTwoBytes + static_cast<i64>(bytes);
  const i64 number = decimal(bytes, size);
  return number < 0 || number > kLargest ? -1 : kNumbers + number;
}

ArrayTable::ArrayTable(i64 state_bytes, i64 expected_keys)
    : state_bytes_(state_bytes),
      states_(kPlaces * std::max<i64>(state_bytes, 8)),
      used_(kPlaces),
      others_(state_bytes, KeyBytes::copied, expected_keys) {}

void ArrayTable::group(const Batch<Key16> &batch, State **states) {
  std::array<i64, Batch<Key16>::kCapacity> from;  // where keys of rest_ are in the batch
  rest_.size = 0;
  for (i64 i = 0; i < batch.size; ++i) {
    const auto at = static_cast<size_t>(i);
    const i64 index = index_of(batch.keys[at]);
    if (index >= 0) {
      states[i] = find_or_make(index, batch.keys[at], batch.hashes[at]);
      continue;
    }
    const auto to = static_cast<size_t>(rest_.size++);
    rest_.keys[to] = batch.keys[at];
    rest_.hashes[to] = batch.hashes[at];
    from[to] = i;
  }
  if (rest_.size == 0) return;
  std::array<State *, Batch<Key16>::kCapacity> found;
  others_.group(rest_, found.data());
  for (size_t i = 0; i < static_cast<size_t>(rest_.size); ++i) states[from[i]] = found[i];
}

inline State *ArrayTable::find_or_make(i64 index, const Key16 &key, u64 hash) {
  if (!used_[static_cast<size_t>(index)]) [[unlikely]] {
    used_[static_cast<size_t>(index)] = true;
    entries_.push_back({hash, index, key});
  }
  return state(index);
}

void ArrayTable::seal(const MergeStates &merge) {
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry &a, const Entry &b) { return a.hash < b.hash; });
  others_.seal(merge);
}

std::vector<ArrayTable::Entry>::const_iterator ArrayTable::first_from(u64 hash) const {
  return std::lower_bound(entries_.begin(), entries_.end(), hash,
                          [](const Entry &entry, u64 low) { return entry.hash < low; });
}

std::vector<ArrayTable::Entry>::const_iterator ArrayTable::behind(Partition partition) const {
  return ~partition.high() == 0 ? entries_.end() : first_from(partition.high() + 1);
}

void ArrayTable::visit(Partition partition, GroupVisitor<Key16> *visitor) const {
  VisitBatcher<Key16> batcher(visitor);
  const auto end = behind(partition);
  for (auto entry = first_from(partition.low()); entry < end; ++entry) {
    batcher.add(entry->key, entry->hash, state(entry->index));
  }
  batcher.flush();
  others_.visit(partition, visitor);
}

i64 ArrayTable::count(Partition partition) const {
  return behind(partition) - first_from(partition.low()) + others_.count(partition);
}

void ArrayTable::clear() {
  for (const Entry &entry : entries_) {
    used_[static_cast<size_t>(entry.index)] = false;
    std::memset(state(entry.index), 0, static_cast<size_t>(state_bytes_));
  }
  entries_.clear();
  others_.clear();
}

ContainerUsage ArrayTable::usage() const {
  ContainerUsage all = others_.usage();
  all.keys += std::ssize(entries_);
  all.slots += kPlaces;
  all.bytes += states_.size() + kPlaces / 8 + static_cast<i64>(entries_.capacity() * sizeof(Entry));
  return all;
}

}  // namespace mrc
