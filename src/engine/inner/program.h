// engine: a compiled job, with its readers, filters, reducers and formats.
#pragma once

#include "base/hash.h"
#include "base/int.h"
#include "base/status.h"
#include "combine/combine.h"
#include "engine/inner/report.h"
#include "engine/inner/stage.h"
#include "expr/indexed_field.h"
#include "fields/input_readers.h"
#include "group/container.h"
#include "input/input.h"
#include "join/join.h"
#include "kept/unit_list.h"
#include "map/map.h"
#include "map/transform.h"
#include "output/named_files.h"
#include "output/output.h"
#include "output/record_text.h"
#include "plugin/plugin_job.h"
#include "rows/record_rows.h"
#include "rows/rows.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

struct MergedPartials;
struct Program;

// One switch for each mechanism of the engine, for experiments: mrc-engine(7) lists them.

// The part of the input that a sample reads.
enum class Sampling {
  off,
  strided,  // pieces from the whole input
  head,     // the first bytes of the input (Metis 3.4)
};

// When a join merges inputs because they are sorted by its key already.
enum class Presorted {
  sampled,  // if a sample suggests it, and both inputs are large
  checked,  // if a check of the inputs confirms it
  off,
};

// Treatment of spilled runs while others map (MaRCO 3).
enum class EagerRuns {
  wait,    // nothing
  sort,    // sort them
  reduce,  // reduce them
};

// Values of the switches. Unset: the planner decides.
struct Switches {
  std::optional<i64> hot_bytes = {};
  std::optional<i64> partition_bits = {};
  std::optional<i64> buckets = {};
  std::optional<i64> share_bytes = {};  // 0: workers share no partitions
  bool drift = true;
  bool bypass = true;
  bool eager = false;
  bool pipeline = true;
  bool compress = true;
  bool copartitions = true;
  bool async_output = true;
  bool reuse = true;
  Sampling sample = Sampling::strided;
  double head = 0.07;  // share of the input, for Sampling::head
  bool prefetch = true;
  Presorted presorted = Presorted::sampled;
  bool fingerprint = true;
  bool by_pages = true;
  bool pool = true;
  bool backups = true;
  bool static_schedule = false;
  bool groups_apart = false;
  bool merge_tree = false;
  bool index = true;
  EagerRuns runs = EagerRuns::wait;
  i64 start = 8;      // number of waiting runs that starts a reduction
  double stop = 0.9;  // share of the input after which no reduction starts
  bool low_priority = true;
  bool stagger = true;
};

// A row of the table. Parsing, help and the check against the manual use it.
struct Switch {
  const char *name;
  const char *values;  // the default first; "on|off", or a description: "SIZE"
  const char *help;    // one line
  // Sets the switch. Returns false if the value is invalid.
  bool (*set)(const Switch &row, std::string_view value, Switches *switches);
};
std::span<const Switch> all_switches();

// Reads "NAME=VALUE", or several separated by commas. The error for an unknown name or value lists
// the known ones.
Status set_switch(std::string_view text, Switches *switches);

// Partials (kept/partial.h) that replace the rows or the input of a program.
struct PartialSpec {
  bool is_wanted = false;  // the program writes a partial
  bool as_lines = false;   // as text; else as a run
  u64 digest = 0;          // hash of all that affects the meaning of states
  std::string job;         // describes the job, as text
  std::string mrc_version;

  // For a worker that maps units of a list: it reads only these units, with the formats in the
  // list. Null: inputs are read whole.
  std::shared_ptr<const UnitList> listed;
  std::vector<PartialUnit> units;

  std::shared_ptr<const MergedPartials> merged;  // replaces inputs; null: inputs are read

  bool lists_units = false;  // the program is only planned, and its units are listed

  // True if other programs use the states, which may print them in other ways.
  bool moves_states() const { return is_wanted || merged != nullptr; }
};

// Indexes of the ranges of fields (kept/range_index.h).
struct RangeIndexSpec {
  std::string directory = {};             // where they are; empty: beside their files
  std::string reason_against = {};        // why the program uses none; empty: it may
  std::string mrc_version = {};           // others may read records otherwise
  std::vector<IndexedField> fields = {};  // for the stages that make indexes
  // Fields that folders of inputs give to records, and that the condition reads.
  std::vector<IndexedField> folders = {};
};

// Workers in processes of their own, each of which may die.
struct IsolationSpec {
  bool is_wanted = false;
  double unit_seconds = 0;  // limit for a task; 0: none
  bool only_plans = false;  // the program only prints its plan

  // True if pipes must be copied to files first: a task may be read again, but a pipe cannot.
  bool reads_pipes() const { return is_wanted && !only_plans; }
};

// Commands between the inputs and the stage, which reads what they print in place of the inputs.
struct FeedSpec {
  // How commands share the inputs: as many commands as workers take splits until there are none,
  // each split has a command of its own, or each range of sorted lines, which has all lines of a
  // key.
  enum class Share { any, split, keys };

  std::string command;  // a script of sh(1), which reads records and prints some; empty: none
  Share share = Share::any;
  double seconds = 0;         // a command may neither read nor print for so long; 0: no limit
  std::string combiner = {};  // a script that combines what each command prints; empty: none
};

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
  // The directory that takes what was made of the inputs (kept/loads.h), which is written once and
  // never read again. Empty: results are kept in `path`.
  std::string loads_into = {};
  LastLine last_line = LastLine::automatic;
  bool drops_gone = false;  // forgets results of sources that no longer exist
  // Each input of the job is a role of its own, as those of a join are: what was kept of one never
  // serves for another.
  bool has_roles = false;
  u64 digest = 0;                // hash of all that affects the meaning of states
  std::string job = {};          // describes the job to the user
  std::string mrc_version = {};  // version that writes the directory
};

// The planner chooses the size of tiles, or none; tiles fit in a cache; or they have a given size.
enum class Tiling { automatic, cache, fixed };

// The files of a directory into which records are loaded (kept/loads.h).
struct LoadSpec {
  std::string directory;
  std::vector<FieldExpr> partitions = {};  // a folder for each of their values
  std::vector<std::string> names = {};     // ... and the names that the folders have for them
  i64 most_partitions = 10000;
  SelectSpec text = {};         // how records are written; without keys: as they are
  bool has_all_fields = false;  // the keys are all fields of the inputs
  bool compresses = false;      // files are compressed by Zstandard
  std::string ending = {};      // ending of file names, such as ".csv.zst"
};

// The rows of one program of a shared scan, as the text of its format, and how many there are.
struct SharedRows {
  std::string text;
  i64 shown = 0;   // number of rows in the text
  i64 groups = 0;  // number of groups, of which only the first may be in the text
};

// Makes one text of the rows of several programs.
class SharedAnswer {
 public:
  virtual ~SharedAnswer() = default;
  // `rows`: those of each program, in their order. `report`: of the scan.
  virtual Status write(std::span<const SharedRows> rows, const Report &report,
                       OutputFile *to) const = 0;
  // Adds text of a program's rows to what is kept of it for write(): all, unless less suffices.
  // Appends to `handed` the records that these rows are for the next program (SharedNext).
  virtual void keep(size_t /*program*/, Bytes text, std::string *kept,
                    std::string * /*handed*/) const {
    kept->append(text);
  }
};

// A program that runs after the others, on records that the answer makes of the rows of one of
// them. Its rows follow theirs.
struct SharedNext {
  size_t of = 0;  // the program that has the rows
  std::shared_ptr<const Program> program;
};

// For the stage shared: programs that make groups of the same records, each of some of their
// fields. Their inputs, lookups and conducts are those of the program that has them.
struct SharedSpec {
  std::vector<std::shared_ptr<const Program>> programs;
  std::shared_ptr<const SharedAnswer> answer;
  u64 digest = 0;  // of what the programs compute, for kept results
  std::optional<SharedNext> next = {};
};

// How a program runs, as the user says it: data, of which nothing has to be compiled.
struct RunSettings {
  std::vector<std::string> inputs = {"-"};
  std::string input_command;  // prints each input (input.h); empty: inputs are files
  FeedSpec feed;
  std::string output = "-";
  bool hands_over = false;  // a program reads the answer, such as the next stage of a chain
  bool strict = false;      // a malformed record ends the job
  std::string bad_path;     // file for malformed records; empty: none is written
  KeepSpec keep;            // results for later runs
  PartialSpec partial;      // states from or for other processes
  LiveSpec live;            // interim answers
  RangeIndexSpec ranges;    // indexes that say which pages need not be read
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
  std::optional<bool> numa;  // look for groups of CPUs; unset: if input is large
};

// The result of compiling a job. Only settings that the user fixed by hand depend on the machine.
// Immutable once it runs: several runs may share it.
struct Program : RunSettings {
  // The stage that processes the records. Settings of other stages have no meaning.
  const StageType *stage = &kGroupStage;
  MapSpec map;
  std::vector<Lookup> lookups;      // fields from tables, for records with fields
  std::vector<std::string> sparse;  // fields that only some of the inputs have
  std::vector<FoundField> found;    // fields found in records that may have any
  std::optional<SortSpec> sort;     // for the stages sort and check
  bool numbers_groups() const { return sort && !sort->groups.empty(); }
  std::shared_ptr<const Transformer> transform;  // for the stage text
  std::optional<NamedFilesSpec> files;           // for the stage text: take it, not the output
  std::optional<LoadSpec> load;                  // for the stage load, with `sort`
  std::optional<SharedSpec> shared;              // for the stage shared; `map` has all fields
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
  bool quiet = false;  // plugins print no notes
};

// The aggregation of inverted indexes (positions.h), for jobs with positions as values.
Aggregation positions_aggregation();

}  // namespace mrc
