#include "engine/inner/sealed_tiles.h"

#include "engine/inner/kept_inputs.h"
#include "engine/inner/plan_steps.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mrc {

Portion portion_of(const Chunk &chunk, const ContentHash &hash, const CutBytes &ends) {
  Portion portion{chunk.source, chunk.offset, chunk.offset + std::ssize(chunk.bytes),
                  hash.of(chunk.offset, chunk.bytes)};
  const char *const end = chunk.bytes.data() + chunk.bytes.size();
  portion.open = !chunk.bytes.empty() && ends.first(end - 1, end, portion.end - 1) == nullptr;
  return portion;
}

std::vector<Reading> readings_of(const Run &run) {
  std::vector<Reading> all(run.plan.sources.size());
  for (i64 i = 0; run.readers && i < std::ssize(all); ++i) {
    const Dialect *dialect = run.readers->dialect(i);
    if (dialect != nullptr) all[static_cast<size_t>(i)].format = dialect->format->name;
    all[static_cast<size_t>(i)].hash = reading_of(run.plan, i);
  }
  return all;
}

SealedTiles::SealedTiles(const Plan &plan, Products *products, const RunFile *file)
    : plan_(plan),
      products_(*products),
      run_(file, products->kept_shape()),
      ledger_(Ledger::by_source(plan.sources, plan.splits)) {}

i64 SealedTiles::enter(const Unit &unit) {
  const std::lock_guard lock(mutex_);
  return ledger_.enter(unit);
}

Status SealedTiles::leave(i64 tile, TilePart part) {
  std::vector<TilePart> parts;
  {
    const std::lock_guard lock(mutex_);
    const i64 units = part.units;
    open_[tile].push_back(std::move(part));
    if (!ledger_.leave(tile, units)) return Status::ok();
    parts = std::move(open_.extract(tile).mapped());
  }
  return seal(std::move(parts));
}

Result<std::vector<SealedTile>> SealedTiles::close() {
  for (const i64 tile : ledger_.close()) {
    Status status = seal(std::move(open_.extract(tile).mapped()));
    if (!status.is_ok()) return status;
  }
  std::ranges::sort(sealed_, {}, [](const SealedTile &tile) {
    return std::pair(tile.portions.front().source, tile.portions.front().begin);
  });
  return std::move(sealed_);
}

Status SealedTiles::seal(std::vector<TilePart> parts) {
  SealedTile tile;
  TileProducts products;
  for (TilePart &part : parts) {
    std::ranges::move(part.portions, std::back_inserter(tile.portions));
    products.push_back(std::move(part.product));
  }
  if (tile.portions.empty()) return Status::ok();
  tile.portions = joined(std::move(tile.portions));
  Status status =
      products_.seal(std::move(products), origin_of(tile.portions.front()), &run_, &tile.blocks);
  const std::lock_guard lock(mutex_);
  if (status.is_ok()) sealed_.push_back(std::move(tile));
  return status;
}

u64 SealedTiles::origin_of(const Portion &front) const {
  return plan_.state ? plan_.state->origin_of(front) : position_of(front.source, 0);
}

Result<SealedTile> SealedTiles::merge(std::span<const KeptStretch> tiles) {
  SealedTile merged;
  for (const KeptStretch &tile : tiles) add_portion(tile.portion, &merged.portions);
  Status status = products_.merge(tiles, origin_of(merged.portions.front()), &run_, &merged.blocks);
  return status.is_ok() ? Result<SealedTile>(std::move(merged)) : status;
}

}  // namespace mrc
