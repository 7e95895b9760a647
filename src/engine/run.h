// What all phases of a run share, and what they hand on.
#pragma once

#include "combine/value_runs.h"
#include "engine/engine.h"
#include "engine/group_total.h"
#include "engine/phase_timer.h"
#include "engine/positions.h"
#include "plugin/own_splits.h"
#include "reduce/reduce.h"
#include "rows/row_runs.h"

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

  // Rows that a worker has made so far: written as a sorted run when they reach half of
  // its memory.
  Status spill_if_large(RowStore *store);
  RowRuns runs;

  // What workers leave behind, by worker; null where one had nothing to do.
  std::vector<std::unique_ptr<MapOutput>> outputs;  // of map, for reduce
  std::vector<std::unique_ptr<RowStore>> stores;    // of reduce, or of map if it sorts
  std::unique_ptr<GroupTotal> total;                // of reduce, if the job has one
  bool rows_own_keys = false;                       // else long keys are those of outputs

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

class Sink;

// Scans the input once: all of its records go to the sink.
Status scan_input(Run *run, Sink *sink);
Status reduce_phase(Run *run);  // outputs -> stores
// Of jobs with rounds: stores -> sorted, and whether there is to be another one, for which
// nothing is left of this.
Result<bool> round_phase(Run *run);
// Writes stores and runs, in order, or just one number, to the output.
Status write_answer_rows(Run *run);
Status write_number(Run *run, i64 number);

}  // namespace mrc
