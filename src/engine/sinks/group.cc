// Map, group and combine: what MapReduce does with a chunk before the shuffle. What becomes of it
// after reduce: rows, one for each key.
#include "engine/plan_keys.h"
#include "engine/row_collector.h"
#include "engine/sinks/group_stage.h"
#include "engine/sinks/grouping.h"
#include "engine/sinks/sampled_keys.h"
#include "engine/sinks/written_rows.h"
#include "kept/merge_partials.h"
#include "rows/order_key.h"

#include <algorithm>

namespace mrc {
namespace {

// Gives positions the names of this run.
Aggregation with_names(Aggregation aggregation, const PositionNames *names) {
  for (Column &column : aggregation.columns) {
    if (column.positions) column.context = names;
  }
  return aggregation;
}

// "total" in the first column, nothing in the others.
std::string key_of_total(const KeyShape &shape) {
  const char *part = "total";
  if (shape.is_plain()) return part;
  std::string key;
  for (const KeyPart &each : shape.parts) {
    append_key_part(each, part, &key);
    part = "";
  }
  return key;
}

// Of one round: the same for all workers, so that what they make can be merged.
Seed seed_of(const Program &program) { return program.seed ? *program.seed : Seed::random(); }

}  // namespace

// The row of all groups together is the last, whatever the order, and not one of --top.
class GroupingSink::LastRow : public RowStep {
 public:
  explicit LastRow(const GroupingSink &sink) : store_(sink.rows_->layout(), KeyBytes::copied) {
    sink.add_total_row(sink.rows_->order(), sink.total_->state(), &store_);
  }

  std::unique_ptr<RowSource> apply(std::unique_ptr<RowSource> rows) override {
    return rows_and_last(std::move(rows), store_.rows());
  }

 private:
  RowStore store_;
};

void GroupingSink::add_total_row(const Order &order, const State *state, RowStore *store) const {
  const KeyShape &key = run_.program.shape.key;
  RowCollector collector(layout_, key, order, store);
  const std::string total = key_of_total(key);
  collector.take(total, state);
  collector.flush();
}

GroupingSink::GroupingSink(Run *run, Aggregation aggregation, Order order)
    : run_(*run),
      value_runs_(run_.plan.tmpdir, run_.worker_share()),
      layout_(with_names(std::move(aggregation), &names_), &value_runs_),
      rows_(std::make_unique<OrderedRows>(rows_in(std::move(order)), run_.pool.size())),
      outputs_(static_cast<size_t>(run_.pool.size())),
      seed_(seed_of(run_.program)) {
  names_.values = run_.program.map.values;
  names_.sources = run_.plan.sources;
}

void GroupingSink::forget() {
  rows_->clear();
  for (auto &output : outputs_) output.reset();
  shared_.clear();
  tiles_.clear();
  runs_.reset();
  outputs_.resize(static_cast<size_t>(run_.pool.size()));
  run_.report.keys = 0;
  run_.report.tables = {};
  seed_ = seed_of(run_.program);
}

OrderedRows::Spec GroupingSink::rows_in(Order order) const {
  const Program &program = run_.program;
  order.merge_tree = program.switches.merge_tree;
  RowLayout layout{.state_bytes = layout_.state_bytes()};
  if (!order.composes()) {
    order.common = run_.plan.common_prefix;
  } else {  // composed keys begin with something else
    order.column = -1;
    order.descending = false;
    layout = OrderKeyComposer::layout(layout_);
  }
  return {std::move(order), layout, &layout_, run_.plan.tmpdir, run_.worker_share()};
}

Status GroupingSink::open() {
  if (run_.plan.checkpoint) checkpoints_ = std::make_unique<CheckpointGroups>(&run_, layout_);
  if (run_.program.isolation.is_wanted) {
    isolated_ = std::make_unique<IsolatedGroups>(&run_, layout_);
  }
  const PartialSpec &partial = run_.program.partial;
  if (partial.is_wanted) {
    partial_ = std::make_unique<PartialGroups>(&run_, layout_.aggregation());
  }
  if (partial.merged) {
    for (const PartialPiece &piece : partial.merged->whole.pieces) {
      for (const auto &[position, ends] : piece.lines) names_.lines.add(position, ends);
    }
  }
  if (!run_.plan.state) return Status::ok();
  kept_ = std::make_unique<KeptGroups>(&run_, layout_.aggregation());
  return kept_->open(layout_);
}

// What is reduced is what is kept: that of this run and of all before.
Status GroupingSink::take_kept() {
  run_.timer.begin("seal");
  Status status = kept_->keep(layout_, settings(), [this] { return failure(); });
  if (!status.is_ok()) return status;
  run_.timer.begin("load");
  Result<std::vector<std::unique_ptr<MapOutput>>> outputs = kept_->load(layout_, settings());
  if (!outputs.is_ok()) return outputs.status();
  outputs_ = std::move(*outputs);
  if (status = spill_the_rest(); !status.is_ok()) return status;
  count_outputs();
  return Status::ok();
}

// What is reduced is what is in memory, and what had to leave it at a checkpoint.
Status GroupingSink::take_saved() {
  run_.timer.begin("load");
  Status status = checkpoints_->load(settings(), &outputs_);
  if (status.is_ok()) status = failure();
  if (status.is_ok()) status = spill_the_rest();
  if (status.is_ok()) count_outputs();
  return status;
}

Status GroupingSink::take_part(i64 worker, SealedPart part) {
  Bytes lines = part.notes;
  if (!lines.empty()) names_.lines.add(&lines);
  return isolated_->take(worker, std::move(part), settings());
}

Status GroupingSink::take_isolated() {
  run_.timer.begin("load");
  Status status = isolated_->load(settings(), &outputs_);
  if (status.is_ok()) status = failure();
  if (status.is_ok()) status = spill_the_rest();
  if (status.is_ok()) count_outputs();
  return status;
}

// What is reduced is what other processes have made.
Status GroupingSink::take_merged() {
  run_.timer.begin("load");
  Result<std::vector<std::unique_ptr<MapOutput>>> outputs =
      load_partials(&run_, layout_, settings());
  if (!outputs.is_ok()) return outputs.status();
  outputs_ = std::move(*outputs);
  Status status = failure();
  if (status.is_ok()) status = spill_the_rest();
  if (status.is_ok()) count_outputs();
  return status;
}

Status GroupingSink::failure() const {
  return run_.plugins.failed() ? run_.plugins.status() : value_runs_.status();
}

std::unique_ptr<Mapper> GroupingSink::make_mapper(BadRecordSink *bad) const {
  return mrc::make_mapper(run_.program.map, *run_.plan.scanner, run_.readers.get(), bad);
}

std::unique_ptr<GroupFilter> GroupingSink::make_filter(GroupSink *to, ResultFaults *faults) const {
  if (!run_.program.having) return nullptr;
  return std::make_unique<HavingFilter>(*run_.program.having, layout_, to, faults);
}

std::unique_ptr<Formatter> GroupingSink::make_formatter(const RowShape &shape,
                                                        const RowLayout &rows) const {
  if (shape.records_part < 0) return mrc::make_formatter(shape, layout_, rows);
  RowShape of_records = shape;
  of_records.record_header = record_header(run_);
  return mrc::make_formatter(of_records, layout_, rows);
}

void GroupingSink::begin(ChunkSource *source) {
  if (run_.program.live.is_wanted()) begin_live(source);
  if (reduces_runs()) runs_ = std::make_unique<EagerReducer>(layout_, eager_spec());
  if (run_.plan.tile_bytes == 0) return;
  for (i64 group = 0; group < run_.plan.topology.size(); ++group) {
    tiles_.push_back(std::make_unique<TileReducer>(layout_, tile_spec()));
  }
}

void GroupingSink::stop() {
  if (live_) live_->stop();
  if (runs_) runs_->stop();
  for (const auto &tiles : tiles_) tiles->stop();
}

void GroupingSink::end_tiles() {
  for (const auto &tiles : tiles_) {
    shared_.push_back(tiles->finish(&outputs_));
    run_.report.tiles += tiles->counts();
  }
  tiles_.clear();
}

// Whatever else takes what workers have made before the input ends has to find all of it with
// them, and tiles have runs of their own.
bool GroupingSink::reduces_runs() const {
  return run_.program.switches.runs != EagerRuns::wait && run_.plan.tile_bytes == 0 && !kept_ &&
         !checkpoints_ && !live_ && !isolated_;
}

Status GroupingSink::end_runs() {
  if (!runs_) return Status::ok();
  Status status = runs_->finish(&outputs_);
  run_.report.eager = runs_->counts();
  runs_.reset();
  return status.is_ok() ? failure() : status;
}

Status GroupingSink::end(Report *report) {
  if (live_) live_->finish();
  end_tiles();
  if (Status status = end_runs(); !status.is_ok()) return status;
  if (Status status = stage_shared(); !status.is_ok()) return status;
  if (Status status = spill_the_rest(); !status.is_ok()) return status;
  partial_ ? partial_->piece().add(names_.lines) : names_.lines.seal();
  report->forecast = run_.plan.forecast;
  if (!kept_ && !checkpoints_ && !isolated_) count_outputs();
  return Status::ok();
}

void GroupingSink::count_outputs() {
  Report &report = run_.report;
  for (const auto &output : outputs_) {
    if (!output) continue;
    report.tables += output->groups.usage();
    if (!output->overflow) continue;
    if (output->overflow->is_adopted()) {  // groups of a worker, as a file
      report.tables.keys += output->overflow->spilled_records();
      continue;
    }
    report.staged_records += output->overflow->records();
    report.spilled_records += output->overflow->spilled_records();
    report.spilled_bytes += output->overflow->spilled_bytes();
  }
}

// If one worker has had to stage what it had, nothing stays in partitions that are shared.
Status GroupingSink::stage_shared() {
  for (const auto &shared : shared_) run_.report.shared_records += shared->records();
  const auto staged = std::ranges::find_if(
      outputs_, [](const auto &output) { return output && output->has_staged_records(); });
  if (staged == outputs_.end()) return Status::ok();
  for (const auto &shared : shared_) {
    if (!shared->close()) continue;
    Status status = shared->stage((*staged)->overflow.get(), run_.worker_share() / 4);
    if (!status.is_ok()) return status;
  }
  shared_.clear();
  return Status::ok();
}

// If one worker has spilled, all do: groups in memory are merged as a whole, and reduce could
// not divide the records of their partitions.
Status GroupingSink::spill_the_rest() {
  auto has_spilled = [](const auto &output) {
    return output && output->overflow && output->overflow->spilled_records() > 0;
  };
  if (std::none_of(outputs_.begin(), outputs_.end(), has_spilled)) return Status::ok();
  return run_.pool.run_each(std::ssize(outputs_), [&](i64 i) {
    std::unique_ptr<MapOutput> &output = outputs_[static_cast<size_t>(i)];
    if (!output || has_spilled(output)) return Status::ok();
    return spill_all(layout_, settings().overflow, &output);
  });
}

// Sorting takes half as much again as the rows: what they do not need goes first.
Result<Answer> GroupingSink::finish() {
  if (partial_) {
    if (Status status = partial_->piece().check(); !status.is_ok()) return status;
    return Answer{.write = [this](OutputFile *to) { return partial_->write(to); }};
  }
  if (run_.program.counts_rows) return answer_of(run_.report.keys, &run_);
  if (staged_ && layout_.is_flat()) outputs_.clear();
  Result<Answer> answer =
      answer_of(rows_.get(), make_formatter(run_.program.shape, rows_->layout()), &run_, sorted());
  if (!answer.is_ok()) return answer;
  if (rows_->on_disk()) outputs_.clear();
  if (total_) answer->steps.push_back(std::make_unique<LastRow>(*this));
  return answer;
}

Status GroupingSink::close() {
  run_.report.spilled_values = value_runs_.values();
  run_.report.spilled_value_bytes = value_runs_.bytes();
  return value_runs_.status();
}

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

constinit const StageType kGroupStage = make_stage_type<GroupStage>("group");

}  // namespace mrc
