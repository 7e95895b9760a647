// The map phase: workers claim splits, and what they make of the chunks depends on the
// job: groups, rows, a sketch, or the word that all is in order.
#include "engine/chunk_loop.h"
#include "engine/distinct_sketch.h"
#include "engine/map_worker.h"
#include "engine/plan_topology.h"
#include "engine/record_input.h"
#include "engine/run.h"
#include "rows/keyed_records.h"
#include "split/split.h"

#include <algorithm>
#include <barrier>

namespace mrc {
namespace {

// What a worker maps records with.
struct RecordMapping {
  RecordMapping(const Run &run, const RecordInput &input)
      : notes(input.begin_notes()), mapper(make(run, notes.bad.get())) {}

  static std::unique_ptr<Mapper> make(const Run &run, BadRecordSink *bad) {
    if (run.job.plugin && run.job.plugin->maps()) {
      return run.job.plugin->make_mapper({.scanner = *run.plan.scanner,
                                          .inputs = run.input_views,
                                          .terminator = run.job.map.terminator,
                                          .splits = run.own_splits.get(),
                                          .bad = run.round == 0 ? bad : nullptr});
    }
    return make_mapper(run.job.map, *run.plan.scanner, run.plan.readers.get(), bad);
  }

  RecordInput::Notes notes;
  std::unique_ptr<Mapper> mapper;
};

class MapPhase {
 public:
  explicit MapPhase(Run *run)
      : run_(*run),
        input_(run),
        seed_(run_.job.seed ? *run_.job.seed : Seed::random()),
        tile_barrier_(run_.plan.workers) {}

  Status go();

 private:
  Status work(i64 worker);
  Status map(i64 worker);
  Status map_groups(i64 worker);
  Status map_rows(i64 worker);
  Status map_sketch(i64 worker);
  Status check_order(i64 worker);
  MapSettings settings() const;
  void end_tile(MapWorker *mapping);
  Status spill_the_rest();
  i64 most_window_bytes() const;
  // Else a plugin finds them in bytes.
  bool counts_records() const {
    return !run_.job.plugin || run_.job.plugin->functions().shape < MRC_BYTES;
  }
  void describe_outputs();

  Run &run_;
  RecordInput input_;
  Seed seed_;
  SplitQueue *queue_ = nullptr;
  std::optional<ChunkLoop> chunks_;
  i64 unread_sources_ = 0;
  std::barrier<> tile_barrier_;  // where tiles do not overlap
};

Status MapPhase::go() {
  if (run_.own_splits) {
    if (Status status = run_.own_splits->begin_round(); !status.is_ok()) return status;
  }
  std::vector<Split> splits = run_.plan.splits;
  Shares shares = run_.plan.shares;
  if (run_.plan.by_pages) deal_by_pages(run_.plan, &splits, &shares);
  auto complain = [this](const Source &, const Status &what) {
    std::lock_guard lock(run_.mutex);
    ++unread_sources_;
    if (run_.complaints.insert(what.message()).second) run_.observer->complain(what.message());
  };
  Result<std::unique_ptr<QuotedCuts>> quoted = input_.scan_quotes(splits);
  if (!quoted.is_ok()) return quoted.status();
  SplitQueue queue(run_.plan.sources, std::move(splits), cuts_of(run_.job), complain,
                   std::move(shares), quoted->get(), most_window_bytes());
  queue_ = &queue;
  chunks_.emplace(&run_, &queue);
  input_.attach(&queue);
  const i64 workers = run_.pool.size();
  run_.stores.resize(static_cast<size_t>(workers));
  if (!run_.job.sort && run_.job.answer != Job::Answer::estimate) {
    run_.outputs.resize(static_cast<size_t>(workers));
  }
  Status status = run_.pool.run(workers, [this](i64 worker) { return work(worker); });
  if (status.is_ok()) status = spill_the_rest();

  run_.names.values = run_.job.map.values;
  run_.names.sources = run_.plan.sources;
  run_.names.lines.seal();
  Report &report = run_.report;
  report.workers = workers;
  report.packed_bytes = queue.packed_bytes();
  report.partial = report.partial || !run_.plan.unreadable.empty() || unread_sources_ > 0;
  report.unread = report.bytes == 0 && unread_sources_ == std::ssize(run_.plan.sources);
  if (run_.round == 0 && counts_records()) report.read_records = report.records;
  if (status.is_ok()) status = input_.finish();
  if (status.is_ok()) describe_outputs();
  return status;
}

// A quarter of the memory, and some of what is allowed beside it, is for the windows of
// decompressors. One that takes more than its share has to be the only such one.
i64 MapPhase::most_window_bytes() const {
  constexpr i64 kBeside = i64{16} << 20;
  return (run_.plan.memory / 4 + kBeside) / run_.pool.size();
}

Status MapPhase::work(i64 worker) {
  Status status = guarded([&] { return map(worker); });
  if (!status.is_ok()) {
    queue_->cancel();
    if (run_.own_splits) run_.own_splits->cancel();
  }
  tile_barrier_.arrive_and_drop();
  return status;
}

Status MapPhase::map(i64 worker) {
  Status status = bind(run_.plan.places[static_cast<size_t>(worker)]);
  if (!status.is_ok()) return status;
  if (run_.job.answer == Job::Answer::estimate) return map_sketch(worker);
  if (run_.only_checks()) return check_order(worker);
  return run_.job.sort ? map_rows(worker) : map_groups(worker);
}

MapSettings MapPhase::settings() const {
  const Job &job = run_.job;
  const Plan &plan = run_.plan;
  MapSettings settings;
  settings.container = {job.container,
                        run_.layout.state_bytes(),
                        {job.switches.prefetch, job.switches.fingerprint},
                        plan.expected_keys,
                        plan.forecast.shares};
  settings.seed = seed_;
  settings.value_width = job.plugin ? job.plugin->value_width() : job.map.value_width();
  settings.values_borrow = job.plugin ? job.plugin->values_borrow() : job.map.values_borrow();
  settings.stage.shape.raw_bytes = settings.values_borrow ? 0 : 8 * settings.value_width;
  settings.stage.shape.state_bytes = run_.layout.state_bytes();
  settings.stage.partition_bits = plan.partition_bits;
  settings.stage.seed = seed_;
  settings.stage.tmpdir = plan.tmpdir;
  settings.rules = {job.switches.drift, job.switches.bypass};
  settings.hot_bytes = plan.hot_bytes;
  settings.memory_bytes = run_.worker_share();
  settings.tile_bytes = plan.tile_bytes / run_.pool.size();
  settings.eager = job.switches.eager;
  settings.reuse = job.switches.reuse;
  return settings;
}

Status MapPhase::map_groups(i64 worker) {
  // Made by the worker itself, so that its memory is near it. On the heap: batches
  // are larger than a stack should hold.
  auto mapping = std::make_unique<MapWorker>(run_.layout, settings());
  RecordMapping records_of(run_, input_);
  LineTable lines;
  Status status = chunks_->each(worker, [&](const Chunk &chunk, i64 *records) {
    if (run_.job.map.values == MapSpec::Values::line) lines.add(chunk, run_.job.map.terminator);
    Status prepared = input_.note(chunk, &records_of.notes);
    if (!prepared.is_ok()) return prepared;
    *records += mapping->map(records_of.mapper.get(), chunk);
    if (plugin_failed()) return plugin_status();
    if (mapping->tile_is_mapped()) end_tile(mapping.get());
    if (Status relieved = mapping->relieve(); !relieved.is_ok()) return relieved;
    return run_.value_runs.status();
  });
  input_.collect(&records_of.notes);
  mapping->finish_mapper(records_of.mapper.get());
  if (status.is_ok() && plugin_failed()) status = plugin_status();
  if (!status.is_ok()) return status;
  Result<std::unique_ptr<MapOutput>> output = mapping->finish();
  if (!output.is_ok()) return output.status();
  if (status = run_.value_runs.status(); !status.is_ok()) return status;
  std::lock_guard lock(run_.mutex);
  run_.outputs[static_cast<size_t>(worker)] = std::move(*output);
  run_.names.lines.add(lines);
  return status;
}

// The partial reduce of a tile overlaps the map of the next one, of other workers;
// without the pipeline all wait for the last one, before and after.
void MapPhase::end_tile(MapWorker *mapping) {
  if (!run_.job.switches.pipeline) tile_barrier_.arrive_and_wait();
  mapping->end_tile();
  if (!run_.job.switches.pipeline) tile_barrier_.arrive_and_wait();
}

// If one worker has spilled, all do: groups in memory are merged as a whole, and reduce could
// not divide the records of their partitions.
Status MapPhase::spill_the_rest() {
  auto has_spilled = [](const auto &output) {
    return output && output->stage && output->stage->spilled_records() > 0;
  };
  if (std::none_of(run_.outputs.begin(), run_.outputs.end(), has_spilled)) return Status::ok();
  return run_.pool.run(run_.pool.size(), [&](i64 worker) {
    std::unique_ptr<MapOutput> &output = run_.outputs[static_cast<size_t>(worker)];
    if (!output || has_spilled(output)) return Status::ok();
    return spill_all(run_.layout, settings().stage, &output);
  });
}

Status MapPhase::map_rows(i64 worker) {
  auto store = std::make_unique<RowStore>(run_.row_layout, KeyBytes::copied);
  RecordInput::Notes notes = input_.begin_notes();
  const std::unique_ptr<ChunkRows> rows_of =
      make_chunk_rows(*run_.job.sort, run_.job.map.fields, *run_.plan.scanner, run_.order,
                      run_.plan.readers.get(), notes.bad.get());
  Status status = chunks_->each(worker, [&](const Chunk &chunk, i64 *records) {
    Status prepared = input_.note(chunk, &notes);
    if (!prepared.is_ok()) return prepared;
    *records += rows_of->add(chunk, store.get());
    return run_.spill_if_large(store.get());
  });
  input_.collect(&notes);
  run_.stores[static_cast<size_t>(worker)] = std::move(store);
  return status;
}

// Nothing is grouped: the hashes of keys go into a sketch, and that is all there is.
Status MapPhase::map_sketch(i64 worker) {
  auto sketch = std::make_unique<DistinctSketch>(seed_);
  RecordMapping records_of(run_, input_);
  Status status = chunks_->each(worker, [&](const Chunk &chunk, i64 *records) {
    Status prepared = input_.note(chunk, &records_of.notes);
    if (prepared.is_ok()) *records += sketch->map(records_of.mapper.get(), chunk);
    return prepared;
  });
  input_.collect(&records_of.notes);
  std::lock_guard lock(run_.mutex);
  run_.sketch.merge(sketch->keys());
  return status;
}

Status MapPhase::check_order(i64 worker) {
  const SortSpec &spec = *run_.job.sort;
  RecordInput::Notes notes = input_.begin_notes();
  std::unique_ptr<KeyedRecords> fields;
  if (spec.fields) {
    fields = std::make_unique<KeyedRecords>(*spec.fields, run_.job.map.fields, *run_.plan.readers,
                                            notes.bad.get());
  }
  OrderCheck check(spec, &run_.least_disorder, fields.get());
  Status status = chunks_->each(worker, [&](const Chunk &chunk, i64 *records) {
    Status prepared = input_.note(chunk, &notes);
    if (!prepared.is_ok()) return prepared;
    *records += check.add(chunk);
    const u64 least = run_.least_disorder;
    if (check.found() && queue_->all_claimed_before(source_of(least))) queue_->cancel();
    return Status::ok();
  });
  input_.collect(&notes);
  std::lock_guard lock(run_.mutex);
  if (!run_.order_check) run_.order_check.emplace(spec, &run_.least_disorder);
  run_.order_check->add(&check);
  return status;
}

void MapPhase::describe_outputs() {
  Report &report = run_.report;
  report.forecast = run_.plan.forecast;
  for (const auto &output : run_.outputs) {
    if (!output) continue;
    report.tables += output->groups.usage();
    if (!output->stage) continue;
    report.staged_records += output->stage->records();
    report.spilled_records += output->stage->spilled_records();
    report.spilled_bytes += output->stage->spilled_bytes();
  }
}

}  // namespace

Status map_phase(Run *run) { return MapPhase(run).go(); }

}  // namespace mrc
