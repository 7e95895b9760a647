// Nothing is grouped: the hashes of keys go into a sketch, and that is all there is.
#include "combine/hyperloglog.h"
#include "engine/sinks/mapped_records.h"
#include "engine/sinks/sinks.h"
#include "map/emitter.h"

namespace mrc {
namespace {

// All workers have the same seed, so their sketches can be merged. Large: not for a stack.
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

class SketchSink : public Sink {
 public:
  explicit SketchSink(Run *run) : run_(*run), seed_(seed_of(*run)) {}

  std::unique_ptr<Hand> make_hand(i64, BadRecordSink *bad) override {
    return std::make_unique<SketchHand>(this, bad);
  }
  Status end(Report *report) override {
    report->keys = keys_.estimate();
    return Status::ok();
  }
  Status write() override { return write_number(&run_, run_.report.keys); }

 private:
  class SketchHand : public Hand {
   public:
    SketchHand(SketchSink *sink, BadRecordSink *bad)
        : sink_(*sink),
          sketch_(std::make_unique<KeySketch>(sink->seed_)),
          mapper_(make_worker_mapper(sink->run_, bad)) {}

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
  const Seed seed_;
  HyperLogLog keys_;
};

}  // namespace

std::unique_ptr<Sink> make_sketch_sink(Run *run) { return std::make_unique<SketchSink>(run); }

}  // namespace mrc
