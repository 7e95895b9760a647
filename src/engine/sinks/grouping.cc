// Map, group and combine: what MapReduce does with a chunk before the shuffle. After reduce, each
// key becomes a row.
#include "engine/sinks/grouping.h"

#include "engine/inner/plan_steps.h"
#include "engine/inner/row_collector.h"
#include "engine/sinks/group_conduct.h"
#include "engine/sinks/worker_rows.h"
#include "rows/order_key.h"

#include <algorithm>
#include <iterator>

namespace mrc {
namespace {

// Gives the columns of positions the names of this run.
Aggregation with_names(Aggregation aggregation, const PositionNames *names) {
  for (Column &column : aggregation.columns) {
    if (column.positions) column.context = names;
  }
  return aggregation;
}

// Returns a key with "total" in the first column, and empty in the others.
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

// Chooses the seed of a round. All workers use it, so that their groups can be merged.
Seed seed_of(const Program &program) { return program.seed ? *program.seed : Seed::random(); }

}  // namespace

// Appends the row of all groups together. It is last in any order, and does not count for --top.
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
      saved_(run, layout_),
      kept_(layout_, run_.plan.tmpdir, run_.plan.partition_bits, run_.worker_share() / 3),
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
  } else {  // composed keys do not have the common prefix
    order.column = -1;
    order.descending = false;
    layout = OrderKeyComposer::layout(layout_);
  }
  return {std::move(order), layout, &layout_, run_.plan.tmpdir, run_.worker_share()};
}

Status GroupingSink::open() {
  conduct_ = make_group_conduct(this);
  if (run_.program.partial.is_wanted) partial_ = std::make_unique<PartialGroups>(&run_, layout_);
  return conduct_->open();
}

void GroupingSink::begin(ChunkSource *source) {
  saved_.use(settings().overflow);
  conduct_->begin(source);
}

std::unique_ptr<Hand> GroupingSink::make_hand(i64 worker, BadRecordSink *bad) {
  std::unique_ptr<Hand> hand = conduct_->make_hand(worker, bad);
  return partial_ ? std::make_unique<NotingHand>(&partial_->piece(), std::move(hand))
                  : std::move(hand);
}

std::unique_ptr<Product> GroupingSink::make_product(i64 worker, BadRecordSink *bad,
                                                    PartFiles *files) {
  return std::make_unique<GroupProduct>(this, worker, bad, files);
}

Status GroupingSink::adopt(SavedParts others, SavedParts own) {
  std::ranges::move(own, std::back_inserter(others));
  return saved_.adopt(others, settings(), &outputs_);
}

Status GroupingSink::seal(TileProducts parts, u64 origin, SealedRun *run, SealedBlocks *written) {
  GroupOutputs outputs;
  for (const auto &part : parts) {
    outputs.push_back(std::move(static_cast<GroupTile *>(part.get())->output));
  }
  Status status = kept_.seal(std::move(outputs), origin, run, written);
  return status.is_ok() ? failure() : status;
}

Status GroupingSink::merge(std::span<const KeptStretch> tiles, u64 origin, SealedRun *run,
                           SealedBlocks *written) {
  Status status = kept_.merge(tiles, settings(), origin, run, written);
  return status.is_ok() ? failure() : status;
}

Status GroupingSink::load(std::span<const KeptStretch> tiles) {
  outputs_.clear();
  return kept_.load(tiles, saved_, settings(), &outputs_);
}

void GroupingSink::take_notes(Bytes notes) {
  if (!notes.empty()) names_.lines.add(&notes);
}

Status GroupingSink::take_output(i64 worker, std::unique_ptr<MapOutput> output,
                                 const LineTable &lines) {
  const std::lock_guard lock(run_.mutex);
  outputs_[static_cast<size_t>(worker)] = std::move(output);
  names_.lines.add(lines);
  return value_runs_.status();
}

// Adds the results of earlier runs and of other processes, which reduce takes, too.
Status GroupingSink::adopt_results() {
  if (!conduct_->adopts()) return Status::ok();
  Status status = conduct_->adopt();
  if (status.is_ok()) status = failure();
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

Status GroupingSink::end(Report *report) {
  if (Status status = conduct_->end(); !status.is_ok()) return status;
  if (Status status = stage_shared(); !status.is_ok()) return status;
  if (Status status = spill_the_rest(); !status.is_ok()) return status;
  partial_ ? partial_->piece().add(names_.lines) : names_.lines.seal();
  report->forecast = run_.plan.forecast;
  if (!conduct_->adopts()) count_outputs();
  return Status::ok();
}

void GroupingSink::count_outputs() {
  Report &report = run_.report;
  for (const auto &output : outputs_) {
    if (!output) continue;
    report.tables += output->groups.usage();
    if (!output->overflow) continue;
    if (output->overflow->is_adopted()) {  // it is a file with the groups of a worker
      report.tables.keys += output->overflow->spilled_records();
      continue;
    }
    report.staged_records += output->overflow->records();
    report.spilled_records += output->overflow->spilled_records();
    report.spilled_bytes += output->overflow->spilled_bytes();
  }
}

// If a worker has staged records, stages the shared partitions as well.
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

// If one worker has spilled, spills the output of all: groups in memory are merged as a whole, and
// reduce could not divide the records of their partitions.
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

// Frees what rows do not need before they are sorted, which takes half as much memory again.
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

// Makes the settings of workers from the plan, and the partitions that workers share.

GroupSettings GroupingSink::settings() const {
  const Program &program = run_.program;
  const Plan &plan = run_.plan;
  GroupSettings settings;
  settings.container = {plan.container,
                        layout_.state_bytes(),
                        {program.switches.prefetch, program.switches.fingerprint},
                        plan.expected_keys,
                        program.switches.buckets.value_or(0),
                        plan.forecast.shares,
                        plan.hot_bytes};
  settings.seed = seed_;
  settings.value_width = value_width();
  settings.borrowing = borrowing();
  settings.overflow.shape.raw_bytes =
      settings.borrowing == Borrowing::any ? 0 : 8 * settings.value_width;
  settings.overflow.shape.state_bytes = layout_.state_bytes();
  settings.overflow.partition_bits = plan.partition_bits;
  settings.overflow.seed = seed_;
  settings.overflow.tmpdir = plan.tmpdir;
  settings.rules = {program.switches.drift, program.switches.bypass, plan.few_hits};
  settings.hot_bytes = plan.hot_bytes;
  settings.memory_bytes = run_.worker_share();
  settings.eager = program.switches.eager;
  settings.reuse = program.switches.reuse;
  return settings;
}

GroupSettings GroupingSink::settings_of(i64 worker) {
  const Plan &plan = run_.plan;
  GroupSettings all = settings();
  conduct_->adjust(&all);
  // Groups of worker processes are saved in the order of their hashes. Tables that load them need
  // another seed, else all keys would go to the front of a table. Partitions are reduced as they
  // were saved, and need one seed.
  const bool is_loaded = run_.program.isolation.is_wanted && !saved_.by_partitions();
  if (is_loaded) all.seed = all.overflow.seed = Seed::random();
  if (plan.most_shared_bytes == 0 || !conduct_->shares_partitions()) return all;
  const auto group = static_cast<size_t>(plan.places[static_cast<size_t>(worker)].group);
  const std::lock_guard lock(run_.mutex);
  while (shared_.size() <= group) {
    shared_.push_back(std::make_unique<SharedPartitions>(
        layout_, plan.partition_bits, static_cast<i64>(plan.forecast.keys), plan.forecast.shares));
  }
  all.shared = shared_[group].get();
  all.most_shared_bytes = plan.most_shared_bytes / plan.topology.size();
  all.first_partition = worker * all.shared->count() / run_.pool.size();
  all.memory_bytes -= std::min(all.memory_bytes / 2, plan.most_shared_bytes / plan.workers);
  all.rules.drift = false;  // records that miss the table are shared
  return all;
}

}  // namespace mrc
