#include "engine/inner/sample.h"

#include "engine/inner/sample_pieces.h"
#include "engine/inner/scan.h"

#include <memory>

namespace mrc {
namespace {

constexpr i64 kWorthSampling = i64{32} << 20;

// Ignores malformed records: the job meets them again.
class SampleWatch : public Watch {
 public:
  explicit SampleWatch(Sample *sample) : sample_(sample) {}

  Result<std::unique_ptr<Notes>> begin(i64) override {
    return std::unique_ptr<Notes>(std::make_unique<NoNotes>());
  }
  void end(std::unique_ptr<Notes>, const ReadCounts &counts, i64 records) override {
    sample_->bytes = counts.bytes;
    sample_->records = records;
  }

 private:
  class NoNotes : public Notes, public BadRecordSink {
   public:
    BadRecordSink *bad() override { return this; }
    void take(const Chunk &, const BadRecord &) override {}
  };

  Sample *sample_;
};

class SampleSink : public Sink {
 public:
  SampleSink(const Stage &stage, const Plan &plan, Sample *sample)
      : stage_(stage), plan_(plan), sample_(sample) {}

  std::unique_ptr<Hand> make_hand(i64, BadRecordSink *bad) override {
    return stage_.make_sampler(plan_, sample_, bad);
  }

 private:
  const Stage &stage_;
  const Plan &plan_;
  Sample *sample_;
};

}  // namespace

bool worth_sampling(const Program &program, const Plan &plan) {
  return program.switches.sample != Sampling::off && plan.streams == 0 &&
         plan.input_bytes > kWorthSampling;
}

Sample take_sample(const Program &program, const Stage &stage, const Plan &plan) {
  Sample sample;
  const std::unique_ptr<ChunkSource> pieces =
      make_pieces(program.switches, plan, cuts_of(program, stage), &sample);
  SampleSink sink(stage, plan, &sample);
  SampleWatch watch(&sample);
  WorkerPool alone(1);
  static_cast<void>(scan(pieces.get(), &sink, &watch, &alone));  // the run meets an error again
  sample.share = static_cast<double>(sample.bytes) / static_cast<double>(plan.input_bytes);
  return sample;
}

Forecast foretell(const Program &program, const Sample &sample, i64 workers) {
  if (sample.counts.keys() == 0) return {};
  const double records = static_cast<double>(sample.records) / sample.share;
  const double each = records / static_cast<double>(workers);
  Forecast forecast;
  forecast.records = records;
  for (size_t i = 0; i < forecast.shares.size(); ++i) {
    forecast.shares[i] =
        static_cast<double>(sample.of_class[i]) / static_cast<double>(sample.records);
  }
  forecast.indexes = static_cast<double>(sample.indexes) / static_cast<double>(sample.records);
  if (program.switches.sample == Sampling::head) {  // as in Metis
    forecast.keys = std::min(records, static_cast<double>(sample.counts.keys()) / sample.share);
    forecast.worker_keys = std::min(each, forecast.keys);
  } else {
    forecast.keys = predict_distinct(sample.counts, records).distinct_total;
    forecast.worker_keys = predict_distinct(sample.counts, each).distinct_total;
  }
  forecast.repeats = records / forecast.keys;
  return forecast;
}

}  // namespace mrc
