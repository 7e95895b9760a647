#include "engine/sinks/tiled_groups.h"

#include "engine/sinks/group_product.h"
#include "engine/sinks/grouping.h"

#include <algorithm>
#include <utility>

namespace mrc {
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

}  // namespace mrc
