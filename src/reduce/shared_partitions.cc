#include "reduce/inner/shared_partitions.h"

#include "map/key_image.h"
#include "reduce/inner/group_merger.h"

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

}  // namespace mrc
