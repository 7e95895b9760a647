#include "map/key_image.h"
#include "reduce/inner/record_folder.h"
#include "reduce/reduce.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <type_traits>
#include <utility>

namespace mrc {
namespace {

constexpr i64 kKeysPerPartition = 8192;
constexpr i64 kKeysPerVisit = 16;  // with fewer, visiting costs more than merging
constexpr int kMostBits = 16;
constexpr i64 kLeastCopies = i64{256} << 10;  // size of long keys that fits in any memory
// A partition may have few keys, and clearing a table of the usual size would cost more than these.
constexpr i64 kFirstTable = i64{16} << 10;  // bytes

// Returns the partition of the staged records that contains this one. A buffer without records may
// have any number of partitions. REQUIRES: it has records
i64 staged_place(const OverflowBuffer &staged, Partition partition) {
  assert(staged.partition_bits() <= partition.bits);
  return partition.index >> (partition.bits - staged.partition_bits());
}

State *state_of(const auto &slot) { return const_cast<State *>(slot.state()); }

template <typename Key>
struct TakeGroups : GroupVisitor<Key> {
  explicit TakeGroups(GroupSink *the_sink) : sink(*the_sink) {}
  void take(const Batch<Key> &batch, State *const *states) override {
    for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
      sink.take(key_bytes(batch.keys[i]), states[i]);
    }
    sink.flush();
  }
  GroupSink &sink;
};

}  // namespace

void take_groups(Groups *groups, GroupSink *sink) {
  const auto take = [&]<typename Key>(std::type_identity<Key>) {
    TakeGroups<Key> visitor(sink);
    groups->container<Key>().visit({}, &visitor);
  };
  take(std::type_identity<Key16>());
  take(std::type_identity<Key32>());
  take(std::type_identity<KeyRef>());
}

int choose_partition_bits(i64 keys, i64 workers) {
  if (keys <= kKeysPerPartition) return 0;  // one worker finishes before others wake up
  const i64 worthwhile = std::max<i64>(1, keys / (kKeysPerVisit * workers));
  const i64 partitions = std::max(keys / kKeysPerPartition, std::min(4 * workers, worthwhile));
  return std::min(kMostBits, static_cast<int>(std::bit_width(static_cast<u64>(partitions - 1))));
}

bool has_staged_records(std::span<const std::unique_ptr<MapOutput>> outputs) {
  return std::ranges::any_of(
      outputs, [](const auto &output) { return output && output->has_staged_records(); });
}

PartitionReducer::PartitionReducer(std::span<const std::unique_ptr<MapOutput>> outputs,
                                   std::span<const std::unique_ptr<SharedPartitions>> shared,
                                   const StateLayout &layout, Arena *arena, i64 memory_bytes)
    : outputs_(outputs),
      shared_(shared),
      layout_(layout),
      arena_(arena),
      memory_bytes_(memory_bytes),
      own_(layout.state_bytes(),
           has_staged_records(outputs) ? KeyBytes::copied : KeyBytes::borrowed) {
  own_.each([](auto &table) { table.begin_within(kFirstTable); });
  least_bytes_ = own_.used_bytes() + kLeastCopies;
  for (const auto &output : outputs) {
    if (!output) continue;
    grouped_ = grouped_ || output->groups.usage().keys > 0;
    if (output->has_staged_records()) staged_.push_back(output->overflow.get());
  }
  if (staged_.empty()) return;
  folder_ = std::make_unique<RecordFolder>(layout, staged_[0]->shape(), own_.containers(), arena);
}

Status PartitionReducer::reduce(Partition partition, GroupSink *sink, const MakeRoom &make_room) {
  if (shared_.empty()) {
    reset_tables(partition);
  } else {
    hash_ = TableHash(partition.bits);
    take_shared(partition);
  }
  if (grouped_) merge_groups(partition);
  if (!staged_.empty()) {
    Result<bool> fits = fold_overflow(partition);
    if (!fits.is_ok()) return fits.status();
    if (!*fits) return divide(partition, sink, make_room);
  }
  tables_->each_slot([&](const auto &slot) {
    if (layout_.spills()) layout_.bound(state_of(slot));
    sink->take(key_bytes(slot.key), slot.state());
  });
  sink->flush();
  arena_->adopt(&growing_);
  if (!shared_.empty()) tables_->each([](auto &table) { table.release_slots(); });
  return make_room();
}

// Merges the shared tables of all groups of CPUs into the tables of the first group.
void PartitionReducer::take_shared(Partition partition) {
  tables_ = shared_[0]->tables(partition.index);
  for (const auto &other : shared_.subspan(1)) {
    PartitionTables *from = other->tables(partition.index);
    tables_->each([&]<typename Key>(FlatTable<Key> &table) {
      GroupMerger<Key> merger(&table, TableHash(), layout_, arena_);
      merger.merge(from->of<Key>(), {});
      from->of<Key>().release_slots();
    });
  }
}

void PartitionReducer::reset_tables(Partition partition) {
  hash_ = staged_.empty() ? TableHash(partition.bits) : TableHash::mixed(partition.bits);
  tables_->each([&]<typename Key>(FlatTable<Key> &table) {
    if (table.size() > 0) before_.of<Key>().keys = table.size();
    table.reset(expected_keys<Key>(partition));
  });
}

// Counts the keys of grouped tables as distinct. The number of staged keys is unknown, but
// partitions are about equally large, because hashes are uniform: expect as many as in the
// partition before. The first partition uses the counts of adopted groups.
template <typename Key>
i64 PartitionReducer::expected_keys(Partition partition) const {
  const i64 before = before_.of<Key>().keys;
  i64 keys = 0;
  for (const auto &output : outputs_) {
    if (output && grouped_) keys += output->groups.container<Key>().count(partition);
  }
  for (const OverflowBuffer *staged : staged_) {
    if (tables_->size() > 0) break;
    keys = std::max(keys, staged->adopted_keys(staged_place(*staged, partition)));
  }
  return staged_.empty() ? keys : std::max(keys, before + before / 16);
}

void PartitionReducer::merge_groups(Partition partition) {
  tables_->each([&]<typename Key>(FlatTable<Key> &table) {
    GroupMerger<Key> merger(&table, hash_, layout_, arena_);
    for (const auto &output : outputs_) {
      if (output) merger.merge(output->groups.container<Key>(), partition);
    }
  });
}

// Returns false if the keys do not fit in memory; then no states have been taken over. A single key
// always fits: its state is in memory once, and reducers that spill move large parts to disk.
Result<bool> PartitionReducer::fold_overflow(Partition partition) {
  const Arena::Mark before = arena_->mark();
  Result<bool> fits = fold_overflow(partition, folder_.get(), arena_);
  if (!fits.is_ok() || *fits) return fits;
  arena_->rewind(before);
  if (grouped_ || tables_->size() > 1) return fits;
  return fold_one_key(partition);
}

// From here on, growing_ holds only the states, so that their memory can be freed while they grow.
Result<bool> PartitionReducer::fold_one_key(Partition partition) {
  reset_tables(partition);
  RecordFolder folder(layout_, folder_->shape(), own_.containers(), &growing_);
  Result<bool> fits = fold_overflow(partition, &folder, &growing_);
  if (fits.is_ok() && !*fits) growing_.clear();
  return fits;
}

Result<bool> PartitionReducer::fold_overflow(Partition partition, RecordFolder *folder,
                                             Arena *states) {
  folder->begin(partition, hash_);
  folded_bytes_ = 0;
  bool fits = true;
  const i64 states_before = states->used();  // memory of states, in addition to the tables
  auto used_bytes = [&] { return tables_->used_bytes() + states->used() - states_before; };
  i64 most = most_bytes();
  const auto make_room = [&] {
    if (grouped_ || used_bytes() <= most) return true;
    fits = tables_->size() <= 1 && (layout_.is_flat() || states == &growing_);
    if (!fits || layout_.is_flat()) return fits;
    shrink_states();
    most = std::max(most, 2 * used_bytes());
    return true;
  };
  const auto fold = [&](const auto *begin, const auto *end) {
    folder->fold(begin, end, make_room);
    folder->flush();
    folded_bytes_ += end - begin;
    return fits && make_room();
  };
  for (const OverflowBuffer *staged : staged_) {
    Status status = staged->each(staged_place(*staged, partition), &block_, fold);
    if (!status.is_ok()) return status;
    if (!fits) break;
  }
  return fits;
}

// Rebuilds the states in growing_, which frees the loaded states that were merged into them. Saving
// moves large parts of a state to disk.
void PartitionReducer::shrink_states() {
  std::vector<std::string> saved;
  tables_->each_slot([&](const auto &slot) { layout_.save(slot.state(), &saved.emplace_back()); });
  growing_.clear();
  size_t next = 0;
  tables_->each_slot(
      [&](const auto &slot) { layout_.load(state_of(slot), saved[next++], &growing_); });
}

// Returns the bits that divide a partition, which has not fit, into parts that probably will.
int PartitionReducer::bits_to_divide(Partition partition) const {
  constexpr int kLeast = 2, kMost = 6;
  i64 bytes = 0;
  for (const OverflowBuffer *staged : staged_) {
    bytes += staged->partition_bytes(staged_place(*staged, partition));
  }
  const i64 parts = 2 * (bytes / std::max<i64>(folded_bytes_, 1));
  return std::clamp(static_cast<int>(std::bit_width(static_cast<u64>(parts))), kLeast, kMost);
}

Status PartitionReducer::copy_parts(Partition partition, OverflowBuffer *parts) {
  StoredRecord record;
  const auto write = [&] {
    Status status = parts->spill();
    parts->clear(true);
    return status;
  };
  Status status = Status::ok();
  const auto add = [&](const std::byte *begin, const std::byte *end) {
    while (begin < end && status.is_ok()) {
      begin = read_record(begin, parts->shape(), &record);
      if (!partition.holds(record.hash)) continue;
      record.hash = hash_bytes(record.key, parts->spec().seed);
      parts->append(record);
      if (parts->used_bytes() > most_bytes() / 2) status = write();
    }
    return status.is_ok();
  };
  for (const OverflowBuffer *staged : staged_) {
    const Status read = staged->each(staged_place(*staged, partition), &block_, add);
    if (!read.is_ok()) return read;
    if (!status.is_ok()) return status;
  }
  status = write();
  parts->clear(false);
  return status;
}

// Frees a table that has outgrown the memory. The next one is for half as many keys.
void PartitionReducer::release_tables() {
  tables_->each([&]<typename Key>(FlatTable<Key> &table) {
    table.release_copies();
    if (table.memory_bytes() <= most_bytes()) return;
    before_.of<Key>().keys = table.size() / 2;
    table.release_slots();
  });
}

// Copies the records to a file, by another hash of their keys, and reduces each part of it. So each
// record is copied once, however many parts there are, and keys that were made to share their hash
// are divided, too.
Status PartitionReducer::divide(Partition partition, GroupSink *sink, const MakeRoom &make_room) {
  ++divisions_;
  OverflowSpec spec = staged_[0]->spec();
  spec.partition_bits = bits_to_divide(partition);
  release_tables();
  Status status = make_room();
  if (!status.is_ok()) return status;
  spec.seed = Seed::random();
  OverflowBuffer parts(spec);
  status = copy_parts(partition, &parts);
  const std::vector<const OverflowBuffer *> whole = std::exchange(staged_, {&parts});
  for (i64 part = 0; part < i64{1} << spec.partition_bits && status.is_ok(); ++part) {
    status = reduce({part, spec.partition_bits}, sink, make_room);
  }
  staged_ = whole;
  return status;
}

}  // namespace mrc
