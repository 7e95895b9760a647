// The array holds, in this order: the numbers; the empty key; keys of one byte; keys of two. A key
// that is a number has no second index by its bytes, so keys and indexes match one to one.
//
// The array is not ordered by hash: the entries of a partition are found in a list of the used
// indexes, which seal() sorts by hash. The list is short, because the array is.
#include "group/array_table.h"

#include "group/group.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kNumbers = 65536;
constexpr i64 kOneByte = kNumbers + 1;
constexpr i64 kTwoBytes = kOneByte + (i64{1} << 8);
constexpr i64 kPlaces = kTwoBytes + (i64{1} << 16);

// Returns a word of eight equal bytes.
constexpr u64 each(u64 byte) { return 0x0101010101010101 * byte; }

// Returns the decimal number in the first `size` bytes; kNumbers or more if they are not a number
// below kNumbers or begin with a 0 before other digits. Has no branches, because the lengths of
// keys are unpredictable.
// REQUIRES: 1 <= size <= 5; the other bytes are 0
u64 decimal(u64 bytes, u64 size) {
  const u64 text = bytes << (64 - 8 * size) | each('0') >> 8 * size;
  const u64 wrong = ((text + each(0x7F - '9')) | (text - each('0'))) & each(0x80);
  const u64 leading = ((bytes & 0xFF) == '0') & (size > 1);
  // Combines digits to pairs, then pairs to the number.
  const u64 pairs = (text - each('0')) * 10 + ((text - each('0')) >> 8);
  const u64 number = ((pairs & 0xFF000000FF) * (100 + (u64{1000000} << 32)) +
                      ((pairs >> 16) & 0xFF000000FF) * (1 + (u64{10000} << 32))) >>
                     32;
  return number | (wrong != 0 || leading != 0 ? u64{1} << 32 : 0);
}

}  // namespace

i64 ArrayTable::index_of(const Key16 &key) {
  const u64 size = (key.word[1] >> 56) - 1, bytes = key.word[0];
  if (size - 1 < 5) [[likely]] {
    const u64 number = decimal(bytes, size);
    if (number < kNumbers) [[likely]]
      return static_cast<i64>(number);
  }
  if (size == 0) return kNumbers;
  if (size == 1) return kOneByte + static_cast<i64>(bytes);
  return size == 2 ? kTwoBytes + static_cast<i64>(bytes) : -1;
}

i64 ArrayTable::bytes_of(i64 state_bytes) { return kPlaces * state_bytes; }

ArrayTable::ArrayTable(i64 state_bytes, i64 expected_keys)
    : state_bytes_(state_bytes),
      states_(kPlaces * std::max<i64>(state_bytes, 8)),
      used_(kPlaces),
      others_(state_bytes, KeyBytes::copied, expected_keys) {}

void ArrayTable::group(const Batch<Key16> &batch, State **states) {
  std::array<i64, Batch<Key16>::kCapacity> from;  // indexes in the batch of the keys in rest_
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

const ContainerType kFlatContainer = container_type(
    "flat", "open addressing, growing",
    []<typename Key>(const ContainerSpec &spec) {
      auto table =
          std::make_unique<FlatTable<Key>>(spec.state_bytes, KeyBytes::copied, spec.expected_keys);
      spec.buckets > 0 ? table->begin_with(spec.buckets) : table->begin_within(spec.most_bytes);
      table->ablate(spec.ablation);
      return ContainerOwner<Key>(std::move(table));
    },
    false, true);

const ContainerType kArrayContainer = container_type(
    "array", "small numbers index an array; other keys as in flat (Phoenix++)",
    []<typename Key>(const ContainerSpec &spec) -> ContainerOwner<Key> {
      if constexpr (std::is_same_v<Key, Key16>) {
        return std::make_unique<ArrayTable>(spec.state_bytes, spec.expected_keys);
      } else {
        return make_container<Key>({.state_bytes = spec.state_bytes,
                                    .ablation = spec.ablation,
                                    .expected_keys = spec.expected_keys,
                                    .buckets = spec.buckets});
      }
    },
    false, true);

std::vector<const ContainerType *> all_containers() {
  std::vector<const ContainerType *> all = {&kFlatContainer, &kArrayContainer};
  for (const ContainerType &type : lab_containers()) all.push_back(&type);
  return all;
}

ContainerUsage &ContainerUsage::operator+=(const ContainerUsage &other) {
  keys += other.keys;
  slots += other.slots;
  growths += other.growths;
  bytes += other.bytes;
  return *this;
}

Groups::Groups(const ContainerSpec &spec) : type_(spec.type) {
  size_t key_class = 0;
  containers_.each([&]<typename Key>(ContainerOwner<Key> &container) {
    const double expected = static_cast<double>(spec.expected_keys) * spec.shares[key_class++];
    ContainerSpec of_class = spec;
    of_class.expected_keys = static_cast<i64>(expected);
    container = make_container<Key>(of_class);
  });
}

void Groups::seal(const MergeStates &merge) {
  containers_.each([&](auto &container) { container->seal(merge); });
}

void Groups::clear() {
  containers_.each([](auto &container) { container->clear(); });
}

Containers Groups::containers() const {
  Containers all;
  all.of<Key16>() = containers_.of<Key16>().get();
  all.of<Key32>() = containers_.of<Key32>().get();
  all.of<KeyRef>() = containers_.of<KeyRef>().get();
  return all;
}

ContainerUsage Groups::usage() const {
  ContainerUsage all;
  containers_.each([&](const auto &container) { all += container->usage(); });
  return all;
}

}  // namespace mrc
