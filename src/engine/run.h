// One execution of a program: what all of its phases share.
#pragma once

#include "engine/engine.h"
#include "engine/phase_timer.h"
#include "output/output.h"
#include "plugin/call.h"
#include "sched/sched.h"

#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace mrc {

// Phases read it. While workers are at work, the report and the complaints belong to the thread
// that holds the mutex.
struct Run {
  Run(const Program &the_program, const Plan &the_plan, Observer *the_observer);
  Run(const Run &) = delete;

  const Program &program;
  const std::unique_ptr<const Stage> stage;  // of the program
  const Plan &plan;
  Observer *observer;

  PluginRun plugins;  // what the job's plugins are told, and how they have failed
  WorkerPool pool;
  std::unique_ptr<InputReaders> readers;  // the plan's, and those of streams
  std::unique_ptr<OutputFile> output;
  std::unique_ptr<OutputFile> bad_output;  // of bad records, if they are kept
  Report report;
  PhaseTimer timer{&report.phases, &pool};
  std::mutex mutex;
  i64 round = 0;
  std::set<std::string> complaints;  // each is said once, whatever round it is
  std::set<std::string> damaged;     // paths of inputs that could not be read to their ends

  // Of the memory; the rest is for uncounted buffers and for what allocation rounds up. Interim
  // answers need as much as a worker.
  i64 worker_share() const {
    return plan.memory / 20 * 17 / (plan.workers + program.live.is_wanted());
  }
  Report take_report() {
    timer.end();
    return std::move(report);
  }
  bool has_input() const { return !report.abandoned && !report.unread; }
};

// Scans the input once: all of its records go to the sink.
Status scan_input(Run *run, StageSink *sink);

}  // namespace mrc
