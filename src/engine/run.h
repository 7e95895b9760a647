// What all phases of a run share, and what they hand on.
#pragma once

#include "combine/hyperloglog.h"
#include "combine/value_runs.h"
#include "engine/engine.h"
#include "engine/group_total.h"
#include "engine/order_check.h"
#include "engine/phase_timer.h"
#include "engine/positions.h"
#include "plugin/own_splits.h"
#include "reduce/reduce.h"
#include "rows/row_runs.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

namespace mrc {

// One run of a job. Phases read it; the report belongs to whoever holds the mutex while
// workers are at work.
struct Run {
  Run(const Job &the_job, const Plan &the_plan, Observer *the_observer);
  Run(const Run &) = delete;

  const Job &job;
  const Plan &plan;
  Observer *observer;

  PositionNames names;  // what positions mean, complete after map
  ValueRuns value_runs;
  StateLayout layout;
  Order order;
  RowLayout row_layout;

  WorkerPool pool;
  std::unique_ptr<OutputFile> output;
  std::unique_ptr<OutputFile> bad_output;  // of bad records, if they are kept
  Report report;
  PhaseTimer timer{&report.phases};
  std::mutex mutex;

  // Of the memory; the rest is for buffers that nobody counts, and what allocation rounds up.
  i64 worker_share() const { return plan.memory / 20 * 17 / plan.workers; }
  bool only_checks() const { return job.sort && job.sort->check; }

  // Rows that a worker has made so far: written as a sorted run when they reach half of
  // its memory.
  Status spill_if_large(RowStore *store);
  RowRuns runs;

  // What workers leave behind, by worker; null where one had nothing to do.
  std::vector<std::unique_ptr<MapOutput>> outputs;  // of map, for reduce
  std::vector<std::unique_ptr<RowStore>> stores;    // of reduce, or of map if it sorts
  std::unique_ptr<GroupTotal> total;                // of reduce, if the job has one
  bool rows_own_keys = false;                       // else long keys are those of outputs
  HyperLogLog sketch;                               // of map, if that is all that is asked
  std::atomic<u64> least_disorder{~u64{0}};         // of all checks: see OrderCheck
  std::optional<OrderCheck> order_check;            // of map, the same

  std::vector<RowStore *> filled_stores();
  bool answers() const { return !report.abandoned && !report.unread; }

  // Of jobs of plugins.
  std::vector<InputView> input_views;     // of the sources
  std::unique_ptr<OwnSplits> own_splits;  // in place of the plan's
  i64 round = 0;
  std::set<std::string> complaints;  // each is said once, whatever round it is
  std::optional<Rows> sorted;        // of the last round, if it had to be looked at
  // Puts these rows in the order that the user wants, when nobody looks at them any more.
  void order_as_asked();
  std::vector<std::unique_ptr<RowStore>> seen_stores;  // own what states of rows point to
};

// The phases, in their order.
Status transform_phase(Run *run);  // input -> output, where that is all there is to do
Status map_phase(Run *run);        // input -> outputs, stores, sketch or order_check
Status reduce_phase(Run *run);     // outputs -> stores
// Of jobs with rounds: stores -> sorted, and whether there is to be another one, for which
// nothing is left of this.
Result<bool> round_phase(Run *run);
Status write_phase(Run *run);  // stores and runs, in order -> output

}  // namespace mrc
