// One execution of a program: the data that all of its phases share.
#pragma once

#include "engine/engine.h"
#include "engine/inner/report.h"
#include "output/output.h"
#include "plugin/call.h"
#include "sched/sched.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace mrc {

// Phases read it. While workers run, only the thread that holds the mutex may use the report and
// the complaints.
struct Run {
  Run(const Program &the_program, const Plan &the_plan, Observer *the_observer);
  Run(const Run &) = delete;

  const Program &program;
  const std::unique_ptr<const Stage> stage;  // the program's
  const Plan &plan;
  Observer *observer;

  PluginRun plugins;  // settings and failures of the job's plugins
  WorkerPool pool;
  std::unique_ptr<InputReaders> readers;  // those of the plan, and those of streams
  std::unique_ptr<OutputFile> output;
  std::unique_ptr<OutputFile> bad_output;  // for malformed records, if they are kept
  Report report;
  PhaseTimer timer{&report.phases, &pool};
  std::mutex mutex;
  i64 round = 0;
  // True if CSV is cut at line ends, as if none were in quotes. If a line end turns out to be, what
  // the scan has made is wrong.
  bool cuts_lines = false;
  std::atomic<bool> cut_in_quotes = false;
  std::set<std::string> complaints;  // each is reported once, in any round
  std::set<std::string> damaged;     // paths of inputs that could not be read completely

  // Memory of one worker. The rest is for buffers that are not counted and for the rounding of
  // allocations. Interim answers need as much as a worker.
  i64 worker_share() const {
    return plan.memory / 20 * 17 / (plan.workers + program.live.is_wanted());
  }
  Report take_report() {
    timer.end();
    for (size_t i = 0; i < kPluginWorks; ++i) report.plugin_times[i] = plugins.times[i];
    return std::move(report);
  }
  bool has_input() const { return !report.abandoned && !report.unread; }
};

// Makes the answer of a sink whose groups are reduced, and writes it to the run's output.
Status write_answer(Run *run, StageSink *sink);

// Scans the input once: all of its records go to the sink.
Status scan_input(Run *run, StageSink *sink);

}  // namespace mrc
