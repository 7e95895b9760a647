#include "reduce/shared_partitions.h"

#include "group/keys.h"
#include "map/key_image.h"
#include "reduce/inner/record_folder.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace mrc {

SharedPartitions::SharedPartitions(const StateLayout &layout, int bits, i64 expected_keys,
                                   const std::array<double, 3> &shares)
    : layout_(layout), bits_(bits) {
  const double keys = static_cast<double>(expected_keys >> bits);
  for (i64 i = 0; i < i64{1} << bits; ++i) {
    parts_.push_back(std::make_unique<Part>(layout.state_bytes()));
    size_t key_class = 0;
    parts_.back()->tables.each(
        [&](auto &table) { table.expect(static_cast<i64>(keys * shares[key_class++])); });
  }
}

template <typename Key>
bool SharedPartitions::fold(i64 partition, const GatheredRecords<Key> &records, State **states) {
  constexpr i64 kValues = 1 + sizeof(Key) / sizeof(u64);
  Part &to = part(partition);
  const std::lock_guard lock(to.mutex);
  if (closed_.load(std::memory_order_relaxed)) return false;
  FlatTable<Key> &table = to.tables.of<Key>();
  const i64 slots = table.slots();
  table.group(records, states);
  layout_.add(states, {records.words + kValues, records.stride}, records.size, &to.arena);
  to.records += records.size;
  if (table.slots() != slots || !layout_.is_flat()) count_bytes(&to);
  return true;
}

void SharedPartitions::merge(i64 partition, const Groups &groups) {
  Part &to = part(partition);
  to.tables.each([&]<typename Key>(FlatTable<Key> &table) {
    GroupMerger<Key> merger(&table, TableHash(bits_), layout_, &to.arena);
    merger.merge(groups.container<Key>(), {partition, bits_});
  });
  count_bytes(&to);
}

void SharedPartitions::count_bytes(Part *part) {
  const i64 bytes = part->tables.memory_bytes() + part->arena.size();
  used_bytes_ += bytes - std::exchange(part->bytes, bytes);
}

Status SharedPartitions::stage(OverflowBuffer *to, i64 most_bytes) {
  for (i64 partition = 0; partition < count(); ++partition) {
    stage(partition, to);
    if (to->used_bytes() < most_bytes) continue;
    if (Status status = to->spill(); !status.is_ok()) return status;
    to->clear(true);
  }
  return Status::ok();
}

void SharedPartitions::stage(i64 partition, OverflowBuffer *to) {
  Part &from = part(partition);
  const std::lock_guard lock(from.mutex);
  std::string saved;
  from.tables.each_slot([&](const auto &slot) {
    saved.clear();
    if (!layout_.is_flat()) layout_.save(slot.state(), &saved);
    const u64 hash = Partition{partition, bits_}.whole(slot.hash);
    to->append({hash, key_bytes(slot.key), true, slot.state(), saved});
  });
  from.tables.each([](auto &table) { table.release(); });
  from.arena.release();
  used_bytes_ -= std::exchange(from.bytes, 0);
}

i64 SharedPartitions::records() const {
  i64 all = 0;
  for (const auto &part : parts_) all += part->records;
  return all;
}

template bool SharedPartitions::fold(i64, const GatheredRecords<Key16> &, State **);
template bool SharedPartitions::fold(i64, const GatheredRecords<Key32> &, State **);
template bool SharedPartitions::fold(i64, const GatheredRecords<KeyRef> &, State **);

namespace {

// Maximum number of records of one key class, in all partitions: about half of an L2 cache.
constexpr i64 kMostGathered = 8192;
constexpr i64 kLeastRoom = 16, kMostRoom = 512;  // records of one partition
constexpr i64 kMostBytes = i64{256} << 10;       // bytes of long keys

// Returns the top bits of the hash, of which there may be none.
size_t partition_of(u64 hash, int bits) { return hash >> 1 >> (63 - bits); }

}  // namespace

SharedWriter::SharedWriter(SharedPartitions *into, i64 width, i64 first_partition,
                           std::function<OverflowBuffer &()> otherwise)
    : into_(*into),
      width_(width),
      first_(first_partition),
      bits_(into->bits()),
      room_(std::clamp(kMostGathered >> bits_, kLeastRoom, kMostRoom)),
      otherwise_(std::move(otherwise)),
      states_(static_cast<size_t>(room_)) {}

template <typename Key>
SharedWriter::Gathered<Key> &SharedWriter::gathered() {
  Gathered<Key> &all = gathered_.of<Key>();
  if (!all.ends.empty()) [[likely]]
    return all;
  all.words.resize(static_cast<size_t>(into_.count() * room_ * stride<Key>()));
  for (i64 i = 0; i < into_.count(); ++i) all.ends.push_back(begin_of(&all, i));
  return all;
}

template <typename Key>
MRC_INLINE void SharedWriter::put(const Batch<Key> &batch, size_t i, Gathered<Key> *to) {
  const u64 hash = batch.hashes[i];
  const size_t partition = partition_of(hash, bits_);
  u64 *&end = to->ends[partition];
  const Key key = copied(batch.keys[i], &bytes_);
  *end++ = hash << bits_;
  std::memcpy(end, &key, sizeof key);
  end += sizeof key / sizeof(u64);
  const u64 *value = batch.values.data() + i * static_cast<size_t>(width_);
  for (i64 k = 0; k < width_; ++k) *end++ = value[k];
  if (end == begin_of(to, static_cast<i64>(partition) + 1)) [[unlikely]] {
    fold(to, static_cast<i64>(partition));
  }
}

template <typename Key>
void SharedWriter::fold(Gathered<Key> *from, i64 partition) {
  u64 *const begin = begin_of(from, partition);
  u64 *&end = from->ends[static_cast<size_t>(partition)];
  const GatheredRecords<Key> records{begin, stride<Key>(), (end - begin) / stride<Key>()};
  end = begin;
  if (into_.fold(partition, records, states_.data())) return;
  const Partition whole{partition, bits_};
  for (i64 i = 0; i < records.size; ++i) {
    const u64 *values = begin + (i + 1) * records.stride - width_;
    otherwise_().append({whole.whole(records.hash(i)),
                         key_bytes(records.key(i)),
                         false,
                         reinterpret_cast<const std::byte *>(values),
                         {}});
  }
}

template <typename Key>
void SharedWriter::fold_all(Gathered<Key> *from) {
  for (i64 i = 0; i < std::ssize(from->ends); ++i) {
    const i64 partition = (first_ + i) % into_.count();
    if (from->ends[static_cast<size_t>(partition)] != begin_of(from, partition)) {
      fold(from, partition);
    }
  }
}

void SharedWriter::end_batch() {
  if (bytes_.used() < kMostBytes) return;
  fold_all(&gathered_.long_keys);
  bytes_.clear();
}

void SharedWriter::flush() {
  gathered_.each([this](auto &from) { fold_all(&from); });
  bytes_.clear();
}

template <typename Key>
void SharedWriter::add_missing(const Batch<Key> &batch, State *const *states) {
  Gathered<Key> *to = &gathered<Key>();
  for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
    if (states[i] == nullptr) put(batch, i, to);
  }
  end_batch();
}

template <typename Key>
void SharedWriter::add_all(const Batch<Key> &batch) {
  Gathered<Key> *to = &gathered<Key>();
  for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) put(batch, i, to);
  end_batch();
}

template <typename Key>
void SharedWriter::add(const Batch<Key> &batch, i64 i) {
  put(batch, static_cast<size_t>(i), &gathered<Key>());
  end_batch();
}

template <typename Key>
bool SharedWriter::add_borrowed(const Batch<Key> &batch, i64 i) {
  const auto at = static_cast<size_t>(i);
  const u64 hash = batch.hashes[at];
  single_.assign({hash << bits_});
  single_.resize(static_cast<size_t>(stride<Key>()));
  std::memcpy(&single_[1], &batch.keys[at], sizeof(Key));
  std::copy_n(batch.values.data() + i * width_, width_, single_.end() - width_);
  return into_.fold<Key>(static_cast<i64>(partition_of(hash, bits_)),
                         {single_.data(), stride<Key>(), 1}, states_.data());
}

template void SharedWriter::add_missing(const Batch<Key16> &, State *const *);
template void SharedWriter::add_missing(const Batch<Key32> &, State *const *);
template void SharedWriter::add_missing(const Batch<KeyRef> &, State *const *);
template void SharedWriter::add_all(const Batch<Key16> &);
template void SharedWriter::add_all(const Batch<Key32> &);
template void SharedWriter::add_all(const Batch<KeyRef> &);
template void SharedWriter::add(const Batch<Key16> &, i64);
template void SharedWriter::add(const Batch<Key32> &, i64);
template void SharedWriter::add(const Batch<KeyRef> &, i64);
template bool SharedWriter::add_borrowed(const Batch<Key16> &, i64);
template bool SharedWriter::add_borrowed(const Batch<Key32> &, i64);
template bool SharedWriter::add_borrowed(const Batch<KeyRef> &, i64);

}  // namespace mrc
