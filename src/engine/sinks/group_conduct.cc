#include "engine/sinks/group_conduct.h"

#include "engine/inner/live_answers.h"
#include "engine/sinks/grouping.h"
#include "engine/sinks/live_copies.h"
#include "kept/merge_partials.h"

#include <algorithm>
#include <utility>

namespace mrc {

GroupProduct::GroupProduct(GroupingSink *sink, i64 worker, BadRecordSink *bad, PartFiles *files)
    : sink_(*sink),
      worker_(worker),
      bad_(bad),
      files_(files),
      numbers_lines_(sink->run().program.map.values == MapSpec::Values::line),
      grouping_(std::make_unique<GroupWorker>(sink->layout(), sink->settings_of(worker))),
      mapper_(sink->make_mapper(bad)) {}

Status GroupProduct::take(const Chunk &chunk, i64 *records) {
  if (numbers_lines_) lines_.add(chunk, sink_.run().program.map.terminator);
  *records += grouping_->map(mapper_.get(), chunk);
  if (Status status = sink_.failure(); !status.is_ok()) return status;
  return grouping_->relieve();
}

Status GroupProduct::hand_over(bool whole) {
  Result<std::unique_ptr<MapOutput>> output = end(whole);
  if (!output.is_ok() || !*output) return output.status();
  return sink_.take_output(worker_, std::move(*output), lines_);
}

Result<std::shared_ptr<SavedPart>> GroupProduct::save(bool *emptied) {
  *emptied = false;
  if (Status status = settle(); !status.is_ok()) return status;
  return sink_.saved().save(grouping_.get(), files_, emptied);
}

void GroupProduct::move_notes(std::string *notes) {
  if (numbers_lines_) lines_.move_to(notes);
}

Result<std::unique_ptr<MapOutput>> GroupProduct::end(bool whole) {
  if (mapper_) grouping_->finish_mapper(mapper_.get());
  if (Status status = sink_.failure(); !status.is_ok()) return status;
  if (!whole) return std::unique_ptr<MapOutput>();
  return grouping_->finish();
}

void GroupProduct::begin_tile() {
  if (mapper_) return;  // nothing has been mapped yet
  mapper_ = sink_.make_mapper(bad_);
  grouping_->begin_anew(0, sink_.kept()->take_empty());
}

Result<std::unique_ptr<TileProduct>> GroupProduct::end_tile() {
  Result<std::unique_ptr<MapOutput>> output = end(true);
  if (!output.is_ok()) return output.status();
  mapper_.reset();
  return std::unique_ptr<TileProduct>(std::make_unique<GroupTile>(std::move(*output)));
}

Status GroupProduct::settle() {
  grouping_->finish_mapper(mapper_.get());
  if (Status status = sink_.failure(); !status.is_ok()) return status;
  mapper_ = sink_.make_mapper(bad_);
  return Status::ok();
}

namespace {

// Memory of all launches of partial reduces at once.
i64 bytes_of_launches(const Plan &plan) { return plan.memory / 8; }

}  // namespace

Status PlainGroups::open() {
  if (!adopts()) return Status::ok();
  for (const PartialPiece &piece : sink_.run().program.partial.merged->whole.pieces) {
    for (const auto &[position, ends] : piece.lines) sink_.lines()->add(position, ends);
  }
  return Status::ok();
}

void PlainGroups::begin(const ChunkSource *) {
  if (sink_.run().program.switches.runs == EagerRuns::wait) return;
  runs_ = std::make_unique<EagerReducer>(sink_.layout(), spec());
}

std::unique_ptr<Hand> PlainGroups::make_hand(i64 worker, BadRecordSink *bad) {
  return std::make_unique<GroupHand>(&sink_, worker, bad);
}

void PlainGroups::stop() {
  if (runs_) runs_->stop();
}

Status PlainGroups::end() {
  if (!runs_) return Status::ok();
  Status status = runs_->finish(sink_.outputs());
  sink_.run().report.eager = runs_->counts();
  runs_.reset();
  return status.is_ok() ? sink_.failure() : status;
}

EagerSpec PlainGroups::spec() const {
  const Plan &plan = sink_.run().plan;
  const Switches &switches = sink_.run().program.switches;
  EagerSpec spec;
  spec.overflow = sink_.settings().overflow;
  spec.folds = switches.runs == EagerRuns::reduce;
  spec.start = switches.start;
  spec.stop = switches.stop;
  spec.input_bytes = plan.streams > 0 ? 0 : plan.input_bytes;
  spec.low_priority = switches.low_priority;
  const i64 fit = std::max<i64>(1, bytes_of_launches(plan) / EagerReducer::kLeastBytes);
  spec.most_at_once = switches.stagger ? 1 : std::min(plan.workers, fit);
  spec.memory_bytes = bytes_of_launches(plan) / spec.most_at_once;
  spec.enter = [this] { PluginRun::enter(&sink_.run().plugins); };
  return spec;
}

void PlainGroups::adjust(GroupSettings *settings) const {
  if (!runs_) return;
  const Plan &plan = sink_.run().plan;
  settings->runs = runs_.get();
  settings->memory_bytes -=
      std::min(settings->memory_bytes / 2, bytes_of_launches(plan) / plan.workers);
}

bool PlainGroups::adopts() const { return sink_.run().program.partial.merged != nullptr; }

Status PlainGroups::adopt() {
  Run &run = sink_.run();
  run.timer.begin("load");
  const MergedPartials &merged = *run.program.partial.merged;
  using Stretch = MergedPartials::Stretch;
  std::vector<std::pair<const Stretch *, const BlockInfo *>> blocks;
  for (const Stretch &stretch : merged.stretches) {
    for (const BlockInfo &block : stretch.blocks) {
      blocks.emplace_back(&stretch, &block);
      run.report.merged_states += block.records;
    }
  }
  const auto load_one = [&](i64 i, GroupWorker *into) {
    const auto &[stretch, block] = blocks[static_cast<size_t>(i)];
    Pages buffer;
    const Result<Bytes> records =
        read_block(*stretch->file, {0, sink_.layout().state_bytes()}, *block, &buffer);
    if (!records.is_ok()) return records.status();
    into->load(*records, stretch->shift.value_or(0));
    return into->relieve();
  };
  sink_.outputs()->clear();
  return sink_.saved().load_all(std::ssize(blocks), load_one, sink_.settings(), sink_.outputs());
}

namespace {

// Hands over its groups at the end of each tile of its group of CPUs, and helps to merge tiles that
// are complete.
class TiledHand : public GroupHand {
 public:
  TiledHand(GroupingSink *sink, i64 worker, TileReducer *tiles, BadRecordSink *bad)
      : GroupHand(sink, worker, bad), tiles_(*tiles) {}

  Status begin_unit(const Unit &unit) override {
    const TilePlace &place = unit.tile;
    if (place.units_before > 0) tiles_.close(place.number - 1, place.units_before);
    i64 left = -1;
    if (place.number != tile_ && units_ > 0) {
      left = tile_;
      tiles_.leave(left, std::exchange(units_, 0),
                   product_.grouping()->leave_tile(tiles_.take_empty()));
    }
    tile_ = place.number;
    ++units_;
    return tiles_.help(left);
  }

  // Keeps the groups of the last tile in the worker's output.
  Status seal(bool whole) override {
    if (whole) {
      if (units_ > 0) tiles_.leave(tile_, units_, nullptr);
      if (Status status = tiles_.end(); !status.is_ok()) return status;
    }
    return GroupHand::seal(whole);
  }

 private:
  TileReducer &tiles_;
  i64 tile_ = 0, units_ = 0;
};

}  // namespace

TileSpec TiledGroups::spec() const {
  const Plan &plan = sink_.run().plan;
  const Switches &switches = sink_.run().program.switches;
  TileSpec spec;
  const GroupSettings all = sink_.settings();
  spec.container = all.container;
  spec.partition_bits = plan.partition_bits;
  spec.most_bytes = plan.most_tiled_bytes / plan.topology.size();
  spec.expected_keys = plan.tiled_keys;
  spec.overflow = all.overflow;
  spec.overlaps = switches.pipeline;
  spec.compresses = switches.compress;
  spec.reuses = switches.reuse;
  spec.merges_runs = switches.eager;
  return spec;
}

void TiledGroups::begin(const ChunkSource *) {
  for (i64 group = 0; group < sink_.run().plan.topology.size(); ++group) {
    tiles_.push_back(std::make_unique<TileReducer>(sink_.layout(), spec()));
  }
}

std::unique_ptr<Hand> TiledGroups::make_hand(i64 worker, BadRecordSink *bad) {
  const i64 group = sink_.run().plan.places[static_cast<size_t>(worker)].group;
  return std::make_unique<TiledHand>(&sink_, worker, tiles_[static_cast<size_t>(group)].get(), bad);
}

void TiledGroups::stop() {
  for (const auto &tiles : tiles_) tiles->stop();
}

Status TiledGroups::end() {
  for (const auto &tiles : tiles_) {
    sink_.take_shared(tiles->finish(sink_.outputs()));
    sink_.run().report.tiles += tiles->counts();
  }
  tiles_.clear();
  return Status::ok();
}

// Leaves memory for the groups of earlier tiles, which wait to be merged.
void TiledGroups::adjust(GroupSettings *settings) const {
  const Plan &plan = sink_.run().plan;
  settings->memory_bytes -=
      std::min(settings->memory_bytes / 2, plan.most_tiled_bytes / plan.workers);
  settings->memory_bytes /= 2;
}

std::unique_ptr<Conduct> make_group_conduct(GroupingSink *sink) {
  Run *const run = &sink->run();
  if (run->plan.tile_bytes > 0) return std::make_unique<TiledGroups>(sink);
  if (auto conduct = make_conduct(run, sink)) return conduct;
  if (run->program.live.is_wanted()) {
    return std::make_unique<Shown>(run, sink, std::make_unique<LiveGroups>(sink));
  }
  return std::make_unique<PlainGroups>(sink);
}

}  // namespace mrc
