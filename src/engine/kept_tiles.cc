#include "engine/inner/bad_records.h"
#include "engine/inner/checkpoints.h"
#include "engine/inner/isolated.h"
#include "engine/inner/kept_inputs.h"
#include "engine/inner/product.h"
#include "engine/inner/sealed_tiles.h"
#include "engine/sinks/group_worker.h"

#include <algorithm>
#include <span>
#include <utility>

namespace mrc {

std::unique_ptr<Conduct> make_conduct(Run *run, Products *products) {
  if (run->plan.state) return std::make_unique<KeptTiles>(run, products);
  if (run->plan.checkpoint) return std::make_unique<Checkpointed>(run, products);
  if (run->program.isolation.is_wanted) return std::make_unique<Isolated>(run, products);
  return nullptr;
}

namespace {

// Maximum number of runs that hold tiles. Beyond it, tiles are merged or copied into the newest.
constexpr i64 kMostRuns = 16;

// Hands over its product at the end of each tile.
class KeptHand : public PlainHand {
 public:
  KeptHand(std::unique_ptr<Product> product, std::unique_ptr<CountedBad> bad, SealedTiles *tiles,
           const ContentHash &hash, const CutBytes &ends_of_records)
      : PlainHand(std::move(product)),
        bad_(std::move(bad)),
        tiles_(tiles),
        hash_(hash),
        ends_(ends_of_records) {}

  Status begin_unit(const Unit &unit) override {
    const i64 tile = tiles_->enter(unit);
    if (tile != tile_) {
      if (Status status = leave_tile(); !status.is_ok()) return status;
      product().begin_tile();
      tile_ = tile;
    }
    ++part_.units;
    return Status::ok();
  }

  Status take(const Chunk &chunk, i64 *records) override {
    Portion portion = portion_of(chunk, hash_, ends_);
    Status status = PlainHand::take(chunk, &portion.records);
    *records += portion.records;
    bad_->move_to(&portion, &flaws_);
    add_portion(portion, &part_.portions);
    return status;
  }

  Status seal(bool whole) override { return whole ? leave_tile() : PlainHand::seal(false); }

 private:
  Status leave_tile() {
    if (part_.units == 0) return Status::ok();
    Result<std::unique_ptr<TileProduct>> made = product().end_tile();
    if (!made.is_ok()) return made.status();
    part_.product = std::move(*made);
    return tiles_->leave(tile_, std::exchange(part_, {}));
  }

  const std::unique_ptr<CountedBad> bad_;
  SealedTiles *tiles_;  // null: there are no units
  const ContentHash &hash_;
  const CutBytes ends_;
  i64 tile_ = -1;
  TilePart part_;
  KeptFlaws flaws_;  // unused: a state keeps only the counts
};

}  // namespace

KeptTiles::KeptTiles(Run *run, Products *products)
    : run_(*run), products_(*products), inputs_(*run->plan.state) {}

Status KeptTiles::open() {
  run_.report.known_bytes = inputs_.known_bytes();
  run_.report.found_tiles = inputs_.tile_index().found();
  if (run_.plan.splits.empty() && run_.plan.streams == 0) return Status::ok();
  Result<RunFile> file = inputs_.directory().create_run(&number_);
  if (!file.is_ok()) return file.status();
  file_.emplace(std::move(*file));
  tiles_.emplace(run_.plan, &products_, &*file_);
  return Status::ok();
}

std::unique_ptr<Hand> KeptTiles::make_hand(i64 worker, BadRecordSink *bad) {
  auto counted = std::make_unique<CountedBad>(bad, run_.program.map.terminator);
  auto product = products_.make_product(worker, counted.get(), nullptr);
  return std::make_unique<KeptHand>(std::move(product), std::move(counted),
                                    tiles_ ? &*tiles_ : nullptr, inputs_.hash(),
                                    ends_of_records(run_.program, *run_.stage));
}

// Leaves memory for incomplete tiles, which wait for the parts of other workers.
void KeptTiles::adjust(GroupSettings *settings) const { settings->memory_bytes /= 2; }

Status KeptTiles::adopt() {
  run_.timer.begin("seal");
  if (Status status = keep(); !status.is_ok()) return status;
  run_.timer.begin("load");
  const Result<std::vector<KeptStretch>> all = stretches();
  return all.is_ok() ? products_.load(*all) : all.status();
}

Status KeptTiles::keep() {
  if (Status status = close_tiles(); !status.is_ok()) return status;
  if (Status status = compact(); !status.is_ok()) return status;
  if (tiles_ && !tiles_->run().is_empty()) {
    if (Status status = tiles_->finish(); !status.is_ok()) return status;
    if (Status status = file_->commit(); !status.is_ok()) return status;
    run_.report.sealed_bytes = tiles_->run().bytes();
  }
  Status status = inputs_.note_inputs(run_.plan.sources, readings_of(run_), partial_sources());
  return status.is_ok() ? inputs_.commit() : status;
}

Status KeptTiles::close_tiles() {
  if (!tiles_) return Status::ok();
  Result<std::vector<SealedTile>> tiles = tiles_->close();
  if (!tiles.is_ok()) return tiles.status();
  run_.report.sealed_tiles = std::ssize(*tiles);
  for (SealedTile &tile : *tiles) {
    if (is_whole(tile)) {
      inputs_.add(tile.portions.front().source, tile, number_);
    } else {
      partial_.push_back(std::move(tile));
    }
  }
  return Status::ok();
}

// True if the tile can be kept. Otherwise the next run reads it again: a tile of a source that
// could not be read to its end, or a last record that may become longer.
bool KeptTiles::is_whole(const SealedTile &tile) const {
  const Portion &portion = tile.portions.front();
  const Source &source = run_.plan.sources[static_cast<size_t>(portion.source)];
  if (tile.portions.size() != 1 || run_.damaged.contains(source.path)) return false;
  if (inputs_.has_content_tiles() && !source.stream) {
    return inputs_.tile_index().missing(portion) != nullptr;
  }
  if (!source.parts.empty() && portion.end == source.end) return false;  // the record may grow
  const i64 end = source.parts.empty() ? source.end : source.parts.front().end;
  return portion.begin == source.known && (source.stream || portion.end == end);
}

std::set<i64> KeptTiles::partial_sources() const {
  std::set<i64> sources;
  for (i64 i = 0; i < std::ssize(run_.plan.sources); ++i) {
    if (run_.damaged.contains(run_.plan.sources[static_cast<size_t>(i)].path)) sources.insert(i);
  }
  for (const SealedTile &tile : partial_) sources.insert(tile.portions.front().source);
  return sources;
}

// Merges the tiles of each source into one: the compress phase of Tiled-MapReduce (4.1), across
// runs.
Status KeptTiles::compact() {
  if (!tiles_ || inputs_.runs() <= kMostRuns) return Status::ok();
  if (inputs_.has_content_tiles()) return copy_tiles();
  const Result<std::vector<KeptStretch>> all = known_stretches();
  if (!all.is_ok()) return all.status();
  std::vector<std::span<const KeptStretch>> sources;
  for (auto begin = all->begin(), end = begin; begin != all->end(); begin = end) {
    end = std::find_if(begin, all->end(), [&](const KeptStretch &each) {
      return each.portion.source != begin->portion.source;
    });
    sources.emplace_back(begin, end);
  }
  return run_.pool.run_each(std::ssize(sources), [&](i64 i) {
    Result<SealedTile> tile = tiles_->merge(sources[static_cast<size_t>(i)]);
    if (!tile.is_ok()) return tile.status();
    const std::lock_guard lock(run_.mutex);
    inputs_.replace(tile->portions.front().source, *tile, number_);
    return Status::ok();
  });
}

// Copies the tiles of earlier runs. They are not merged, because later runs find each by content.
Status KeptTiles::copy_tiles() {
  return inputs_.each_tile([&](KeptTile *tile) {
    if (tile->run < 0 || tile->run == number_) return Status::ok();
    const Result<KeptStretch> old = stretch_of(tile->run, {}, {tile->first_block, tile->blocks, 0});
    if (!old.is_ok()) return old.status();
    SealedBlocks written;
    Status status = tiles_->run().copy(old->blocks, &written);
    tile->run = number_;
    tile->first_block = written.first;
    return status;
  });
}

Result<const KeptTiles::OpenRun *> KeptTiles::open_run(i64 number) {
  const auto known = std::ranges::find(runs_, number, &OpenRun::number);
  if (known != runs_.end()) return &*known;
  Result<RunFile> file = inputs_.directory().open_run(number);
  if (!file.is_ok()) return file.status();
  runs_.push_back({number, std::move(*file)});
  OpenRun &opened = runs_.back();
  Result<RunReader> reader = RunReader::open(&opened.file);
  if (!reader.is_ok()) return reader.status();
  if (reader->header().shape != products_.kept_shape()) {
    return Status::error(opened.file.name() + ": its states are not those of this job");
  }
  opened.reader.emplace(std::move(*reader));
  return &opened;
}

Result<KeptStretch> KeptTiles::stretch_of(i64 run, const Portion &portion,
                                          const SealedBlocks &blocks) {
  KeptStretch stretch{portion, inputs_.origin_of(portion)};
  if (run < 0) return stretch;  // no record was selected
  std::span<const BlockInfo> all;
  const RunFile *file = nullptr;
  if (run == number_) {
    file = &*file_;
    all = tiles_->run().blocks();
  } else {
    Result<const OpenRun *> opened = open_run(run);
    if (!opened.is_ok()) return opened.status();
    file = &(*opened)->file;
    all = (*opened)->reader->blocks();
  }
  if (blocks.first + blocks.count > std::ssize(all)) {
    return Status::error(file->name() + ": has fewer blocks than the manifest says");
  }
  for (const BlockInfo &info :
       all.subspan(static_cast<size_t>(blocks.first), static_cast<size_t>(blocks.count))) {
    stretch.blocks.push_back({file, info});
  }
  return stretch;
}

// Returns the kept tiles, by source.
Result<std::vector<KeptStretch>> KeptTiles::known_stretches() {
  std::vector<KeptStretch> all;
  for (const KeptTile &tile : inputs_.known_tiles()) {
    Result<KeptStretch> next = stretch_of(tile.run, tile, {tile.first_block, tile.blocks, 0});
    if (!next.is_ok()) return next.status();
    all.push_back(std::move(*next));
  }
  return all;
}

// Returns the kept tiles, and those that count for this answer only, in the order of the input.
Result<std::vector<KeptStretch>> KeptTiles::stretches() {
  Result<std::vector<KeptStretch>> all = known_stretches();
  if (!all.is_ok()) return all;
  for (const SealedTile &tile : partial_) {
    Result<KeptStretch> next = stretch_of(number_, tile.portions.front(), tile.blocks);
    if (!next.is_ok()) return next.status();
    all->push_back(std::move(*next));
  }
  std::ranges::stable_sort(*all, {}, [](const KeptStretch &each) {
    return std::pair(each.portion.source, each.portion.begin);
  });
  return all;
}

}  // namespace mrc
