// A verb turns a command line into a job. One file in verbs/ for each.
#pragma once

#include "cmd/job.h"
#include "combine/aggregates.h"
#include "engine/engine.h"
#include "kept/merge_partials.h"
#include "output/grep_text.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// --lookup NAME=FILE:KEY or NAME=FILE:FIELD=KEY
struct LookupSpec {
  std::string name, path;
  FieldName field, key;  // of the record, of the table
};

// What the user typed, validated one option at a time, without side effects.
struct Request {
  enum class Help { none, brief, whole } help = Help::none;
  enum class When { automatic, always, never };
  enum class Direction { natural, ascending, descending };

  Job job;                               // the same, as data
  Program program;                       // the same, as far as it is compiled
  std::vector<std::string> arguments;    // in the order given: files of a job, topics of help
  const char *operand = "";              // what the first operand is, as in the usage line
  const OutputFormat *format = nullptr;  // null: by whether the output is a terminal
  When header_out = When::automatic;
  When color = When::automatic;
  When progress = When::automatic;
  std::string by;             // column names
  std::string having;         // a condition on columns
  std::string key;            // fields
  bool reads_fields = false;  // an option about fields was given
  bool suggests = false;      // a pattern, of an input without a format
  bool both_headers = false;  // -H, of a join
  bool right_header = false;  // --right-header-in was given
  std::string left_fields, right_fields;
  std::string aggregates;
  std::vector<std::string> plugins;   // where to look for them
  std::vector<std::string> settings;  // NAME=VALUE, of a plugin's job
  std::string plugin_name;            // that took the place of a verb
  bool force_plugin = false;
  bool names_only = false;              // of plugins that are listed
  std::chrono::seconds time_limit{60};  // of each process in which a plugin is tried
  std::string language = "c";           // of a new plugin
  std::string where, since, until, zone;
  DateOrder dates = DateOrder::unknown;  // of --dates
  std::string time_field = "time", event_field = "event";
  Clock clock;  // set by prepare_fields()
  // Knows the kinds of fields. If it is null, prepare_fields() asks a sample.
  std::shared_ptr<FieldKinds> kinds;
  // Kinds that were found before (field_kinds.h): of fields, and of those that are shown.
  std::string given_kinds, given_shown_kinds;
  std::vector<LookupSpec> lookups;
  std::vector<FieldExpr> defined;   // fields that are computed, and have names
  std::string cut_fields, renamed;  // of mrc select
  bool all_text = false;            // the same: JSON has strings only
  i64 last = INT64_MAX;             // records
  i64 head = 0;                     // records of each group; 0: aggregates
  bool reversed = false;
  bool numeric = false;
  bool stable = false;
  bool approx = false;
  Direction direction = Direction::natural;
  HistogramSpec histogram;
  NumberStyle style;   // of results, whatever the format
  bool human = false;  // in formats for people
  enum class Explain { nothing, plan, job } explain = Explain::nothing;
  bool stats = false;
  bool keeps = false;          // an option about what is kept was given
  bool keeps_gone = false;     // that files which are gone still count
  bool checkpoints = false;    // the same, of checkpoints
  std::string checkpoint;      // the directory
  bool shows_live = false;     // interim answers go to the user, or to a file
  bool may_end_input = false;  // SIGINT ends the input, and not the process
  bool quiet = false;
  std::shared_ptr<const Plan> plan;  // made already; null: when the job runs
  bool silent = false;               // no answer but the exit status
  std::string note;                  // of `prepare`: what the user may not have meant, a line
  GrepSpec grep;
  MergeTerms merge_terms;
  bool is_done = false;  // of `prepare`: there is nothing to do
  bool lists_units = false;
  i64 unit_bytes = i64{128} << 20;
  i64 ranges = 1;                  // of sorted records
  std::string unit_list;           // the file
  std::vector<std::string> units;  // as they were named
  std::optional<i64> newest;  // when the newest input was changed, if that was found out before
  When grep_names = When::automatic;
  std::string grep_record_start = {};
};

// What an option can change: states, and so all; only what is made of them; how inputs are found,
// which is as much a part of a job as their names; or no answer. What only asks about a job is no
// part of it.
enum class Effect { state, answer, input, conduct, ask };

// One row of an option table. Parser, help, completion and the lint against the
// man pages are made from these tables.
struct Option {
  const char *names;    // "-j, --threads"
  const char *value;    // what it takes, e.g. "N"; nullptr: nothing; "[=WHAT]": only after a sign
  const char *help;     // one line
  const char *choices;  // "auto|mmap|read"; "x:": x: and any text; nullptr: free text
  // Called with the value, or "" for a flag. The error completes "--threads: ...".
  Status (*set)(Request *request, const std::string &value);
  Effect effect = Effect::state;
  bool expert = false;      // in --help, not in -h
  bool joins = false;       // given twice, its values are joined by commas; else the last counts
  bool repeatable = false;  // all its values count, in order
  // What a value stands for that the user has a name for: it takes the value's place, in the job
  // too. nullptr: values stand for themselves.
  Result<std::string> (*meaning)(Request *request, const std::string &value) = nullptr;

  // Whether a value follows as the next argument.
  bool takes_argument() const { return value != nullptr && *value != '['; }
};

// For Option::set: a member of the request becomes true. The path leads to it: job, then map, ...
template <auto... kPath>
Status set_flag(Request *request, const std::string &) {
  (*request.*....*kPath) = true;
  return Status::ok();
}
// It becomes the value, which must not be empty. The error says what the option needs.
template <size_t kBytes>
struct Literal {
  consteval Literal(const char (&the_text)[kBytes]) { std::copy_n(the_text, kBytes, text); }
  char text[kBytes];
};
template <Literal kError, auto... kPath>
Status set_text(Request *request, const std::string &value) {
  (*request.*....*kPath) = value;
  return value.empty() ? Status::error(kError.text) : Status::ok();
}

// Options that people know from another tool, or from all other jobs, and that this verb does
// not have.
struct Absent {
  const char *names;   // as in Option
  const char *advice;  // what there is in its place
};

struct Verb {
  const char *name;
  const char *arguments;            // for the usage line, e.g. "[FILE...]"
  const char *summary;              // one line
  const char *description;          // paragraphs, for --help
  const char *examples;             // lines of "command    what it does"
  std::span<const Option> options;  // its own
  std::span<const Absent> absent = {};

  // A verb is one of two things. A job: takes the common options, and `prepare`
  // completes the job from the request ...
  Status (*prepare)(Request *request) = nullptr;
  // How many words it takes that are no files, when options have been taken; null: none. May
  // prepare the request.
  i64 (*operands)(Request *request) = nullptr;
  // ... or an errand, which prints to `out`. An error with something in `out`: some of what
  // was asked for could not be read.
  Status (*errand)(const Request &request, std::string *out) = nullptr;
  // ... and may find that the answer is no.
  Result<bool> (*question)(const Request &request, std::string *out) = nullptr;
  bool reads_fields = false;         // a job that takes field_options(), too
  std::string (*words)() = nullptr;  // what its options take, for --help: a section

  bool is_job() const { return prepare != nullptr; }
};

// All verbs, by name (the list is made by CMake from the files in verbs/).
std::span<const Verb *const> all_verbs();
const Verb *find_verb(const std::string &name);

// The options of every job.
std::span<const Option> common_options();
// The options of jobs that read records with fields.
std::span<const Option> field_options();
// For the tables of verbs with records that may be bad: --strict, --bad.
extern const Option kStrictOption, kBadOption, kHavingOption, kLookupOption;
// The same, of verbs that are no jobs and read input: --input-cmd.
extern const Option kInputCommandOption;
// The options of every verb: help.
std::span<const Option> help_options();

// Takes the first argument, which is no input. REQUIRES: there is one
std::string take_operand(Request *request);
// When all operands are taken: what is left is the inputs.
void take_inputs(Request *request);

// Fills the job's fields from the request: format, key and filter. Called by `prepare`,
// before prepare_output(). Without --key there are no keys.
Status prepare_fields(Request *request);
// The key that is the whole record.
FieldExpr whole_record();

// Fills format and order of the request's job from its columns: the parts of the key, then
// those of the aggregation. Called by `prepare`.
Status prepare_output(Request *request, KeyShape key);
// The same for verbs that print records unchanged: their `absent` has the options on columns.
void prepare_records(Request *request);

}  // namespace mrc
