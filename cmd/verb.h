// Verbs turn command lines into jobs. Each has a file in verbs/.
#pragma once

#include "cmd/job.h"
#include "combine/aggregates.h"
#include "engine/engine.h"
#include "kept/merge_partials.h"
#include "output/record_text.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// A table: --lookup NAME=FILE:KEY or NAME=FILE:FIELD=KEY.
struct LookupSpec {
  std::string name, path;
  FieldName field, key;  // field of the record, and key field of the table
};

// The words that the user typed, validated one option at a time, without side effects.
struct Request {
  enum class Help { none, brief, whole } help = Help::none;
  enum class When { automatic, always, never };
  enum class Direction { natural, ascending, descending };

  Job job;                               // the request as data
  Program program;                       // the request, as far as it is compiled
  std::vector<std::string> arguments;    // in the order given: files of a job, topics of help
  const char *operand = "";              // the first operand's name in the usage line
  const OutputFormat *format = nullptr;  // null: depends on whether the output is a terminal
  When header_out = When::automatic;
  When color = When::automatic;
  When progress = When::automatic;
  std::string by;             // names of columns
  std::string having;         // a condition on columns
  std::string key;            // fields
  bool reads_fields = false;  // an option about fields was given
  bool suggests = false;      // --suggest: a pattern that reads the input
  bool both_headers = false;  // -H, for a join
  bool right_header = false;  // --right-header-in was given
  std::string left_fields, right_fields;
  std::string aggregates;
  std::vector<std::string> plugins;   // places to look for them
  std::vector<std::string> settings;  // NAME=VALUE, for a plugin's job
  std::string plugin_name;            // plugin that took the place of a verb
  bool force_plugin = false;
  bool names_only = false;              // --names: list only names of plugins
  std::chrono::seconds time_limit{60};  // for each process in which a plugin is tried
  std::string language = "c";           // language of a new plugin
  std::string where, since, until, zone;
  DateOrder dates = DateOrder::unknown;  // --dates
  std::string time_field = "time", event_field = "event";
  Clock clock;  // set by prepare_fields()
  // The kinds of fields. If it is null, prepare_fields() takes a sample.
  std::shared_ptr<FieldKinds> kinds;
  bool is_fed = false;  // a stage before hands over its input
  // Kinds that were found before (look.h), of all fields and of those that are shown.
  std::string given_kinds, given_shown_kinds;
  std::vector<LookupSpec> lookups;
  std::vector<FieldExpr> defined;   // computed fields that have names
  std::string cut_fields, renamed;  // for mrc select
  bool all_text = false;            // for mrc select: JSON has only strings
  i64 last = INT64_MAX;             // number of records
  i64 head = 0;                     // number of records per group; 0: aggregates
  bool reversed = false;
  bool numeric = false;
  bool stable = false;
  bool approx = false;
  Direction direction = Direction::natural;
  HistogramSpec histogram;
  NumberStyle style;   // style of results in all formats
  bool human = false;  // for formats that people read
  enum class Explain { nothing, plan, job } explain = Explain::nothing;
  bool stats = false;
  bool keeps = false;          // an option that needs --state was given
  bool keeps_gone = false;     // files that are gone still count
  bool checkpoints = false;    // an option that needs --checkpoint was given
  std::string checkpoint;      // the directory of --checkpoint
  bool shows_live = false;     // interim answers go to the user, or to a file
  bool may_end_input = false;  // SIGINT ends the input, not the process
  bool quiet = false;
  std::shared_ptr<const Plan> plan;  // a plan that is made already; null: made when the job runs
  bool silent = false;               // the exit status is the only answer
  std::string note;                  // a line from `prepare` about what the user may not have meant
  GrepSpec grep;
  MergeTerms merge_terms;
  bool is_done = false;  // set by `prepare`: there is nothing to do
  bool lists_units = false;
  i64 unit_bytes = i64{128} << 20;
  i64 ranges = 1;                  // for sorted records
  std::string unit_list;           // the file of --job
  std::vector<std::string> units;  // as the user named them
  std::optional<i64> newest;       // time of the newest input's change, if it was found before
  When grep_names = When::automatic;
  std::string grep_record_start = {};
};

// The effect of an option. `state`: states, and so everything. `answer`: only what is made of
// states. `input`: how inputs are found, which belongs to a job like their names. `conduct`: how
// the job runs, but no answer. `ask`: a question about a job, which is not part of it.
enum class Effect { state, answer, input, conduct, ask };

// One row of an option table. The parser, help, completion and the lint of the man pages use these
// tables.
struct Option {
  const char *names;    // such as "-j, --threads"
  const char *value;    // name of its value; nullptr: no value; "[=WHAT]": only after "="
  const char *help;     // one line
  const char *choices;  // "auto|mmap|read"; "x:": x: and any text; nullptr: free text
  // Called with the value, or "" for a flag. The error completes "--threads: ...".
  Status (*set)(Request *request, const std::string &value);
  Effect effect = Effect::state;
  bool expert = false;      // only in --help, not in -h
  bool joins = false;       // joins repeated values by commas; else the last one counts
  bool repeatable = false;  // all values count, in order
  // Returns the meaning of a value that the user has named, which replaces the value, in the job
  // too. nullptr: values stand for themselves.
  Result<std::string> (*meaning)(Request *request, const std::string &value) = nullptr;

  // True if the value is the next argument.
  bool takes_argument() const { return value != nullptr && *value != '['; }
};

// Implements Option::set: sets a flag of the request to true. kPath is the path of members that
// leads to it: job, then map, ...
template <auto... kPath>
Status set_flag(Request *request, const std::string &) {
  (*request.*....*kPath) = true;
  return Status::ok();
}
// Literal is the error of set_text(), which sets a member to the value. The value must not be
// empty; the error says what the option needs.
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

// Options that users know from another tool, or from other jobs, and that this verb does not have.
struct Absent {
  const char *names;   // as in Option
  const char *advice;  // the replacement to suggest
};

struct Verb {
  const char *name;
  const char *arguments;            // for the usage line, such as "[FILE...]"
  const char *summary;              // one line
  const char *description;          // paragraphs, for --help
  const char *examples;             // lines of "command    what it does"
  std::span<const Option> options;  // own options
  std::span<const Absent> absent = {};

  // A verb is one of two things. A job takes the common options, and `prepare` completes the job
  // from the request.
  Status (*prepare)(Request *request) = nullptr;
  // Returns the number of words after the options that are not files; null: none. May prepare the
  // request.
  i64 (*operands)(Request *request) = nullptr;
  // An errand prints to `out`. An error with text in `out` means that some of what was asked for
  // could not be read.
  Status (*errand)(const Request &request, std::string *out) = nullptr;
  // An errand whose answer may be no.
  Result<bool> (*question)(const Request &request, std::string *out) = nullptr;
  bool reads_fields = false;  // a job that also takes field_options()
  bool joins = false;         // a job with two inputs
  // Why the job cannot be a stage of a chain, or cannot read rows of another stage; null: it can.
  const char *no_stage = nullptr, *no_later_stage = nullptr;
  std::string (*words)() = nullptr;  // for --help: a section on the values of its options

  bool is_job() const { return prepare != nullptr; }
};

// Returns all verbs, by name. CMake makes the list from the files in verbs/.
std::span<const Verb *const> all_verbs();
const Verb *find_verb(const std::string &name);

// Returns the options of every job.
std::span<const Option> common_options();
// Returns the options of jobs that read records with fields.
std::span<const Option> field_options();
// Options for the tables of verbs: --strict and --bad for records that may be bad, --having,
// --lookup.
extern const Option kStrictOption, kBadOption, kHavingOption, kLookupOption;
// Option for the tables of verbs that read input but are not jobs: --input-cmd.
extern const Option kInputCommandOption;
// Returns the options of every verb: help.
std::span<const Option> help_options();

// Removes and returns the first argument, which is not an input. REQUIRES: there is one
std::string take_operand(Request *request);
// Takes the remaining arguments as inputs. REQUIRES: all operands are taken
void take_inputs(Request *request);

// Fills the job's fields from the request: format, key and filter. Called by `prepare`, before
// prepare_output(). Without --key there are no keys.
Status prepare_fields(Request *request);
// Returns the key that is the whole record.
FieldExpr whole_record();

// Fills the format and order of the request's job from its columns: the parts of the key, then
// those of the aggregation. Called by `prepare`.
Status prepare_output(Request *request, KeyShape key);
// Prepares the output of verbs that print records unchanged. Their `absent` has the options on
// columns.
void prepare_records(Request *request);

}  // namespace mrc
