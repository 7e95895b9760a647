// Groups that are reduced tile by tile while others are mapped (Tiled-MapReduce, sections 4 and 5).
#pragma once

#include "engine/sinks/group_conduct.h"
#include "reduce/tile_reducer.h"

#include <memory>
#include <vector>

namespace mrc {

class TiledGroups : public GroupConduct {
 public:
  using GroupConduct::GroupConduct;

  void begin(const ChunkSource *) override;
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  void stop() override;
  Status end() override;
  void adjust(GroupSettings *settings) const override;

 private:
  TileSpec spec() const;

  std::vector<std::unique_ptr<TileReducer>> tiles_;  // by group of CPUs
};

}  // namespace mrc
