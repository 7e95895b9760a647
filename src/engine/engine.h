// engine: the only layer that sees every stage.
#pragma once

#include "base/hash.h"
#include "base/status.h"
#include "combine/combine.h"
#include "engine/switches.h"
#include "fields/input_readers.h"
#include "input/input.h"
#include "map/map.h"
#include "map/transform.h"
#include "output/output.h"
#include "plugin/plugin_job.h"
#include "rows/record_rows.h"
#include "rows/rows.h"
#include "sched/place.h"
#include "split/split.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// What to compute. Verbs make one from options; nothing in it depends on the
// machine, but for what the user fixed by hand.
struct Job {
  std::vector<std::string> inputs = {"-"};
  MapSpec map;
  std::optional<SortSpec> sort;  // order records; nothing is mapped or grouped
  // Print text in the order of the input; nothing is mapped, grouped or sorted.
  std::shared_ptr<const Transformer> transform;
  Aggregation aggregation = count_aggregation();
  // Map, rounds, order and format are those of a plugin, as far as it has them. The job's
  // map, aggregation, order and shape are made from it.
  std::shared_ptr<const PluginJob> plugin;
  bool plugin_format = false;  // rows are printed as the plugin does
  // What is printed: the rows, or just how many there are, exactly or by a sketch.
  enum class Answer { rows, number, estimate } answer = Answer::rows;
  Order order;
  bool total = false;  // a last row, of all groups together; not for Format::bars
  RowShape shape;
  std::string output = "-";
  bool strict = false;   // a bad record is fatal
  std::string bad_path;  // keep bad records there; empty: nowhere

  // For experiments and tests; unset means: the planner decides.
  std::optional<i64> threads;
  std::optional<IoMode> io;
  std::optional<i64> split_bytes;
  std::optional<i64> tile_bytes;
  std::optional<Seed> seed;
  const ContainerType *container = &kFlatContainer;
  std::optional<i64> memory;  // bytes that the process may take, about
  std::string tmpdir;         // for what does not fit; empty: $TMPDIR, /tmp
  Switches switches;
  bool pin = false;          // bind workers to CPUs
  std::optional<bool> numa;  // look for groups of CPUs; unset: if there is enough input

  // Of records of a fixed size; 0: they have a terminator.
  i64 fixed_bytes() const { return sort ? sort->record_bytes : map.record_bytes; }
  bool looks_at_rows() const { return plugin && plugin->looks_at_rows(); }
  // Whether rows for which the plugin prints nothing have to go before rows are put in order:
  // the limit does not count them, and no other format prints them.
  bool drops_rows() const {
    return plugin && plugin->formats() && (!plugin_format || order.limit >= 0);
  }
  // Whether rows are wanted in another order than the plugin's own.
  bool orders_otherwise() const {
    return order.custom == nullptr && (plugin->orders() || !order.by_key() || order.descending);
  }
};

// Behind which bytes the job's input may be cut.
CutBytes cuts_of(const Job &job);

// Of inverted indexes (positions.h), for jobs whose values are positions.
Aggregation positions_aggregation();

// One decision of the planner and why it was taken, for --explain.
struct Decision {
  std::string name, value, reason;
};

// One phase of a run: its wall time, and the CPU time of all workers in it.
struct Phase {
  std::string name;
  double wall = 0, user = 0, system = 0;  // seconds
};

// What a sample foretells about the keys of all input. All zero: nothing is known.
struct Forecast {
  double records = 0;
  double keys = 0;         // distinct ones
  double worker_keys = 0;  // of them, met by each worker
  double repeats = 0;      // records for each key
  // Records with keys of up to 15 bytes, up to 31, longer.
  std::array<double, 3> shares{};
};

// How to compute it here.
struct Plan {
  std::vector<Source> sources;
  std::vector<std::string> unreadable;  // messages about inputs left out
  Status problem = Status::ok();        // why the job cannot run
  i64 input_bytes = 0;                  // of files; streams are unknown
  i64 streams = 0;
  i64 packed = 0;        // of the streams: files that are compressed
  i64 packed_bytes = 0;  // of them, as they are stored
  i64 workers = 1;
  IoMode io = IoMode::read;
  Topology topology = Topology::one_group();
  std::vector<Place> places;  // of workers
  std::vector<Split> splits;  // by share, in the order of input within each
  Shares shares;              // of the groups of the topology
  bool by_pages = false;      // deal again when files are open: see deal_by_pages()
  const Scanner *scanner = nullptr;
  std::shared_ptr<InputReaders> readers;  // if records have fields
  i64 memory = INT64_MAX;                 // to keep within
  i64 hot_bytes = INT64_MAX;              // of a worker's table, before it is frozen; 0: no table
  i64 expected_keys = 0;                  // in a worker's table; 0: unknown
  i64 tile_bytes = 0;                     // of input; 0: no tiles
  int partition_bits = 0;                 // of staged records
  std::string tmpdir;
  std::string common_prefix;  // of the keys sampled
  Forecast forecast;
  std::vector<Phase> phases;  // of planning, as far as it reads input
  std::vector<Decision> decisions;
};

// What happened, for --stats.
struct Report {
  std::vector<Phase> phases;
  i64 workers = 0;
  i64 bytes = 0, records = 0, splits = 0;
  i64 read_records = 0;         // of the input, if they have fields; 0: nobody knows how many
  i64 bad_records = 0;          // of them
  std::string first_bad;        // "NAME:NUMBER: REASON: RECORD"
  i64 used_records = 0;         // whose values were looked at
  i64 bad_values = 0;           // of these; they count as missing
  std::string first_bad_value;  // "NAME:NUMBER: REASON: VALUE"
  i64 packed_bytes = 0;         // of compressed input, which became part of `bytes`
  i64 stolen = 0;               // splits, from the shares of other groups
  i64 keys = 0, rows = 0, partitions = 0;
  i64 divisions = 0;                           // of partitions whose keys did not fit in memory
  i64 staged_records = 0;                      // in memory, when map ended
  i64 spilled_records = 0, spilled_bytes = 0;  // of those staged
  i64 spilled_rows = 0, spilled_row_bytes = 0;
  i64 spilled_values = 0, spilled_value_bytes = 0;  // of states larger than memory
  ContainerUsage tables;                            // of all workers
  Forecast forecast;                                // of the plan
  i64 peak_bytes = 0;                               // of the process
  bool transformed = false;  // there are no groups; records are those in the answer
  std::string note;          // of the answer; may be empty
  std::string disorder;      // of a check: "NAME:NUMBER: disorder: RECORD"; "": in order
  bool partial = false;      // some input could not be read
  bool unread = false;       // none could: there is no answer
  bool abandoned = false;    // nobody read the output any more
};

// Looks at the inputs and the machine, or the topology that is to take its place. Of
// much input in files it reads a sample (sample.h); from streams it takes nothing.
Plan make_plan(const Job &job, const Topology *topology = nullptr);

// Told about a run while it lasts. Called from worker threads, one at a time.
class Observer {
 public:
  virtual ~Observer() = default;
  // Something is wrong that does not stop the job: "mrc: error: <message>".
  virtual void complain(const std::string &message) = 0;
  // So many bytes of `total` are mapped; total is 0 if unknown.
  virtual void progress(i64 bytes, i64 total) = 0;
  // The last phase begins: output follows.
  virtual void writing() = 0;
};

// Runs the job, from opening the output to committing it. No output file is left
// when it fails.
Result<Report> run(const Job &job, const Plan &plan, Observer *observer);

// For people: the plan and its reasons; what happened.
std::string explain(const Job &job, const Plan &plan);
std::string describe(const Report &report);

}  // namespace mrc
