// Groups that workers hand over when the input ends. Records that they spill earlier may be reduced
// in the meantime (MaRCO 3). `mrc merge` adopts the groups of partials.
#pragma once

#include "engine/sinks/group_conduct.h"
#include "reduce/eager_reducer.h"

#include <memory>

namespace mrc {

class PlainGroups : public GroupConduct {
 public:
  using GroupConduct::GroupConduct;

  Status open() override;
  void begin(const ChunkSource *) override;
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  void stop() override;
  Status end() override;
  void adjust(GroupSettings *settings) const override;
  bool adopts() const override;
  Status adopt() override;

 private:
  EagerSpec spec() const;

  std::unique_ptr<EagerReducer> runs_;  // null: spilled records wait for reduce
};

}  // namespace mrc
