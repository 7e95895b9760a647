// Map, group and combine: what MapReduce does with a chunk before the shuffle.
#include "engine/line_table.h"
#include "engine/sinks/group_worker.h"
#include "engine/sinks/mapped_records.h"
#include "engine/sinks/sinks.h"

#include <algorithm>

namespace mrc {
namespace {

class GroupingSink : public Sink {
 public:
  explicit GroupingSink(Run *run) : run_(*run), seed_(seed_of(*run)) {
    run_.outputs.resize(static_cast<size_t>(run_.pool.size()));
    run_.stores.resize(run_.outputs.size());
  }

  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  Status end(Report *report) override;
  Status reduce() override { return run_.outputs.empty() ? Status::ok() : reduce_phase(&run_); }
  Status write() override {
    return run_.job.answer == Job::Answer::rows ? write_answer_rows(&run_)
                                                : write_number(&run_, run_.report.keys);
  }

 private:
  class GroupHand;
  GroupSettings settings() const;
  Status spill_the_rest();
  bool maps_lines() const { return run_.job.map.values == MapSpec::Values::line; }

  Run &run_;
  const Seed seed_;
};

class GroupingSink::GroupHand : public Hand {
 public:
  GroupHand(GroupingSink *sink, i64 worker, BadRecordSink *bad)
      : sink_(*sink),
        run_(sink->run_),
        worker_(worker),
        grouping_(std::make_unique<GroupWorker>(run_.layout, sink->settings())),
        mapper_(make_worker_mapper(run_, bad)) {}

  Status take(const Chunk &chunk, i64 *records) override {
    if (sink_.maps_lines()) lines_.add(chunk, run_.job.map.terminator);
    *records += grouping_->map(mapper_.get(), chunk);
    if (plugin_failed()) return plugin_status();
    if (Status relieved = grouping_->relieve(); !relieved.is_ok()) return relieved;
    return run_.value_runs.status();
  }

  Status end_tile() override {
    grouping_->end_tile();
    return Status::ok();
  }

  Status seal(bool whole) override {
    grouping_->finish_mapper(mapper_.get());
    if (plugin_failed()) return plugin_status();
    if (!whole) return Status::ok();
    Result<std::unique_ptr<MapOutput>> output = grouping_->finish();
    if (!output.is_ok()) return output.status();
    if (Status status = run_.value_runs.status(); !status.is_ok()) return status;
    std::lock_guard lock(run_.mutex);
    run_.outputs[static_cast<size_t>(worker_)] = std::move(*output);
    run_.names.lines.add(lines_);
    return Status::ok();
  }

 private:
  GroupingSink &sink_;
  Run &run_;
  const i64 worker_;
  // On the heap: batches are larger than a stack should hold.
  std::unique_ptr<GroupWorker> grouping_;
  std::unique_ptr<Mapper> mapper_;
  LineTable lines_;
};

std::unique_ptr<Hand> GroupingSink::make_hand(i64 worker, BadRecordSink *bad) {
  return std::make_unique<GroupHand>(this, worker, bad);
}

GroupSettings GroupingSink::settings() const {
  const Job &job = run_.job;
  const Plan &plan = run_.plan;
  GroupSettings settings;
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
  settings.eager = job.switches.eager;
  settings.reuse = job.switches.reuse;
  return settings;
}

Status GroupingSink::end(Report *report) {
  if (Status status = spill_the_rest(); !status.is_ok()) return status;
  run_.names.values = run_.job.map.values;
  run_.names.sources = run_.plan.sources;
  run_.names.lines.seal();
  report->forecast = run_.plan.forecast;
  for (const auto &output : run_.outputs) {
    if (!output) continue;
    report->tables += output->groups.usage();
    if (!output->stage) continue;
    report->staged_records += output->stage->records();
    report->spilled_records += output->stage->spilled_records();
    report->spilled_bytes += output->stage->spilled_bytes();
  }
  return Status::ok();
}

// If one worker has spilled, all do: groups in memory are merged as a whole, and reduce could
// not divide the records of their partitions.
Status GroupingSink::spill_the_rest() {
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

}  // namespace

std::unique_ptr<Sink> make_group_sink(Run *run) { return std::make_unique<GroupingSink>(run); }

}  // namespace mrc
