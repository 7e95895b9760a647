#include "reduce/compactor.h"

#include "map/key_image.h"

#include <algorithm>

namespace mrc {
namespace {

double gain_of(i64 before, i64 after) {
  return static_cast<double>(before) / static_cast<double>(std::max<i64>(1, after));
}

}  // namespace

Compactor::Compactor(const StateLayout &layout, RecordShape shape, KeyBytes key_bytes)
    : layout_(layout),
      tables_(layout.state_bytes(), key_bytes),
      folder_(layout, shape, tables_.containers(), &states_) {}

void Compactor::begin(Partition partition) {
  tables_.each([](auto &table) { table.reset(0); });
  states_.clear();
  folder_.begin(partition);
}

void Compactor::end(Partition partition, OverflowBuffer *to) {
  folder_.flush();
  tables_.each_slot([&](const auto &slot) {
    saved_.clear();
    if (!layout_.is_flat()) layout_.save(slot.state(), &saved_);
    // Tables see hashes without the partition's bits.
    to->append({partition.whole(slot.hash), key_bytes(slot.key), true, slot.state(), saved_});
  });
}

double Compactor::compact(const OverflowBuffer &from, OverflowBuffer *to) {
  const int bits = from.partition_bits();
  for (i64 partition = 0; partition < i64{1} << bits; ++partition) {
    begin({partition, bits});
    from.each_in_memory(
        partition, [&](const std::byte *begin, const std::byte *end) { folder_.fold(begin, end); });
    end({partition, bits}, to);
  }
  return gain_of(from.records(), to->records());
}

Result<double> Compactor::merge(std::span<const std::unique_ptr<OverflowBuffer>> runs,
                                OverflowBuffer *to, i64 most_bytes) {
  const int bits = to->partition_bits();
  i64 before = 0;
  for (const auto &run : runs) before += run->spilled_records();
  for (i64 partition = 0; partition < i64{1} << bits; ++partition) {
    begin({partition, bits});
    for (const auto &run : runs) {
      Status status = run->each(partition, &block_, [&](const auto *begin, const auto *end) {
        folder_.fold(begin, end);
        folder_.flush();
      });
      if (!status.is_ok()) return status;
    }
    end({partition, bits}, to);
    const bool is_last = partition + 1 == i64{1} << bits;
    if (!is_last && to->used_bytes() < most_bytes) continue;
    if (Status status = to->spill(); !status.is_ok()) return status;
    to->clear(!is_last);
  }
  return gain_of(before, to->spilled_records());
}

}  // namespace mrc
