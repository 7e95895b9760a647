#include "engine/sinks/kept_groups.h"

#include "engine/sinks/state_files.h"

#include <algorithm>

namespace mrc {
namespace {

// Tiles lie in so many run files at most: more, and each source gets one tile again.
constexpr i64 kMostRuns = 16;

}  // namespace

KeptGroups::KeptGroups(Run *run, Aggregation aggregation)
    : run_(*run), inputs_(*run->plan.state), whole_(std::move(aggregation)) {}

Status KeptGroups::open(const StateLayout &layout) {
  const Plan &plan = run_.plan;
  run_.report.known_bytes = inputs_.known_bytes();
  run_.report.found_tiles = inputs_.tile_index().found();
  if (plan.splits.empty() && plan.streams == 0) return Status::ok();
  Result<RunFile> file = inputs_.directory().create_run(&number_);
  if (!file.is_ok()) return file.status();
  file_.emplace(std::move(*file));
  tiles_.emplace(plan, layout, whole_, run_.worker_share() / 3, &*file_);
  return Status::ok();
}

Status KeptGroups::keep(const StateLayout &layout, const GroupSettings &settings,
                        const std::function<Status()> &failure) {
  if (Status status = close_tiles(); !status.is_ok()) return status;
  if (Status status = compact(layout, settings); !status.is_ok()) return status;
  if (Status status = failure(); !status.is_ok()) return status;
  if (tiles_ && !tiles_->run().is_empty()) {
    if (Status status = tiles_->finish(); !status.is_ok()) return status;
    if (Status status = file_->commit(); !status.is_ok()) return status;
    run_.report.sealed_bytes = tiles_->run().bytes();
  }
  Status status = inputs_.note_inputs(run_.plan.sources, formats(), partial_sources());
  return status.is_ok() ? inputs_.commit() : status;
}

Status KeptGroups::close_tiles() {
  if (!tiles_) return Status::ok();
  Result<std::vector<SealedTile>> tiles = tiles_->close();
  if (!tiles.is_ok()) return tiles.status();
  run_.report.sealed_tiles = std::ssize(*tiles);
  for (SealedTile &tile : *tiles) {
    if (is_whole(tile)) {
      inputs_.add(tile.covered.front().source, tile, number_);
    } else {
      partial_.push_back(std::move(tile));
    }
  }
  return Status::ok();
}

// The next run reads a source again that could not be read to its end, and a record that may become
// longer.
bool KeptGroups::is_whole(const SealedTile &tile) const {
  const Covered &covered = tile.covered.front();
  const Source &source = run_.plan.sources[static_cast<size_t>(covered.source)];
  if (tile.covered.size() != 1 || run_.damaged.contains(source.path)) return false;
  if (inputs_.has_content_tiles() && !source.stream) {
    return inputs_.tile_index().missing(covered) != nullptr;
  }
  if (!source.parts.empty() && covered.end == source.end) return false;  // such a record
  const i64 end = source.parts.empty() ? source.end : source.parts.front().end;
  return covered.begin == source.known && (source.stream || covered.end == end);
}

std::set<i64> KeptGroups::partial_sources() const {
  std::set<i64> sources;
  for (i64 i = 0; i < std::ssize(run_.plan.sources); ++i) {
    if (run_.damaged.contains(run_.plan.sources[static_cast<size_t>(i)].path)) sources.insert(i);
  }
  for (const SealedTile &tile : partial_) sources.insert(tile.covered.front().source);
  return sources;
}

std::vector<std::string> KeptGroups::formats() const {
  std::vector<std::string> names(run_.plan.sources.size());
  for (i64 i = 0; run_.readers && i < std::ssize(names); ++i) {
    const Dialect *dialect = run_.readers->dialect(i);
    if (dialect != nullptr) names[static_cast<size_t>(i)] = dialect->format->name;
  }
  return names;
}

// The compress phase of Tiled-MapReduce (4.1), across runs.
Status KeptGroups::compact(const StateLayout &layout, const GroupSettings &settings) {
  if (!tiles_ || inputs_.runs() <= kMostRuns) return Status::ok();
  if (inputs_.has_content_tiles()) return copy_tiles();
  const Result<std::vector<Stretch>> all = known_stretches();
  if (!all.is_ok()) return all.status();
  std::vector<std::span<const Stretch>> sources;
  for (auto begin = all->begin(), end = begin; begin != all->end(); begin = end) {
    end = std::find_if(begin, all->end(), [&](const Stretch &each) {
      return each.covered.source != begin->covered.source;
    });
    sources.emplace_back(begin, end);
  }
  return run_.pool.run_each(std::ssize(sources), [&](i64 i) {
    Result<SealedTile> tile = compact(sources[static_cast<size_t>(i)], layout, settings);
    if (!tile.is_ok()) return tile.status();
    const std::lock_guard lock(run_.mutex);
    inputs_.replace(tile->covered.front().source, *tile, number_);
    return Status::ok();
  });
}

// Tiles stay as they are, so that they are found again.
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

Result<SealedTile> KeptGroups::compact(std::span<const Stretch> of_source,
                                       const StateLayout &layout, const GroupSettings &settings) {
  auto grouping = std::make_unique<GroupWorker>(layout, settings);
  Pages buffer;
  std::vector<TilePart> parts(1);
  for (const Stretch &stretch : of_source) {
    add_covered(stretch.covered, &parts[0].covered);
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

Result<KeptGroups::Stretch> KeptGroups::stretch_of(i64 run, const Covered &covered,
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
  return Stretch{covered, file, {begin, begin + blocks.count}};
}

// By source.
Result<std::vector<KeptGroups::Stretch>> KeptGroups::known_stretches() {
  std::vector<Stretch> all;
  for (const auto &[source, tile] : inputs_.known_tiles()) {
    const Covered covered{source,       tile.begin,       tile.end,       tile.content,
                          tile.records, tile.bad_records, tile.bad_values};
    if (tile.run < 0) {  // no record was selected
      all.push_back({covered, nullptr, {}});
      continue;
    }
    Result<Stretch> next = stretch_of(tile.run, covered, {tile.first_block, tile.blocks, 0});
    if (!next.is_ok()) return next.status();
    all.push_back(std::move(*next));
  }
  return all;
}

// What is kept, and what counts for this answer only.
Result<std::vector<KeptGroups::Stretch>> KeptGroups::stretches() {
  Result<std::vector<Stretch>> all = known_stretches();
  if (!all.is_ok()) return all;
  for (const SealedTile &tile : partial_) {
    Result<Stretch> next = stretch_of(number_, tile.covered.front(), tile.blocks);
    if (!next.is_ok()) return next.status();
    all->push_back(std::move(*next));
  }
  return all;
}

// States count positions from the front of their source, or of their tile, wherever it stood.
Status KeptGroups::load(const Stretch &stretch, std::span<const BlockInfo> blocks, Pages *buffer,
                        GroupWorker *into) const {
  for (const BlockInfo &block : blocks) {
    Result<Bytes> records = read_block(*stretch.file, {0, whole_.state_bytes()}, block, buffer);
    if (!records.is_ok()) return records.status();
    into->load(*records, inputs_.origin_of(stretch.covered));
    if (Status status = into->relieve(); !status.is_ok()) return status;
  }
  return Status::ok();
}

Result<std::vector<std::unique_ptr<MapOutput>>> KeptGroups::load(const StateLayout &layout,
                                                                 const GroupSettings &settings) {
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
  std::vector<std::unique_ptr<MapOutput>> outputs;
  Status status =
      StateFiles(&run_, layout).load_all(std::ssize(blocks), load_one, settings, &outputs);
  if (!status.is_ok()) return status;
  return outputs;
}

}  // namespace mrc
