// Nothing is grouped: the hashes of keys go into a sketch, and that is all there is.
#include "combine/hyperloglog.h"
#include "engine/plan_keys.h"
#include "engine/sinks/written_rows.h"
#include "map/emitter.h"

namespace mrc {
namespace {

// The seed is fixed: the same input gives the same estimate. Large: not for a stack.
class KeySketch : public BatchSink {
 public:
  explicit KeySketch(Seed seed) : emitter_(this, seed) {}

  i64 map(Mapper *mapper, const Chunk &chunk) { return mapper->map(chunk, &emitter_); }
  const HyperLogLog &keys() const { return keys_; }

  void take(const Batch<Key16> &batch) override { keys_.add(batch.hashes.data(), batch.size); }
  void take(const Batch<Key32> &batch) override { keys_.add(batch.hashes.data(), batch.size); }
  void take(const Batch<KeyRef> &batch) override { keys_.add(batch.hashes.data(), batch.size); }

 private:
  HyperLogLog keys_;
  Emitter emitter_;
};

class SketchSink : public StageSink {
 public:
  explicit SketchSink(Run *run) : run_(*run) {}

  std::unique_ptr<Hand> make_hand(i64, BadRecordSink *bad) override {
    return std::make_unique<SketchHand>(this, bad);
  }
  Status end(Report *report) override {
    report->keys = keys_.estimate();
    return Status::ok();
  }
  Result<Answer> finish() override { return answer_of(run_.report.keys, &run_); }

 private:
  class SketchHand : public Hand {
   public:
    SketchHand(SketchSink *sink, BadRecordSink *bad)
        : sink_(*sink),
          sketch_(std::make_unique<KeySketch>(kFixedSeed)),
          mapper_(make_mapper(sink->run_.program.map, *sink->run_.plan.scanner,
                              sink->run_.readers.get(), bad)) {}

    Status take(const Chunk &chunk, i64 *records) override {
      *records += sketch_->map(mapper_.get(), chunk);
      return Status::ok();
    }
    Status seal(bool) override {
      std::lock_guard lock(sink_.run_.mutex);
      sink_.keys_.merge(sketch_->keys());
      return Status::ok();
    }

   private:
    SketchSink &sink_;
    std::unique_ptr<KeySketch> sketch_;
    std::unique_ptr<Mapper> mapper_;
  };

  Run &run_;
  HyperLogLog keys_;
};

class SketchStage : public Stage {
 public:
  explicit SketchStage(const Program &program) : program_(program) {}

  i64 record_bytes() const override { return program_.map.record_bytes; }
  void plan(Plan *plan) const override { plan_order(program_, plan); }
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override {
    return std::unique_ptr<StageSink>(std::make_unique<SketchSink>(run));
  }

 private:
  const Program &program_;
};

}  // namespace

constinit const StageType kSketchStage = make_stage_type<SketchStage>("sketch");

}  // namespace mrc
