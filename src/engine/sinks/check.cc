// Checks if the input is in order already, without sorting it.
#include "engine/inner/plan_keys.h"
#include "engine/inner/run.h"
#include "engine/sinks/order_check.h"

namespace mrc {
namespace {

class CheckSink : public StageSink {
 public:
  explicit CheckSink(Run *run) : run_(*run), spec_(*run->program.sort), all_(spec_, &least_) {}

  void begin(ChunkSource *source) override { source_ = source; }
  std::unique_ptr<Hand> make_hand(i64, BadRecordSink *bad) override {
    return std::make_unique<CheckHand>(this, bad);
  }
  Status end(Report *report) override {
    report->disorder = all_.first_disorder(run_.plan.sources);
    return Status::ok();
  }
  bool answers() const override { return false; }

 private:
  class CheckHand : public Hand {
   public:
    CheckHand(CheckSink *sink, BadRecordSink *bad)
        : sink_(*sink),
          fields_(fields_of(*sink, bad)),
          check_(sink->spec_, &sink->least_, fields_.get()) {}

    Status take(const Chunk &chunk, i64 *records) override {
      *records += check_.add(chunk);
      const u64 least = sink_.least_;
      if (check_.found() && sink_.source_->all_claimed_before(source_of(least))) {
        sink_.source_->cancel();
      }
      return Status::ok();
    }
    Status seal(bool) override {
      std::lock_guard lock(sink_.run_.mutex);
      sink_.all_.add(&check_);
      return Status::ok();
    }

   private:
    static std::unique_ptr<KeyedRecords> fields_of(const CheckSink &sink, BadRecordSink *bad) {
      if (!sink.spec_.fields) return nullptr;
      const Run &run = sink.run_;
      return std::make_unique<KeyedRecords>(*sink.spec_.fields, run.program.map.fields,
                                            *run.readers, bad);
    }

    CheckSink &sink_;
    std::unique_ptr<KeyedRecords> fields_;
    OrderCheck check_;
  };

  Run &run_;
  const SortSpec &spec_;
  ChunkSource *source_ = nullptr;
  std::atomic<u64> least_{~u64{0}};  // shared by all checks: see OrderCheck
  OrderCheck all_;
};

class CheckStage : public Stage {
 public:
  explicit CheckStage(const Program &program) : program_(program) {}

  i64 record_bytes() const override { return program_.sort->record_bytes; }
  void plan(Plan *plan) const override { plan_order(program_, plan); }
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override {
    return std::unique_ptr<StageSink>(std::make_unique<CheckSink>(run));
  }

 private:
  const Program &program_;
};

}  // namespace

constinit const StageType kCheckStage = make_stage_type<CheckStage>("check", Makes::verdict);

}  // namespace mrc
