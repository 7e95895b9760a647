// The words that the user typed: parsed one option at a time, with nothing compiled.
#pragma once

#include "cmd/job.h"
#include "engine/engine.h"
#include "kept/merge_partials.h"
#include "output/record_text.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

enum class When { automatic, always, never };

// Messages and reports besides the answer.
struct Reporting {
  enum class Explain { nothing, plan, job } explain = Explain::nothing;
  When progress = When::automatic;
  bool stats = false;
  bool quiet = false;
};

// How rows are shown.
struct Display {
  const OutputFormat *format = nullptr;  // null: depends on whether the output is a terminal
  When header = When::automatic;
  When color = When::automatic;
  bool raw = false;
  bool human = false;  // for formats that people read
  NumberStyle style;   // style of results in all formats
  char terminator = '\n';
};

// A table: --lookup NAME=FILE:KEY or NAME=FILE:FIELD=KEY.
struct LookupSpec {
  std::string name, path;
  FieldName field, key;  // field of the record, and key field of the table
};

// Kinds of fields that another process has found, as text: those on which states depend, and those
// of fields that are shown.
struct KindTexts {
  std::string found, shown;
};

struct AskedJoin {
  JoinKind kind = JoinKind::inner;
  FormatSpec right;  // format of RIGHT
  std::string left_fields, right_fields;
};

struct AskedSort {
  std::optional<char> delimiter;
  bool numeric = false;
  // Compare fields without a type as sizes, or as versions.
  bool sizes = false, versions = false;
  bool reverse = false;
  bool unique = false;
  bool checks = false;
  i64 record_bytes = 0;  // size of binary records; 0: lines, or records with fields
};

struct AskedSelect {
  std::string cut_fields, renamed;
  bool all_text = false;  // JSON has only strings
  bool nests = false;     // dotted names become objects of JSON
  i64 last = INT64_MAX;   // number of records
  i64 skipped = 0;        // number of first records
  bool reversed = false;
  bool transposes = false;
  // Records drawn at random: so many, or a share of all.
  i64 drawn = INT64_MAX;
  double share = 1;
  i64 seed = 0;  // of what is drawn, and of the order of mrc sort -R
  // For {FIELD} in the name of the output:
  std::optional<i64> most_open;  // files at a time
  bool replaces = false;         // files that are there
};

struct AskedLoad {
  enum class Text { csv, json, lines } text = Text::csv;
  std::string partition_by, sort_by;
  i64 most_partitions = 10000;
  bool compresses = false;
};

struct AskedMap {
  std::string command, combine, reduce;
  bool each_split = false;  // each split has a command of its own
  bool sorted = false;      // prints the sorted lines that a reducer reads
  bool presorted = false;   // reads such lines
};

struct AskedGrep {
  GrepSpec spec;
  When names = When::automatic;
  bool has_file = false;  // of patterns, which may be none
  std::string record_start;
  // Lines around those that are selected; -1: not asked for.
  i64 before = -1, after = -1, around = -1;
};

struct AskedPlugins {
  std::vector<std::string> places;      // where to look for them
  std::vector<std::string> settings;    // NAME=VALUE, for a plugin's job
  std::string fields;                   // NAME=FIELD,...: fields in place of those of the job
  bool force = false;                   // loads plugins that others could have changed
  bool names_only = false;              // lists only names
  std::chrono::seconds time_limit{60};  // for each process in which a plugin is tried
  std::string language = "c";           // language of a new plugin
  std::string verb;                     // plugin whose name took the place of a verb
};

struct AskedUnits {
  i64 bytes = i64{128} << 20;
  i64 ranges = 1;                  // for sorted records
  std::string list;                // the file of --job
  std::vector<std::string> names;  // units to map, as the user named them
};

struct AskedReport {
  std::string panels;            // their names; empty: all
  std::vector<std::string> own;  // panels as typed: TITLE: COMMAND
  bool anonymizes = false;
  bool is_page = true;
};

struct AskedServe {
  std::string socket;  // "": the usual one
  i64 jobs = 0;        // 0: depends on the CPUs
  std::vector<std::string> plugins;
};

struct Ask {
  enum class Help { none, brief, whole } help = Help::none;
  enum class Direction { natural, ascending, descending };

  Job job;                             // the verb and its choices, as data
  std::vector<std::string> arguments;  // in the order given: files of a job, topics of help
  RunSettings run;
  std::string checkpoint;  // the directory of --checkpoint
  Reporting reporting;
  Display display;

  FormatSpec input;           // format of the records
  bool reads_fields = false;  // an option about fields was given
  bool takes_binary = false;
  bool ignore_case = false;  // of keys
  Words words = Words::word;
  std::string ranges;                                 // fields to index
  std::string only_word;                              // the only one that counts
  MapSpec::Values positions = MapSpec::Values::byte;  // positions to list
  std::string key;                                    // fields
  std::string across;                                 // a field after those of the key
  std::vector<std::string> where;                     // conditions, which all must hold
  std::string within;                                 // fields: groups of running functions
  std::string order;                                  // fields: order of records for these
  std::string since, until, zone;
  DateOrder dates = DateOrder::unknown;
  std::string time_field = "time", event_field = "event";
  KindTexts kinds;
  std::vector<LookupSpec> lookups;
  std::vector<std::string> geo;  // files of --geo

  std::string aggregates;
  std::string having;  // a condition on columns
  std::string by;      // names of columns
  Direction direction = Direction::natural;
  i64 top = -1;  // number of rows or records; negative: all
  i64 head = 0;  // number of records per group; 0: aggregates
  bool total = false;
  bool rolls_up = false;            // prints subtotals
  bool shuffles = false;            // sorts fields without a type by a hash
  std::optional<std::string> fill;  // result of groups that no record has
  bool counts_rows = false;
  bool approx = false;
  bool stable = false;  // keeps the order of the input
  HistogramSpec histogram;

  AskedJoin join;
  AskedSort sort;
  AskedSelect select;
  AskedLoad load;
  AskedMap map;
  AskedGrep grep;
  AskedPlugins plugins;
  AskedUnits units;
  AskedServe serve;
  AskedReport report;
  MergeTerms merge;
  bool suggests = false;  // --suggest: a pattern that reads the input
};

}  // namespace mrc
