#include "reduce/compactor.h"

#include "map/key_image.h"

namespace mrc {

Compactor::Compactor(const StateLayout &layout, RecordShape shape)
    : layout_(layout),
      tables_(layout.state_bytes(), KeyBytes::borrowed),
      folder_(layout, shape, tables_.containers(), &states_) {}

double Compactor::compact(const OverflowBuffer &from, OverflowBuffer *to) {
  const int bits = from.partition_bits();
  for (i64 partition = 0; partition < i64{1} << bits; ++partition) {
    tables_.each([](auto &table) { table.reset(0); });
    states_.clear();
    folder_.begin({partition, bits});
    from.each_in_memory(
        partition, [&](const std::byte *begin, const std::byte *end) { folder_.fold(begin, end); });
    folder_.flush();
    tables_.each_slot([&](const auto &slot) {
      saved_.clear();
      if (!layout_.is_flat()) layout_.save(slot.state(), &saved_);
      // Tables see hashes without the partition's bits.
      const u64 hash = bits == 0 ? slot.hash : slot.hash >> bits | Partition{partition, bits}.low();
      to->append({hash, key_bytes(slot.key), true, slot.state(), saved_});
    });
  }
  return static_cast<double>(from.records()) / static_cast<double>(std::max<i64>(1, to->records()));
}

}  // namespace mrc
