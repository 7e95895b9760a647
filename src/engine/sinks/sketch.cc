// Groups nothing: the hashes of keys go into a sketch. A partial has one record, with the sketch
// instead of a state.
#include "combine/hyperloglog.h"
#include "engine/inner/plan_steps.h"
#include "engine/sinks/partials.h"
#include "engine/sinks/worker_rows.h"
#include "kept/merge_partials.h"
#include "map/emitter.h"

#include <cstring>
#include <optional>
#include <type_traits>

namespace mrc {
namespace {

// Uses a fixed seed, so that the same input gives the same estimate. Too large for a stack.
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

static_assert(std::is_trivially_copyable_v<HyperLogLog>);

Bytes bytes_of_registers(const HyperLogLog &keys) {
  return {reinterpret_cast<const char *>(&keys), sizeof keys};
}

// Adds the sketch in a block of a partial.
Status add_block(const MergedPartials::Stretch &stretch, const BlockInfo &block, Pages *buffer,
                 HyperLogLog *keys) {
  const Result<Bytes> records = read_block(*stretch.file, {}, block, buffer);
  if (!records.is_ok()) return records.status().within(stretch.name);
  StoredRecord record;
  read_record(reinterpret_cast<const std::byte *>(records->data()), {}, &record);
  HyperLogLog other;
  if (block.records != 1 || record.var.size() != sizeof other) {
    return Status::error(stretch.name + ": has no sketch of keys");
  }
  std::memcpy(&other, record.var.data(), sizeof other);
  keys->merge(other);
  return Status::ok();
}

class SketchSink : public StageSink {
 public:
  explicit SketchSink(Run *run) : run_(*run) {
    if (run_.program.partial.is_wanted) piece_.emplace(run);
  }

  std::unique_ptr<Hand> make_hand(i64, BadRecordSink *bad) override {
    auto hand = std::make_unique<SketchHand>(this, bad);
    if (!piece_) return hand;
    return std::make_unique<NotingHand>(&*piece_, std::move(hand));
  }
  Status end(Report *report) override {
    Status status = run_.program.partial.merged ? take_merged() : Status::ok();
    report->keys = keys_.estimate();
    return status;
  }
  Result<Answer> finish() override {
    if (!piece_) return answer_of(run_.report.keys, &run_);
    if (Status status = piece_->check(); !status.is_ok()) return status;
    const auto add_states = [this](RunWriter *writer, PartitionSet *made) {
      made->set(0);
      std::string record;
      append_record({}, {.var = bytes_of_registers(keys_)}, &record);
      return writer->add_block(
          {.order = RunOrder::key, .partition_bits = kPartialBits, .records = 1}, record);
    };
    return Answer{.write = [=, this](OutputFile *to) {
      return piece_->write(0, std::nullopt, add_states, to);
    }};
  }

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

  Status take_merged() {
    Pages buffer;
    for (const MergedPartials::Stretch &stretch : run_.program.partial.merged->stretches) {
      for (const BlockInfo &block : stretch.blocks) {
        if (Status status = add_block(stretch, block, &buffer, &keys_); !status.is_ok()) {
          return status;
        }
        ++run_.report.merged_states;
      }
    }
    return Status::ok();
  }

  Run &run_;
  std::optional<MappedPiece> piece_;  // unset: the answer is text
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

constinit const StageType kSketchStage = make_stage_type<SketchStage>("sketch", Makes::estimate);

}  // namespace mrc
