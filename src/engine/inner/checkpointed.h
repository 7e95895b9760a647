// engine: workers save their products at the ends of tiles, so that the next run can resume a
// killed one.
#pragma once

#include "engine/inner/checkpoints.h"
#include "engine/inner/conduct.h"
#include "engine/inner/run.h"

namespace mrc {

class Checkpointed : public Conduct {
 public:
  // Both arguments outlive this.
  Checkpointed(Run *run, Products *products);

  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  bool shares_partitions() const override { return false; }
  bool adopts() const override { return true; }
  // Adds what earlier runs have saved, and what workers saved before they started over.
  Status adopt() override;

 private:
  Result<SavedParts> parts_of_earlier_runs() const;

  Run &run_;
  Products &products_;
  CheckpointInputs &inputs_;
  Checkpoints checkpoints_;
};

}  // namespace mrc
