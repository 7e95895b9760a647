// The stage that groups: its plan, and the keys of its sample.
#include "engine/inner/input_scan.h"
#include "engine/inner/plan_steps.h"
#include "engine/inner/sample.h"
#include "engine/sinks/grouping.h"
#include "group/array_table.h"
#include "map/emitter.h"
#include "map/map.h"

#include <memory>

namespace mrc {
namespace {

// Adds keys to the sample.
class SampledKeys : public BatchSink {
 public:
  explicit SampledKeys(Sample *sample) : sample_(sample) {}

  void take(const Batch<Key16> &batch) override { add(batch, 0); }
  void take(const Batch<Key32> &batch) override { add(batch, 1); }
  void take(const Batch<KeyRef> &batch) override { add(batch, 2); }

  void begin_piece() { keys_.begin_piece(); }
  void end() {
    sample_->counts = keys_.counts();
    sample_->common_prefix = prefix_.bytes();
  }

 private:
  template <typename Key>
  void add(const Batch<Key> &batch, size_t key_class) {
    keys_.add(batch.hashes.data(), batch.size);
    sample_->of_class[key_class] += batch.size;
    for (i64 i = 0; i < batch.size; ++i) {
      const Bytes key = key_bytes(batch.keys[static_cast<size_t>(i)]);
      if constexpr (std::is_same_v<Key, Key16>) {
        sample_->indexes += ArrayTable::index_of(batch.keys[static_cast<size_t>(i)]) >= 0;
      }
      sample_->key_bytes += static_cast<i64>(key.size());
      prefix_.add(key);
    }
  }

  Sample *sample_;
  KeySample keys_;
  CommonPrefix prefix_;
};

// Maps the sample's records as the job does.
class KeySampler : public Hand {
 public:
  KeySampler(const Program &program, const Plan &plan, Sample *sample, BadRecordSink *bad)
      : keys_(sample),
        emitter_(std::make_unique<Emitter>(&keys_, kFixedSeed, program.map.value_width())),
        mapper_(make_mapper(program.map, *plan.scanner, plan.readers.get(), bad)) {}

  Status begin_unit(const Unit &) override {
    keys_.begin_piece();
    return Status::ok();
  }
  Status take(const Chunk &chunk, i64 *records) override {
    *records += mapper_->map(chunk, emitter_.get());
    return Status::ok();
  }
  Status seal(bool) override {
    keys_.end();
    return Status::ok();
  }

 private:
  SampledKeys keys_;
  std::unique_ptr<Emitter> emitter_;
  std::unique_ptr<Mapper> mapper_;
};

}  // namespace

void GroupStage::plan(Plan *plan) const {
  plan_groups(program_, plan_sample(program_, *this, plan), plan);
  plan_order(program_, plan);
}

std::unique_ptr<Hand> GroupStage::make_sampler(const Plan &plan, Sample *sample,
                                               BadRecordSink *bad) const {
  return std::make_unique<KeySampler>(program_, plan, sample, bad);
}

Result<std::unique_ptr<StageSink>> GroupStage::make_sink(Run *run) const {
  return std::unique_ptr<StageSink>(std::make_unique<GroupingSink>(run));
}

constinit const StageType kGroupStage = make_stage_type<GroupStage>("group", Makes::groups);

}  // namespace mrc
