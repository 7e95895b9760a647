// engine: the counts of a run, and its messages while it lasts.
#pragma once

#include "base/int.h"
#include "fields/found_fields.h"
#include "group/group.h"
#include "plugin/call.h"
#include "reduce/counts.h"
#include "rows/rows.h"
#include "sched/sched.h"

#include <sys/resource.h>

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Interim answers while a job runs (Tiled-MapReduce 6.1).

// When a job makes interim answers.
struct LiveSpec {
  double every_seconds = 0;  // shortest interval; 0: not by time
  double every_percent = 0;  // of the input, between answers; 0: not by share
  // Each answer covers a prefix of the input: all before some position, nothing after it.
  bool in_order = false;
  std::optional<Order> order;  // order of rows; unset: as in the final answer
  std::string path;            // file that each answer replaces; empty: the user sees them

  bool is_wanted() const { return every_seconds > 0 || every_percent > 0; }
};

// The part of the input that an interim answer covers.
struct Coverage {
  i64 bytes = 0;                // decompressed
  std::optional<double> share;  // of the input, 0 to 1; unknown if it has streams
};

// The space that the user has for an interim answer.
struct Room {
  i64 rows = -1;  // first rows to show; -1: all
  i64 width = 0;  // width of bars in characters; 0: as in the job
};

// An interim answer and its part of the input.
struct Interim {
  std::string text;
  Coverage of;
};

// One phase of a run: its wall time, and the CPU time of all workers in it.
struct Phase {
  std::string name;
  double wall = 0, user = 0, system = 0;  // seconds
  double tail = 0;                        // from the mean end of its workers to the last end
};

// Estimates from a sample about the keys of all input. All zero: nothing is known.
struct Forecast {
  double records = 0;
  double keys = 0;         // distinct keys
  double worker_keys = 0;  // distinct keys met by each worker
  double repeats = 0;      // records for each key
  // Shares of records with keys of up to 15 bytes, of up to 31, and longer.
  std::array<double, 3> shares{};
  double indexes = 0;  // share of records with keys that index an array
};

// The counts of a run, for --stats.
struct Report {
  std::vector<Phase> phases;
  i64 workers = 0;
  i64 cpus = 0;  // CPUs that workers can use at the same time
  i64 bytes = 0, records = 0, splits = 0;
  i64 read_records = 0;                     // records of the input, if they have fields; 0: unknown
  i64 bad_records = 0;                      // malformed records of the input
  std::string first_bad;                    // "NAME:NUMBER: REASON: RECORD"
  u64 first_bad_at = ~u64{0};               // its position; all ones if no record is bad
  i64 used_records = 0;                     // records whose values were read
  i64 bad_values = 0;                       // malformed values of them, taken as missing
  std::string first_bad_value;              // "NAME:NUMBER: REASON: VALUE"
  u64 first_bad_value_at = ~u64{0};         // its position
  std::optional<Dialect> with_header;       // how the first input with a header is read
  std::vector<std::string> missing_fields;  // fields that none of the read records has
  i64 bad_results = 0;                      // results of formulas that could not be computed; empty
  std::string first_bad_result;             // "KEY: REASON"
  // Lines that combiners have read and printed.
  i64 combiner_lines_in = 0, combiner_bytes_in = 0, combiner_lines_out = 0, combiner_bytes_out = 0;
  i64 packed_bytes = 0;  // compressed bytes read; `bytes` counts them decompressed
  i64 stolen = 0;        // splits taken from other groups of CPUs
  // Bytes of splits whose memory node is known, and bytes of those on their reader's node.
  i64 placed_bytes = 0, near_bytes = 0;
  i64 keys = 0, rows = 0, partitions = 0;
  i64 dropped_keys = 0;  // by a condition on their results
  i64 loaded_files = 0, loaded_partitions = 0;
  i64 named_files = 0;  // to which the values of records gave names
  i64 early_bytes = 0;  // bytes of the answer written while other rows were not sorted yet
  i64 apart = 0;        // partitions that groups of CPUs reduced by themselves first
  i64 left_files = 0;   // files that conditions on their folders have left out
  i64 left_bytes = 0;   // bytes of these, and bytes that range indexes have left out
  i64 known_bytes = 0;  // bytes that earlier runs have read
  i64 found_tiles = 0;  // kept tiles found by their content
  i64 sealed_tiles = 0, sealed_bytes = 0;
  i64 merged_states = 0;  // states of partials that were merged
  i64 checkpoints = 0;
  // With worker processes: dead workers, tasks that were repeated, given to a second worker at the
  // same time, or left out, and parts that were sealed.
  i64 worker_deaths = 0, repeated_tasks = 0, backup_tasks = 0, lost_tasks = 0, sealed_parts = 0;
  TileCounts tiles;
  EagerCounts eager;
  i64 divisions = 0;                           // divisions of partitions that did not fit in memory
  i64 shared_records = 0;                      // records folded into partitions that workers share
  i64 staged_records = 0;                      // records in memory when map ended
  i64 spilled_records = 0, spilled_bytes = 0;  // staged records that were spilled
  i64 spilled_rows = 0, spilled_row_bytes = 0;
  i64 spilled_values = 0, spilled_value_bytes = 0;  // values of states larger than memory
  ContainerUsage tables;                            // tables of all workers
  Forecast forecast;                                // the plan's estimates
  i64 peak_bytes = 0;        // peak memory of the process and of its worker processes
  bool transformed = false;  // no groups were made; `records` counts those in the answer
  std::vector<FoundField> found_fields = {};  // fields that a run was to list
  std::string join;                           // how two inputs were joined; empty: they were not
  std::string note;                           // the formatter's note on the answer; may be empty
  std::string disorder;  // for a check: "NAME:NUMBER: disorder: RECORD"; "": in order
  bool partial = false;  // some input could not be read
  bool unread = false;   // no input could be read: there is no answer
  // Nanoseconds that threads have spent in functions of plugins, by PluginWork.
  std::array<i64, kPluginWorks> plugin_times = {};
  bool abandoned = false;  // the output lost its reader
};

// Receives messages of a run. Called from worker threads, one at a time.
class Observer {
 public:
  virtual ~Observer() = default;
  // Reports an error that does not stop the job: "mrc: error: <message>".
  virtual void complain(const std::string &message) = 0;
  // Reports a failure that does not affect the answer: "mrc: warning: <message>".
  virtual void warn(const std::string &message) { complain(message); }
  // Reports something that is not an error.
  virtual void note(const std::string & /*message*/) {}
  // Reports that `bytes` of `total` bytes are mapped; total is 0 if unknown.
  virtual void progress(i64 bytes, i64 total) = 0;
  // Reports that the last phase begins: output follows.
  virtual void writing() = 0;

  // Take interim answers. Called on the thread that makes them, while others call the functions
  // above.
  virtual Room room() const { return {}; }
  virtual void interim(const Interim &) {}
};

// Times the phases of a run, by wall clock and by CPU time of this process and of the children that
// it has waited for.
class PhaseTimer {
 public:
  // `pool`: its workers serve the phases; null: there are none.
  explicit PhaseTimer(std::vector<Phase> *phases, WorkerPool *pool = nullptr)
      : phases_(phases), pool_(pool) {}
  ~PhaseTimer() { end(); }

  // Begins a phase and ends the previous one.
  void begin(const char *name) {
    end();
    phases_->push_back({name});
    wall_ = Clock::now();
    usage_ = usage();
    open_ = true;
  }

  void end() {
    if (!open_) return;
    open_ = false;
    const Usage now = usage();
    Phase &phase = phases_->back();
    phase.wall = std::chrono::duration<double>(Clock::now() - wall_).count();
    if (pool_ != nullptr) phase.tail = pool_->take_tail();
    phase.user = now.user - usage_.user;
    phase.system = now.system - usage_.system;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Usage {
    double user = 0, system = 0;
  };
  static Usage usage() {
    Usage all;
    for (const auto whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
      struct rusage usage;
      if (getrusage(whose, &usage) != 0) continue;
      all.user += seconds(usage.ru_utime);
      all.system += seconds(usage.ru_stime);
    }
    return all;
  }
  static double seconds(const timeval &t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  }

  std::vector<Phase> *phases_;
  WorkerPool *pool_;
  Clock::time_point wall_;
  Usage usage_;
  bool open_ = false;
};

}  // namespace mrc
