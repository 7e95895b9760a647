// engine: a compiled job, with its readers, filters, reducers and formats.
#pragma once

#include "base/hash.h"
#include "combine/combine.h"
#include "engine/inner/isolation.h"
#include "engine/inner/partial_spec.h"
#include "engine/inner/stage.h"
#include "engine/inner/switches.h"
#include "engine/live.h"
#include "fields/input_readers.h"
#include "group/container.h"
#include "input/input.h"
#include "join/join.h"
#include "map/map.h"
#include "map/transform.h"
#include "output/output.h"
#include "plugin/plugin_job.h"
#include "rows/record_rows.h"
#include "rows/rows.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Settings of the directory in which a program keeps results.
struct KeepSpec {
  // Treatment of an earlier run that did not end: resume it if there is one; require one; ignore it
  // and start over.
  enum class Resume { automatic, require, never };
  // An unterminated last line may be incomplete: count it, leave it to the next run, or decide by
  // the name of the file.
  enum class LastLine { automatic, count, leave };

  std::string path;  // directory; empty: nothing is kept
  // True: kept until the job ends, so that it can resume after a crash. False: kept for good, so
  // that the next run reads only new input.
  bool is_checkpoint = false;
  bool of_text = false;            // the job prints text in input order
  i64 every_bytes = i64{1} << 30;  // bytes of input between checkpoints
  i64 every_seconds = 0;           // seconds between checkpoints; 0: not by time
  Resume resume = Resume::automatic;
  i64 wait_seconds = 10;
  char terminator = '\n';  // ends a record
  i64 tile_bytes = 0;      // average size of tiles by content; 0: no such tiles
  bool creates = true;     // creates a missing directory
  LastLine last_line = LastLine::automatic;
  bool drops_gone = false;       // forgets results of sources that no longer exist
  u64 digest = 0;                // hash of all that affects the meaning of states
  std::string job = {};          // describes the job to the user
  std::string mrc_version = {};  // version that writes the directory
};

// The planner chooses the size of tiles, or none; tiles fit in a cache; or they have a given size.
enum class Tiling { automatic, cache, fixed };

// The result of compiling a job. Only settings that the user fixed by hand depend on the machine.
// Immutable once it runs: several runs may share it.
struct Program {
  std::vector<std::string> inputs = {"-"};
  std::string input_command;  // prints each input (input.h); empty: inputs are files
  // The stage that processes the records. Settings of other stages have no meaning.
  const StageType *stage = &kGroupStage;
  MapSpec map;
  std::vector<Lookup> lookups;                   // fields from tables, for records with fields
  std::optional<SortSpec> sort;                  // for the stages sort and check
  std::shared_ptr<const Transformer> transform;  // for the stage text
  // For the stage join, which has two inputs. `map` has the format and filter of LEFT.
  std::optional<JoinSpec> join;
  Aggregation aggregation = count_aggregation();
  // For the stage plugin: the plugin replaces some of map, rounds, order and format. The map,
  // aggregation, order and shape below are made from it.
  std::shared_ptr<const PluginJob> plugin;
  bool plugin_order = false;              // the plugin orders rows
  bool plugin_format = false;             // the plugin prints rows
  std::shared_ptr<const Formula> having;  // groups that become rows; null: all
  bool counts_rows = false;               // the answer is only the number of rows
  Order order;
  bool total = false;  // adds a row of all groups together; not for bars
  RowShape shape;
  std::string output = "-";
  bool hands_over = false;  // a program reads the answer, such as the next stage of a chain
  bool strict = false;      // a malformed record ends the job
  std::string bad_path;     // file for malformed records; empty: none is written
  KeepSpec keep;            // results for later runs
  PartialSpec partial;      // states from or for other processes
  LiveSpec live;            // interim answers
  IsolationSpec isolation;  // workers in processes of their own
  bool follows = false;     // reads what is appended to inputs, until the user ends them

  // For experiments and tests. Unset: the planner decides.
  std::optional<i64> threads;
  std::optional<IoMode> io;
  std::optional<i64> split_bytes;
  Tiling tiling = Tiling::automatic;
  i64 tile_bytes = 0;  // for Tiling::fixed; 0: no tiles
  std::optional<Seed> seed;
  const ContainerType *container = nullptr;
  std::optional<i64> memory;  // limit for the process, in bytes; approximate
  std::string tmpdir;         // for spilled data; empty: $TMPDIR, else /tmp
  Switches switches;
  bool pin = false;          // bind workers to CPUs
  bool quiet = false;        // plugins print no notes
  std::optional<bool> numa;  // look for groups of CPUs; unset: if input is large
};

// The aggregation of inverted indexes (positions.h), for jobs with positions as values.
Aggregation positions_aggregation();

}  // namespace mrc
