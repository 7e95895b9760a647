// The stage that groups. The stage of plugins derives from it.
#pragma once

#include "engine/engine.h"

#include <memory>

namespace mrc {

class GroupStage : public Stage {
 public:
  explicit GroupStage(const Program &program) : program_(program) {}

  i64 record_bytes() const override { return program_.map.record_bytes; }
  void plan(Plan *plan) const override;
  std::unique_ptr<Hand> make_sampler(const Plan &plan, Sample *sample,
                                     BadRecordSink *bad) const override;
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override;

 protected:
  const Program &program_;
};

}  // namespace mrc
