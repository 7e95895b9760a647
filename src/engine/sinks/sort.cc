// Records become rows with sort keys, which are spilled as sorted runs when memory is short.
#include "engine/common_prefix.h"
#include "engine/plan_keys.h"
#include "engine/run.h"
#include "engine/sample.h"
#include "engine/sinks/checkpoint_rows.h"
#include "engine/sinks/partial_rows.h"
#include "engine/sinks/tile_share.h"
#include "engine/sinks/written_rows.h"
#include "rows/key_ranges.h"
#include "rows/keyed_records.h"

namespace mrc {
namespace {

Order order_of(const Program &program, const Plan &plan) {
  Order order = program.sort->order();
  order.limit = program.order.limit;
  order.common = plan.common_prefix;
  order.merge_tree = program.switches.merge_tree;
  return order;
}

class SortSink : public StageSink {
 public:
  explicit SortSink(Run *run)
      : run_(*run),
        rows_({.order = order_of(run->program, run->plan),
               .layout = run->program.sort->layout(),
               .tmpdir = run->plan.tmpdir,
               .share = run->worker_share()},
              run->pool.size()) {}

  Status open() override {
    if (run_.plan.checkpoint) checkpoints_ = std::make_unique<CheckpointRows>(&run_, &rows_);
    if (run_.program.partial.is_wanted) partial_ = std::make_unique<PartialRows>(&run_, rows_);
    return Status::ok();
  }
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  Status reduce() override {
    if (!checkpoints_ && !run_.program.partial.merged) return Status::ok();
    run_.timer.begin("load");
    return checkpoints_ ? checkpoints_->load() : adopt_partials(&run_, &rows_);
  }
  Result<Answer> finish() override {
    Result<Answer> answer = answer_of(
        &rows_, make_record_formatter(run_.program.shape, rows_.layout(), record_header(run_)),
        &run_);
    return answer.is_ok() && partial_ ? partial_answer(std::move(*answer)) : std::move(answer);
  }

 private:
  class RowHand;
  class SavingHand;

  Result<Answer> partial_answer(Answer answer) {
    if (Status status = partial_->piece().check(); !status.is_ok()) return status;
    const std::shared_ptr<RowSource> rows = std::move(answer.rows);
    return Answer{.write = [=, this](OutputFile *to) { return partial_->write(rows.get(), to); }};
  }

  Run &run_;
  OrderedRows rows_;
  std::unique_ptr<CheckpointRows> checkpoints_;  // null: none are made
  std::unique_ptr<PartialRows> partial_;         // null: the answer is text
};

class SortSink::RowHand : public Hand {
 public:
  RowHand(SortSink *sink, i64 worker, BadRecordSink *bad)
      : rows_(sink->rows_),
        worker_(worker),
        store_(std::make_unique<RowStore>(rows_.layout(), KeyBytes::copied)),
        rows_of_(make_chunk_rows(*sink->run_.program.sort, sink->run_.program.map.fields,
                                 *sink->run_.plan.scanner, rows_.order(), sink->run_.readers.get(),
                                 bad)) {}

  Status take(const Chunk &chunk, i64 *records) override {
    *records += rows_of_->add(chunk, store_.get());
    return relieve();
  }

  Status seal(bool) override {
    rows_.add(worker_, std::move(store_));
    return Status::ok();
  }

 protected:
  virtual Status relieve() { return rows_.relieve(store_.get()); }
  RowStore *store() { return store_.get(); }

  OrderedRows &rows_;

 private:
  const i64 worker_;
  std::unique_ptr<RowStore> store_;
  std::unique_ptr<ChunkRows> rows_of_;
};

// Saves its rows at the end of each tile. Those of the last tile may stay in memory.
class SortSink::SavingHand : public RowHand {
 public:
  SavingHand(SortSink *sink, i64 worker, std::unique_ptr<TileShare> share)
      : RowHand(sink, worker, share->bad()),
        saves_(*sink->checkpoints_),
        share_(std::move(share)) {}

  Status begin_unit(const Unit &unit) override {
    return share_->begin_unit(unit, [this] { return leave_tile(); });
  }

  Status take(const Chunk &chunk, i64 *records) override {
    const i64 before = *records;
    Status status = RowHand::take(chunk, records);
    share_->add(chunk, *records - before);
    return status;
  }

 private:
  Status relieve() override {
    return rows_.is_large(store()) ? saves_.make_room(store(), &part_) : Status::ok();
  }

  Status leave_tile() {
    Result<std::shared_ptr<StatePart>> part = saves_.take(store(), &part_);
    if (part.is_ok()) {
      share_->leave(std::move(*part), true);
    } else {
      saves_.checkpoints().fail(part.status());
    }
    return Status::ok();
  }

  CheckpointRows &saves_;
  const std::unique_ptr<TileShare> share_;
  CheckpointRows::Part part_;  // of the tile
};

std::unique_ptr<Hand> SortSink::make_hand(i64 worker, BadRecordSink *bad) {
  if (partial_) {
    return std::make_unique<NotingHand<RowHand>>(&partial_->piece(), this, worker, bad);
  }
  if (!checkpoints_) return std::make_unique<RowHand>(this, worker, bad);
  auto share = std::make_unique<TileShare>(&run_, &checkpoints_->checkpoints(), worker, bad);
  return std::make_unique<SavingHand>(this, worker, std::move(share));
}

// Sort keys of records.
class SortKeyHand : public Hand {
 public:
  SortKeyHand(const Program &program, const Plan &plan, Sample *sample, BadRecordSink *bad)
      : sample_(*sample),
        layout_(program.sort->layout()),
        order_(program.sort->order()),
        store_(layout_, KeyBytes::copied),
        rows_(make_chunk_rows(*program.sort, program.map.fields, *plan.scanner, order_,
                              plan.readers.get(), bad)) {}

  Status take(const Chunk &chunk, i64 *records) override {
    *records += rows_->add(chunk, &store_);
    for (const Row &row : store_.rows()) {
      const Bytes key = layout_.key(row);
      sample_.key_bytes += static_cast<i64>(key.size());
      prefix_.add(key);
      if (sample_.splitters) sample_.splitters->push_back(splitter_at(row, layout_));
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

class SortStage : public Stage {
 public:
  explicit SortStage(const Program &program) : program_(program) {}

  i64 record_bytes() const override { return program_.sort->record_bytes; }
  void plan(Plan *plan) const override {
    plan_sample(program_, *this, plan);
    plan_order(program_, plan);
  }
  std::unique_ptr<Hand> make_sampler(const Plan &plan, Sample *sample,
                                     BadRecordSink *bad) const override {
    return std::make_unique<SortKeyHand>(program_, plan, sample, bad);
  }
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override {
    return std::unique_ptr<StageSink>(std::make_unique<SortSink>(run));
  }

 private:
  const Program &program_;
};

}  // namespace

constinit const StageType kSortStage = make_stage_type<SortStage>("sort");

}  // namespace mrc
