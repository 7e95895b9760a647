// engine: what to compute, compiled: readers, filters, reducers and formats are at hand.
#pragma once

#include "base/hash.h"
#include "combine/combine.h"
#include "engine/isolation.h"
#include "engine/live.h"
#include "engine/partial_spec.h"
#include "engine/stage.h"
#include "engine/switches.h"
#include "fields/lookup.h"
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

// What a program keeps, and where.
struct KeepSpec {
  // What of an earlier run of the job that did not end: go on if there is one; refuse to begin
  // anew; begin anew.
  enum class Resume { automatic, require, never };
  // A last line without a terminator, which may still be written: count it, read it next time, or
  // decide by the name of the file.
  enum class LastLine { automatic, count, leave };

  std::string path;  // of the directory; empty: nothing is kept
  // Until the job ends, so that the same job can go on after a crash. Else for good, so that
  // the next run reads only what is new.
  bool is_checkpoint = false;
  bool of_text = false;            // the job prints text in the order of its input
  i64 every_bytes = i64{1} << 30;  // of input, between checkpoints
  i64 every_seconds = 0;           // the same, of time; 0: it does not matter
  Resume resume = Resume::automatic;
  i64 wait_seconds = 10;
  char terminator = '\n';  // of records
  i64 tile_bytes = 0;      // of tiles by content, on average; 0: input is not cut so
  bool creates = true;     // the directory, if there is none
  LastLine last_line = LastLine::automatic;
  bool drops_gone = false;  // what was read of sources that are gone does not count any more
  u64 digest = 0;           // of what gives states their meaning
  std::string job;          // the same, for people
  std::string mrc_version;  // that keeps it
};

// How large tiles are: the planner decides whether there are any; what fits in a cache; so many
// bytes.
enum class Tiling { automatic, cache, fixed };

// What verbs compile a job to. Nothing in it depends on the machine, but for what the user fixed
// by hand. Immutable once it runs: several runs may share it.
struct Program {
  std::vector<std::string> inputs = {"-"};
  std::string input_command;  // reads each input (input.h); empty: they are files
  // What is done to records: group them, or one of the other stages. What is not of that stage
  // has no meaning.
  const StageType *stage = &kGroupStage;
  MapSpec map;
  std::vector<Lookup> lookups;                   // fields of tables, for records with fields
  std::optional<SortSpec> sort;                  // of the stages sort and check
  std::shared_ptr<const Transformer> transform;  // of the stage text
  // Of the stage join, which has two inputs. The format and filter of the map are those of LEFT.
  std::optional<JoinSpec> join;
  Aggregation aggregation = count_aggregation();
  // Of the stage plugin: map, rounds, order and format are those of a plugin, as far as it has
  // them. The map, aggregation, order and shape below are made from it.
  std::shared_ptr<const PluginJob> plugin;
  bool plugin_order = false;              // rows are in its order
  bool plugin_format = false;             // rows are printed as it does
  std::shared_ptr<const Formula> having;  // of groups that become rows; null: of all
  bool counts_rows = false;               // the answer is just how many rows there are
  Order order;
  bool total = false;  // a last row, of all groups together; not for bars
  RowShape shape;
  std::string output = "-";
  bool hands_over = false;  // the answer is what another program reads
  bool strict = false;      // a bad record is fatal
  std::string bad_path;     // keep bad records there; empty: nowhere
  KeepSpec keep;            // what outlives the process
  PartialSpec partial;      // states that come from other processes, or go there
  LiveSpec live;            // answers while the job runs
  IsolationSpec isolation;  // of workers from each other
  bool follows = false;     // what is appended to inputs is read, until the input is ended

  // For experiments and tests; unset means: the planner decides.
  std::optional<i64> threads;
  std::optional<IoMode> io;
  std::optional<i64> split_bytes;
  Tiling tiling = Tiling::automatic;
  i64 tile_bytes = 0;  // if they are fixed; 0: no tiles
  std::optional<Seed> seed;
  const ContainerType *container = nullptr;
  std::optional<i64> memory;  // bytes that the process may take, about
  std::string tmpdir;         // for what does not fit; empty: $TMPDIR, /tmp
  Switches switches;
  bool pin = false;          // bind workers to CPUs
  bool quiet = false;        // plugins note nothing
  std::optional<bool> numa;  // look for groups of CPUs; unset: if there is enough input
};

// Of inverted indexes (positions.h), for jobs with positions as values.
Aggregation positions_aggregation();

}  // namespace mrc
