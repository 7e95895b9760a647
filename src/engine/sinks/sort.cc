// Makes rows with sort keys of records, and spills them as sorted runs when memory is short.
#include "engine/inner/ledger.h"
#include "engine/inner/live_answers.h"
#include "engine/inner/plan_steps.h"
#include "engine/inner/run.h"
#include "engine/sinks/live_copies.h"
#include "engine/sinks/partials.h"
#include "engine/sinks/worker_rows.h"
#include "rows/group_numbers.h"
#include "rows/record_rows.h"

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

Order order_of_records(const Program &program, const Plan &plan) {
  Order order = program.sort->order();
  order.limit = program.order.limit;
  order.common = plan.common_prefix;
  order.merge_tree = program.switches.merge_tree;
  return order;
}

// Returns the limit for the tables in which workers number groups, and for the one that all share.
i64 memory_of_groups(const Run &run) {
  constexpr i64 kLeast = i64{16} << 20;
  return std::max(run.plan.memory / 2, kLeast * (run.pool.size() + 1));
}

class SortSink : public StageSink, public RowProducts {
 public:
  explicit SortSink(Run *run)
      : RowProducts(run, {.order = order_of_records(run->program, run->plan),
                          .layout = run->program.sort->layout(),
                          .tmpdir = run->plan.tmpdir,
                          .share = run->worker_share()}) {}

  Status open() override {
    if (run_.program.numbers_groups()) {
      groups_.emplace(sources_with_units(run_.plan.sources), run_.pool.size(),
                      memory_of_groups(run_));
    }
    conduct_ = choose_conduct();
    if (run_.program.partial.is_wanted) partial_ = std::make_unique<PartialRows>(&run_, rows_);
    return conduct_->open();
  }
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override {
    std::unique_ptr<Hand> hand = conduct_->make_hand(worker, bad);
    return partial_ ? std::make_unique<NotingHand>(&partial_->piece(), std::move(hand))
                    : std::move(hand);
  }
  // Groups are numbered by first sight.
  bool claims_in_order() const override { return run_.program.numbers_groups(); }
  void begin(ChunkSource *source) override { conduct_->begin(source); }
  void stop() override {
    if (groups_) groups_->stop();
    conduct_->stop();
  }
  Status end(Report *) override { return conduct_->end(); }
  Status take_part(i64 worker, SealedPart part) override {
    return conduct_->take_part(worker, std::move(part));
  }
  void end_worker(i64 worker) override { conduct_->end_worker(worker); }
  Status reduce() override {
    if (conduct_->adopts()) return conduct_->adopt();
    if (!run_.program.partial.merged) return Status::ok();
    run_.timer.begin("load");
    return adopt_partials(&run_, &rows_);
  }
  Result<Answer> finish() override {
    Result<Answer> answer = answer_of(
        &rows_, make_record_formatter(run_.program.shape, rows_.layout(), record_header(run_)),
        &run_);
    return answer.is_ok() && partial_ ? partial_answer(std::move(*answer)) : std::move(answer);
  }

 private:
  std::unique_ptr<ChunkRows> make_rows_of(BadRecordSink *bad) override {
    return make_chunk_rows(*run_.program.sort, run_.program.map.fields, *run_.plan.scanner,
                           rows_.order(), run_.readers.get(), bad,
                           groups_ ? groups_->add_worker() : nullptr);
  }
  std::unique_ptr<Conduct> choose_conduct() {
    if (auto conduct = make_conduct(&run_, this)) return conduct;
    if (!run_.program.live.is_wanted()) return std::make_unique<PlainConduct>(this);
    return std::make_unique<Shown>(&run_, this, std::make_unique<LiveRows>(&run_, rows_));
  }

  Result<Answer> partial_answer(Answer answer) {
    if (Status status = partial_->piece().check(); !status.is_ok()) return status;
    const std::shared_ptr<RowSource> rows = std::move(answer.rows);
    return Answer{.write = [=, this](OutputFile *to) { return partial_->write(rows.get(), to); }};
  }

  std::optional<GroupNumbers> groups_;  // nothing: groups do not matter
  std::unique_ptr<Conduct> conduct_;
  std::unique_ptr<PartialRows> partial_;  // null: the answer is text
};

class SortStage : public Stage {
 public:
  explicit SortStage(const Program &program) : program_(program) {}

  i64 record_bytes() const override { return program_.sort->record_bytes; }
  bool can_start_over() const override { return program_.sort->fields.has_value(); }
  void plan(Plan *plan) const override {
    plan_sample(program_, *this, plan);
    if (program_.numbers_groups()) plan->common_prefix.clear();  // a sample has no numbers
    plan_order(program_, plan);
  }
  std::unique_ptr<Hand> make_sampler(const Plan &plan, Sample *sample,
                                     BadRecordSink *bad) const override {
    return make_row_sampler(program_.sort->layout(), program_.sort->order(), sample,
                            [&, bad](const Order &order) {
                              return make_chunk_rows(*program_.sort, program_.map.fields,
                                                     *plan.scanner, order, plan.readers.get(), bad);
                            });
  }
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override {
    return std::unique_ptr<StageSink>(std::make_unique<SortSink>(run));
  }

 private:
  const Program &program_;
};

}  // namespace

constinit const StageType kSortStage = make_stage_type<SortStage>("sort", Makes::records);

}  // namespace mrc
