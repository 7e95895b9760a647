#include "engine/sinks/kept_groups.h"

#include "engine/sinks/counted_bad.h"
#include "engine/sinks/group_product.h"
#include "engine/sinks/grouping.h"

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

// Maximum number of runs that hold tiles. Beyond it, tiles are merged or copied into the newest.
constexpr i64 kMostRuns = 16;

// Hands over its groups at the end of each tile.
class KeptHand : public GroupHand {
 public:
  KeptHand(GroupingSink *sink, i64 worker, KeptGroups *kept, std::unique_ptr<CountedBad> bad)
      : GroupHand(sink, worker, bad.get()), kept_(*kept), bad_(std::move(bad)) {}

  Status begin_unit(const Unit &unit) override {
    const i64 tile = kept_.tiles()->enter(unit);
    if (tile != tile_) {
      if (Status status = leave_tile(); !status.is_ok()) return status;
      product_.begin_anew(kept_.tiles()->take_empty());
      tile_ = tile;
    }
    ++part_.units;
    return Status::ok();
  }

  Status take(const Chunk &chunk, i64 *records) override {
    Portion portion{chunk.source, chunk.offset, chunk.offset + std::ssize(chunk.bytes),
                    kept_.hash().of(chunk.offset, chunk.bytes)};
    if (!chunk.bytes.empty())
      portion.open = chunk.bytes.back() != sink_.run().program.map.terminator;
    Status status = GroupHand::take(chunk, &portion.records);
    *records += portion.records;
    bad_->move_to(&portion, &flaws_);
    add_portion(portion, &part_.portions);
    return status;
  }

  Status seal(bool whole) override { return whole ? leave_tile() : product_.end(false).status(); }

 private:
  Status leave_tile() {
    if (part_.units == 0) return Status::ok();
    Result<std::unique_ptr<MapOutput>> output = product_.end(true);
    if (!output.is_ok()) return output.status();
    part_.output = std::move(*output);
    return kept_.tiles()->leave(tile_, std::exchange(part_, {}));
  }

  KeptGroups &kept_;
  const std::unique_ptr<CountedBad> bad_;
  i64 tile_ = -1;
  TilePart part_;
  KeptFlaws flaws_;  // unused: a state keeps only the counts
};

}  // namespace

KeptGroups::KeptGroups(GroupingSink *sink)
    : GroupConduct(sink), inputs_(*sink->run().plan.state), whole_(sink->layout().aggregation()) {}

Status KeptGroups::open() {
  Run &run = sink_.run();
  run.report.known_bytes = inputs_.known_bytes();
  run.report.found_tiles = inputs_.tile_index().found();
  if (run.plan.splits.empty() && run.plan.streams == 0) return Status::ok();
  Result<RunFile> file = inputs_.directory().create_run(&number_);
  if (!file.is_ok()) return file.status();
  file_.emplace(std::move(*file));
  tiles_.emplace(run.plan, sink_.layout(), whole_, run.worker_share() / 3, &*file_);
  return Status::ok();
}

std::unique_ptr<Hand> KeptGroups::make_hand(i64 worker, BadRecordSink *bad) {
  auto counted = std::make_unique<CountedBad>(bad, sink_.run().program.map.terminator);
  return std::make_unique<KeptHand>(&sink_, worker, this, std::move(counted));
}

// Leaves memory for incomplete tiles, which wait for the parts of other workers.
void KeptGroups::adjust(GroupSettings *settings) const { settings->memory_bytes /= 2; }

Status KeptGroups::adopt() {
  sink_.run().timer.begin("seal");
  if (Status status = keep(); !status.is_ok()) return status;
  sink_.run().timer.begin("load");
  return load_all();
}

Status KeptGroups::keep() {
  if (Status status = close_tiles(); !status.is_ok()) return status;
  if (Status status = compact(); !status.is_ok()) return status;
  if (Status status = sink_.failure(); !status.is_ok()) return status;
  if (tiles_ && !tiles_->run().is_empty()) {
    if (Status status = tiles_->finish(); !status.is_ok()) return status;
    if (Status status = file_->commit(); !status.is_ok()) return status;
    sink_.run().report.sealed_bytes = tiles_->run().bytes();
  }
  Status status = inputs_.note_inputs(sink_.run().plan.sources, formats(), partial_sources());
  return status.is_ok() ? inputs_.commit() : status;
}

Status KeptGroups::close_tiles() {
  if (!tiles_) return Status::ok();
  Result<std::vector<SealedTile>> tiles = tiles_->close();
  if (!tiles.is_ok()) return tiles.status();
  sink_.run().report.sealed_tiles = std::ssize(*tiles);
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
bool KeptGroups::is_whole(const SealedTile &tile) const {
  const Portion &portion = tile.portions.front();
  const Source &source = sink_.run().plan.sources[static_cast<size_t>(portion.source)];
  if (tile.portions.size() != 1 || sink_.run().damaged.contains(source.path)) return false;
  if (inputs_.has_content_tiles() && !source.stream) {
    return inputs_.tile_index().missing(portion) != nullptr;
  }
  if (!source.parts.empty() && portion.end == source.end) return false;  // the record may grow
  const i64 end = source.parts.empty() ? source.end : source.parts.front().end;
  return portion.begin == source.known && (source.stream || portion.end == end);
}

std::set<i64> KeptGroups::partial_sources() const {
  std::set<i64> sources;
  for (i64 i = 0; i < std::ssize(sink_.run().plan.sources); ++i) {
    if (sink_.run().damaged.contains(sink_.run().plan.sources[static_cast<size_t>(i)].path))
      sources.insert(i);
  }
  for (const SealedTile &tile : partial_) sources.insert(tile.portions.front().source);
  return sources;
}

std::vector<std::string> KeptGroups::formats() const {
  std::vector<std::string> names(sink_.run().plan.sources.size());
  for (i64 i = 0; sink_.run().readers && i < std::ssize(names); ++i) {
    const Dialect *dialect = sink_.run().readers->dialect(i);
    if (dialect != nullptr) names[static_cast<size_t>(i)] = dialect->format->name;
  }
  return names;
}

// Merges the tiles of each source into one: the compress phase of Tiled-MapReduce (4.1), across
// runs.
Status KeptGroups::compact() {
  if (!tiles_ || inputs_.runs() <= kMostRuns) return Status::ok();
  if (inputs_.has_content_tiles()) return copy_tiles();
  const Result<std::vector<Stretch>> all = known_stretches();
  if (!all.is_ok()) return all.status();
  std::vector<std::span<const Stretch>> sources;
  for (auto begin = all->begin(), end = begin; begin != all->end(); begin = end) {
    end = std::find_if(begin, all->end(), [&](const Stretch &each) {
      return each.portion.source != begin->portion.source;
    });
    sources.emplace_back(begin, end);
  }
  return sink_.run().pool.run_each(std::ssize(sources), [&](i64 i) {
    Result<SealedTile> tile = compact(sources[static_cast<size_t>(i)]);
    if (!tile.is_ok()) return tile.status();
    const std::lock_guard lock(sink_.run().mutex);
    inputs_.replace(tile->portions.front().source, *tile, number_);
    return Status::ok();
  });
}

// Copies the tiles of earlier runs. They are not merged, because later runs find each by content.
Status KeptGroups::copy_tiles() {
  return inputs_.each_tile([&](KeptTile *tile) {
    if (tile->run < 0 || tile->run == number_) return Status::ok();
    const Result<Stretch> old = stretch_of(tile->run, {}, {tile->first_block, tile->blocks, 0});
    if (!old.is_ok()) return old.status();
    SealedBlocks written;
    Status status = tiles_->copy(*old->file, old->blocks, &written);
    tile->run = number_;
    tile->first_block = written.first;
    return status;
  });
}

Result<SealedTile> KeptGroups::compact(std::span<const Stretch> of_source) {
  auto grouping = std::make_unique<GroupWorker>(sink_.layout(), sink_.settings());
  Pages buffer;
  std::vector<TilePart> parts(1);
  for (const Stretch &stretch : of_source) {
    add_portion(stretch.portion, &parts[0].portions);
    Status status = load(stretch, stretch.blocks, &buffer, grouping.get());
    if (!status.is_ok()) return status;
  }
  Result<std::unique_ptr<MapOutput>> output = grouping->finish();
  if (!output.is_ok()) return output.status();
  parts[0].output = std::move(*output);
  return tiles_->seal(std::move(parts));
}

Result<const KeptGroups::OpenRun *> KeptGroups::open_run(i64 number) {
  const auto known = std::ranges::find(runs_, number, &OpenRun::number);
  if (known != runs_.end()) return &*known;
  Result<RunFile> file = inputs_.directory().open_run(number);
  if (!file.is_ok()) return file.status();
  runs_.push_back({number, std::move(*file)});
  OpenRun &opened = runs_.back();
  Result<RunReader> reader = RunReader::open(&opened.file);
  if (!reader.is_ok()) return reader.status();
  if (reader->header().shape != RecordShape{0, whole_.state_bytes()}) {
    return Status::error(opened.file.name() + ": its states are not those of this job");
  }
  opened.reader.emplace(std::move(*reader));
  return &opened;
}

Result<KeptGroups::Stretch> KeptGroups::stretch_of(i64 run, const Portion &portion,
                                                   const SealedBlocks &blocks) {
  const RunFile *file = &*file_;
  std::span<const BlockInfo> all;
  if (run == number_) {
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
  const auto begin = all.begin() + blocks.first;
  return Stretch{portion, file, {begin, begin + blocks.count}};
}

// Returns the kept tiles, by source.
Result<std::vector<KeptGroups::Stretch>> KeptGroups::known_stretches() {
  std::vector<Stretch> all;
  for (const KeptTile &tile : inputs_.known_tiles()) {
    if (tile.run < 0) {  // no record was selected
      all.push_back({tile, nullptr, {}});
      continue;
    }
    Result<Stretch> next = stretch_of(tile.run, tile, {tile.first_block, tile.blocks, 0});
    if (!next.is_ok()) return next.status();
    all.push_back(std::move(*next));
  }
  return all;
}

// Returns the kept tiles, and those that count for this answer only.
Result<std::vector<KeptGroups::Stretch>> KeptGroups::stretches() {
  Result<std::vector<Stretch>> all = known_stretches();
  if (!all.is_ok()) return all;
  for (const SealedTile &tile : partial_) {
    Result<Stretch> next = stretch_of(number_, tile.portions.front(), tile.blocks);
    if (!next.is_ok()) return next.status();
    all->push_back(std::move(*next));
  }
  return all;
}

// Folds blocks of a tile. Their states count positions from the front of the source or of the tile.
Status KeptGroups::load(const Stretch &stretch, std::span<const BlockInfo> blocks, Pages *buffer,
                        GroupWorker *into) const {
  for (const BlockInfo &block : blocks) {
    Result<Bytes> records = read_block(*stretch.file, {0, whole_.state_bytes()}, block, buffer);
    if (!records.is_ok()) return records.status();
    into->load(*records, inputs_.origin_of(stretch.portion));
    if (Status status = into->relieve(); !status.is_ok()) return status;
  }
  return Status::ok();
}

Status KeptGroups::load_all() {
  const Result<std::vector<Stretch>> all = stretches();
  if (!all.is_ok()) return all.status();
  std::vector<std::pair<const Stretch *, size_t>> blocks;
  for (const Stretch &stretch : *all) {
    for (size_t i = 0; i < stretch.blocks.size(); ++i) blocks.emplace_back(&stretch, i);
  }
  const auto load_one = [&](i64 i, GroupWorker *into) {
    const auto &[stretch, block] = blocks[static_cast<size_t>(i)];
    Pages buffer;
    return load(*stretch, std::span(stretch->blocks).subspan(block, 1), &buffer, into);
  };
  sink_.outputs()->clear();
  return sink_.saved().load_all(std::ssize(blocks), load_one, sink_.settings(), sink_.outputs());
}

}  // namespace mrc
