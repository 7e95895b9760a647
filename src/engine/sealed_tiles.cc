#include "engine/inner/sealed_tiles.h"

#include "engine/inner/state_inputs.h"

#include <algorithm>
#include <iterator>

namespace mrc {

SealedTiles::SealedTiles(const Plan &plan, const StateLayout &layout, const StateLayout &whole,
                         i64 memory_bytes, const RunFile *file)
    : plan_(plan),
      layout_(layout),
      whole_(whole),
      memory_bytes_(memory_bytes),
      run_(file, layout.state_bytes()),
      parts_(plan.sources, plan.splits),
      book_(0) {}

i64 SealedTiles::enter(const Unit &unit) {
  const i64 tile = parts_.tile_of(unit.source, unit.begin);
  if (tile >= 0) return tile;
  const std::lock_guard lock(mutex_);
  return parts_.tiles() + book_.enter(unit);
}

Status SealedTiles::leave(i64 tile, TilePart part) {
  std::vector<TilePart> parts;
  {
    const std::lock_guard lock(mutex_);
    const i64 units = part.units;
    open_[tile].parts.push_back(std::move(part));
    const i64 planned = parts_.tiles();
    const bool completes =
        tile < planned ? parts_.leave(tile, units) : book_.leave(tile - planned, units);
    if (!completes) return Status::ok();
    parts = std::move(open_.extract(tile).mapped().parts);
  }
  return seal_own(std::move(parts));
}

Result<std::vector<SealedTile>> SealedTiles::close() {
  for (const i64 tile : book_.close()) {
    Status status = seal_own(std::move(open_.extract(parts_.tiles() + tile).mapped().parts));
    if (!status.is_ok()) return status;
  }
  std::ranges::sort(sealed_, {}, [](const SealedTile &tile) {
    return std::pair(tile.portions.front().source, tile.portions.front().begin);
  });
  return std::move(sealed_);
}

Status SealedTiles::seal_own(std::vector<TilePart> parts) {
  Result<SealedTile> tile = seal(std::move(parts));
  if (!tile.is_ok()) return tile.status();
  const std::lock_guard lock(mutex_);
  if (!tile->portions.empty()) sealed_.push_back(std::move(*tile));
  return Status::ok();
}

Status SealedTiles::copy(const RunFile &file, std::span<const BlockInfo> blocks,
                         SealedBlocks *written) {
  Pages buffer;
  return run_.write(
      [&](RunWriter *writer) {
        for (const BlockInfo &block : blocks) {
          Result<Bytes> records = read_block(file, {0, whole_.state_bytes()}, block, &buffer);
          if (!records.is_ok()) return records.status();
          Status status = writer->add_block(block, *records);
          if (!status.is_ok()) return status;
        }
        return Status::ok();
      },
      written);
}

// Reduces a tile by itself, on the calling worker.
Result<SealedTile> SealedTiles::seal(std::vector<TilePart> parts) {
  std::vector<std::unique_ptr<MapOutput>> outputs;
  std::vector<Portion> portions;
  i64 keys = 0, staged = 0;
  for (TilePart &part : parts) {
    std::ranges::move(part.portions, std::back_inserter(portions));
    keys += part.output->groups.usage().keys;
    if (part.output->has_staged_records()) {
      staged += part.output->overflow->records() + part.output->overflow->spilled_records();
    }
    outputs.push_back(std::move(part.output));
  }
  if (portions.empty()) return SealedTile{};
  SealedTile tile{joined(std::move(portions)), {}};
  // Positions in saved states are relative, because the next run may give the source another number
  // or find the tile elsewhere.
  const Portion &front = tile.portions.front();
  const u64 shift = -(plan_.state ? plan_.state->origin_of(front) : position_of(front.source, 0));
  SealedGroups groups(whole_, keys + staged, shift, plan_.tmpdir, memory_bytes_);
  Status status = reduce(outputs, keys + staged, &groups);
  if (status.is_ok()) status = groups.write(&run_, &tile.blocks);
  if (!status.is_ok()) return status;
  keep_empty(std::move(outputs));
  return tile;
}

// The groups of a single worker are taken as they are, without a merge.
Status SealedTiles::reduce(std::span<const std::unique_ptr<MapOutput>> outputs, i64 keys,
                           SealedGroups *groups) {
  const bool is_staged = has_staged_records(outputs);
  if (outputs.size() == 1 && !is_staged && !layout_.spills()) {
    take_groups(&outputs[0]->groups, groups);
    return groups->status();
  }
  Arena states;
  PartitionReducer reducer(outputs, {}, layout_, &states, memory_bytes_);
  const auto make_room = [&] {
    states.clear();
    return groups->status();
  };
  const int bits = std::max(choose_partition_bits(keys, 1), is_staged ? plan_.partition_bits : 0);
  for (i64 partition = 0; partition < i64{1} << bits; ++partition) {
    Status status = reducer.reduce({partition, bits}, groups, make_room);
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

// Keeps tables for later tiles: with many small tiles, allocating tables costs more than filling
// them. Large or nearly empty tables are freed, because clearing them costs more.
void SealedTiles::keep_empty(std::vector<std::unique_ptr<MapOutput>> outputs) {
  constexpr i64 kMostBytes = i64{4} << 20, kMostSlotsOfKey = 64, kFewSlots = i64{16} << 10;
  for (auto &output : outputs) {
    const ContainerUsage usage = output->groups.usage();
    const bool is_sparse = usage.slots > kFewSlots && usage.slots > usage.keys * kMostSlotsOfKey;
    if (output->overflow || usage.bytes > kMostBytes || is_sparse) continue;
    output->groups.clear();
    output->arena.clear();
    const std::lock_guard lock(mutex_);
    empty_.push_back(std::move(output));
  }
}

std::unique_ptr<MapOutput> SealedTiles::take_empty() {
  const std::lock_guard lock(mutex_);
  if (empty_.empty()) return nullptr;
  std::unique_ptr<MapOutput> output = std::move(empty_.back());
  empty_.pop_back();
  return output;
}

}  // namespace mrc
