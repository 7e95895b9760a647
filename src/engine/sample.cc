#include "engine/sample.h"

#include "engine/common_prefix.h"
#include "engine/sample_pieces.h"
#include "engine/scan.h"
#include "map/emitter.h"
#include "rows/keyed_records.h"

#include <memory>

namespace mrc {
namespace {

constexpr i64 kWorthSampling = i64{32} << 20;

// Keeps of keys what the sample tells.
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
      sample_->key_bytes += static_cast<i64>(key.size());
      prefix_.add(key);
    }
  }

  Sample *sample_;
  KeySample keys_;
  CommonPrefix prefix_;
};

// What is bad is not reported here: the job meets it again.
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

// Keys of records that are to be grouped.
class KeyHand : public Hand {
 public:
  KeyHand(const Job &job, const Plan &plan, Sample *sample, BadRecordSink *bad)
      : keys_(sample),
        emitter_(std::make_unique<Emitter>(&keys_, kFixedSeed, job.map.value_width())),
        mapper_(make_mapper(job.map, *plan.scanner, plan.readers.get(), bad)) {}

  void begin_unit(const Unit &) override { keys_.begin_piece(); }
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

// Sort keys of records.
class SortKeyHand : public Hand {
 public:
  SortKeyHand(const Job &job, const Plan &plan, Sample *sample, BadRecordSink *bad)
      : sample_(*sample),
        layout_(job.sort->layout()),
        order_(job.sort->order()),
        store_(layout_, KeyBytes::copied),
        rows_(make_chunk_rows(*job.sort, job.map.fields, *plan.scanner, order_, plan.readers.get(),
                              bad)) {}

  Status take(const Chunk &chunk, i64 *records) override {
    *records += rows_->add(chunk, &store_);
    for (const Row &row : store_.rows()) {
      const Bytes key = layout_.key(row);
      sample_.key_bytes += static_cast<i64>(key.size());
      prefix_.add(key);
    }
    store_.clear();
    return Status::ok();
  }
  Status seal(bool) override {
    sample_.common_prefix = prefix_.bytes();
    return Status::ok();
  }

 private:
  Sample &sample_;
  const RowLayout layout_;
  const Order order_;
  RowStore store_;
  std::unique_ptr<ChunkRows> rows_;
  CommonPrefix prefix_;
};

class SampleSink : public Sink {
 public:
  SampleSink(const Job &job, const Plan &plan, Sample *sample)
      : job_(job), plan_(plan), sample_(sample) {}

  std::unique_ptr<Hand> make_hand(i64, BadRecordSink *bad) override {
    if (job_.sort) return std::make_unique<SortKeyHand>(job_, plan_, sample_, bad);
    return std::make_unique<KeyHand>(job_, plan_, sample_, bad);
  }

 private:
  const Job &job_;
  const Plan &plan_;
  Sample *sample_;
};

}  // namespace

bool worth_sampling(const Job &job, const Plan &plan) {
  // A plugin gets each record once.
  if (job.plugin && job.plugin->maps()) return false;
  return job.switches.sample != Sampling::off && job.answer != Job::Answer::estimate &&
         plan.streams == 0 && plan.input_bytes > kWorthSampling;
}

Sample take_sample(const Job &job, const Plan &plan) {
  Sample sample;
  const std::unique_ptr<ChunkSource> pieces = make_pieces(job, plan, &sample);
  SampleSink sink(job, plan, &sample);
  SampleWatch watch(&sample);
  WorkerPool alone(1);
  static_cast<void>(scan(pieces.get(), &sink, &watch, &alone));  // what fails here fails again
  sample.share = static_cast<double>(sample.bytes) / static_cast<double>(plan.input_bytes);
  return sample;
}

Forecast foretell(const Job &job, const Sample &sample, i64 workers) {
  if (sample.counts.keys() == 0) return {};
  const double records = static_cast<double>(sample.records) / sample.share;
  const double each = records / static_cast<double>(workers);
  Forecast forecast;
  forecast.records = records;
  for (size_t i = 0; i < forecast.shares.size(); ++i) {
    forecast.shares[i] =
        static_cast<double>(sample.of_class[i]) / static_cast<double>(sample.records);
  }
  if (job.switches.sample == Sampling::head) {  // as Metis has it
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
