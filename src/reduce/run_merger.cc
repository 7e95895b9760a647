#include "reduce/run_merger.h"

#include "map/key_image.h"

#include <algorithm>

namespace mrc {

Status RunMerger::merge(Runs runs, OverflowBuffer *to) {
  i64 from = 0;
  return merge(runs, to, &from, false);
}

Status RunMerger::merge(Runs runs, OverflowBuffer *to, i64 *from, const std::atomic<bool> &paused) {
  const int bits = to->partition_bits();
  for (i64 &index = *from; index < i64{1} << bits; ++index) {
    if (paused.load(std::memory_order_relaxed)) break;
    if (Status status = merge({index, bits}, runs, to); !status.is_ok()) return status;
  }
  Status status = to->spill();
  to->clear(true);
  return status;
}

Status RunMerger::merge(Partition partition, Runs runs, OverflowBuffer *to) {
  begin(partition);
  Status written = Status::ok();
  for (const auto &run : runs) {
    Status read =
        run->each(partition.index, &block_, [&](const auto *begin_at, const auto *end_at) {
          take(begin_at, end_at);
          if (used_bytes() < most_bytes_ / 2) return true;
          written = hand_on(partition, to);
          begin(partition);
          return written.is_ok();
        });
    if (!read.is_ok()) return read;
    if (!written.is_ok()) return written;
  }
  return hand_on(partition, to);
}

Status RunMerger::hand_on(Partition partition, OverflowBuffer *to) {
  end(partition, to);
  if (to->used_bytes() < most_bytes_ / 4) return Status::ok();
  Status status = to->spill();
  to->clear(true);
  return status;
}

void RunSorter::begin(Partition) {
  records_.clear();
  places_.clear();
}

void RunSorter::take(const std::byte *begin, const std::byte *end) {
  const i64 bytes = end - begin;
  std::byte *copy = records_.alloc(bytes + kRecordSlack);
  std::copy_n(begin, bytes, copy);
  end = copy + bytes;
  for (const std::byte *at = copy; at < end; at = next_record(at)) {
    places_.push_back({load<u64>(at), at});
  }
}

i64 RunSorter::used_bytes() const {
  return records_.used() + std::ssize(places_) * static_cast<i64>(sizeof(Place));
}

void RunSorter::end(Partition, OverflowBuffer *to) {
  std::ranges::sort(places_, {}, &Place::hash);
  StoredRecord record;
  for (const Place &place : places_) {
    read_record(place.record, shape_, &record);
    to->append(record);
  }
}

namespace {

constexpr i64 kLeastBytes = i64{1} << 20;  // a size that fits in any memory

}  // namespace

Compactor::Compactor(const StateLayout &layout, RecordShape shape, KeyBytes key_bytes,
                     i64 most_bytes)
    : RunMerger(std::max(most_bytes, kLeastBytes)),
      layout_(layout),
      tables_(layout.state_bytes(), key_bytes),
      folder_(layout, shape, tables_.containers(), &states_) {}

// Partitions are about equally large, because hashes are uniform: expect as many keys as in the one
// before. A table that has had no keys takes no memory.
void Compactor::begin(Partition partition) {
  tables_.each([](auto &table) {
    if (table.slots() > 0) table.reset(table.size() + table.size() / 16);
  });
  states_.clear();
  hash_ = TableHash::mixed(partition.bits);
  folder_.begin(partition, hash_);
}

i64 Compactor::used_bytes() const {
  i64 bytes = states_.used();
  tables_.each([&](const auto &table) {
    if (table.size() > 0) bytes += table.bytes_with(0);
  });
  return bytes;
}

void Compactor::take(const std::byte *begin, const std::byte *end) {
  folder_.fold(begin, end);
  folder_.flush();
}

void Compactor::end(Partition partition, OverflowBuffer *to) {
  folder_.flush();
  tables_.each_slot([&](const auto &slot) {
    saved_.clear();
    if (!layout_.is_flat()) layout_.save(slot.state(), &saved_);
    const u64 hash = hash_.whole(partition, slot.hash);
    to->append({hash, key_bytes(slot.key), true, slot.state(), saved_});
  });
}

double Compactor::compact(const OverflowBuffer &from, OverflowBuffer *to) {
  const int bits = from.partition_bits();
  for (i64 partition = 0; partition < i64{1} << bits; ++partition) {
    const Partition all{partition, bits};
    begin(all);
    const auto make_room = [&] {
      if (states_.used() < most_bytes()) return true;
      end(all, to);
      begin(all);
      return true;
    };
    from.each_in_memory(partition, [&](const std::byte *first, const std::byte *last) {
      folder_.fold(first, last, make_room);
    });
    end(all, to);
  }
  return static_cast<double>(from.records()) / static_cast<double>(std::max<i64>(1, to->records()));
}

}  // namespace mrc
