// From an Ask to a Program that can run.
#pragma once

#include "cmd/verb.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// Begins the line of a kept job with Compiled::found.
inline constexpr const char *kFoundFields = "found ";

// The result of compiling. A chain, or mrc units, may know the first members before.
struct Compiled {
  std::shared_ptr<FieldKinds> kinds;  // kinds of the fields; null: a sample is taken
  bool is_fed = false;                // a stage before hands over its input
  // Fields that folders gave to the records of a stage before, and that the text of these lacks.
  std::vector<std::string> lost_folders = {};
  // Inputs of the first stage, if the stages before pass on their records as they are.
  std::vector<std::string> passed_on = {};
  std::optional<i64> newest;  // time of the newest input's change

  Program program;
  // The job, in which operands and inputs are told apart, times are instants, and the kinds are
  // those that were found.
  Job job;
  Reporting reporting;
  Clock clock;
  std::vector<FieldExpr> defined;  // computed fields that have names
  // Running fields of all expressions, and the condition on these, which holds afterwards.
  std::shared_ptr<RunningFields> running = std::make_shared<RunningFields>();
  std::shared_ptr<const Filter> later;
  std::vector<LookupSpec> lookups;  // for read_lookups()
  bool reads_fields = false;        // an option about fields was given
  std::string found;                // the fields of a report, as text that its state keeps
  GrepSpec grep;
  bool silent = false;               // the exit status is the only answer
  bool may_end_input = false;        // SIGINT ends the input, not the process
  bool shows_live = false;           // interim answers go to the user, or to a file
  bool is_done = false;              // there is nothing to do
  std::vector<std::string> notes;    // lines about what the user may not have meant
  std::shared_ptr<const Plan> plan;  // a plan that is made already; null: made when the job runs
  std::string reducers;              // lines on reducers of plugins that states depend on
};

// Compiles the job of a verb, and checks the options for the job as a whole. Errors begin with the
// name of the verb, or of the plugin in its place.
Status compile(const Ask &ask, Compiled *compiled);

// The steps of compile(), which verbs call.

// Hands over the settings that need no compiling, and tells operands from inputs.
void begin_compile(const Ask &ask, Compiled *compiled);
// Replaces directories by the files that mrc load has written, or that are in folders NAME=VALUE.
Status read_directories(Compiled *compiled);
// Does so for the two inputs of a join, which may be directories that mrc load has filled.
// REQUIRES: the formats of both are set as the user has given them
Status read_join_inputs(Compiled *compiled);
// Compiles a join whose kind, order and formats are set: the verbs do nothing else.
Status compile_join(const Ask &ask, JoinSpec join, Compiled *compiled);
// Returns the names of the fields that the folders of inputs give to records.
std::vector<std::string> folder_names(const std::vector<std::string> &inputs);
// Says how the condition reads these fields. Called by compile_fields().
Status compile_folders(Compiled *compiled);
// Begins, and lets the verb make its program. Conducts are not checked yet.
Status compile_verb(const Ask &ask, Compiled *compiled);
// Fills the job's fields: format, key and filter. Without a key there are no keys. Comes before
// compile_rows().
Status compile_fields(const Ask &ask, const std::string &key, Compiled *compiled);
// Gives the program its running fields, once there are any: verbs may compile more expressions.
void take_running(Compiled *compiled);
// True if the condition calls a function of earlier records, such as lag(x).
bool looks_back(const std::string &condition);
// Fills the aggregation from a list as --aggregate has it. Comes after compile_fields(), and before
// compile_rows().
Status compile_aggregates(const Ask &ask, const std::string &list, Compiled *compiled);
// Returns the fields that the user has typed. Ranges of bytes become names if records have no other
// fields.
std::string keys_of(const FormatSpec &format, const std::string &text);
// Returns the key that is the whole record.
FieldExpr whole_record();
// Returns the key that is a field, without a bucket.
FieldExpr plain_field(FieldName name);
// Fills the format and order of rows from their columns: the parts of the key, then those of the
// aggregation.
Status compile_rows(const Ask &ask, KeyShape key, Compiled *compiled);
// Returns the format of --to, else the one that the name of the output ends in, as in rows.csv.zst;
// null if there is neither.
const OutputFormat *asked_format(const Ask &ask);
// Sets the shape of rows. `format` is the output format; null: depends on the output.
Status choose_format(const Ask &ask, const OutputFormat *format, Compiled *compiled);
// Sets the order of the columns from --by, --asc, --desc and --top.
Status choose_order(const Ask &ask, Compiled *compiled);
// Lets the last key become the axis of a drawing. REQUIRES: there is a column of numbers
Status choose_drawing(const Ask &ask, const OutputFormat &format, Compiled *compiled);
// Lets the last key become columns, for --across. Comes after compile_rows().
Status choose_across(const Ask &ask, Compiled *compiled);
// Fills rows and cells that no record has, for --fill. Comes after choose_across().
Status choose_fill(const Ask &ask, Compiled *compiled);
// True if the answer is printed on a terminal.
bool is_for_terminal(const RunSettings &run);
// True if the output may have colors.
bool wants_color(const Ask &ask, const Program &program);
// Prints no progress line where it would get mixed up with records that are printed at once.
void keep_lines_alone(Compiled *compiled);
// Returns the time when the newest input was changed, in seconds since 1970; now, if it is known of
// no input.
i64 newest_change(const Compiled &compiled);
// Digest of what gives states their meaning, for --state, --to partial and mrc merge.
u64 digest_of_states(const Compiled &compiled);

// An option that does not go with others.
struct Refusal {
  bool is_given;
  const char *message;
};
// Returns an error for the first option that is given.
Status refuse(std::span<const Refusal> options);

// Conducts: ways to run a job besides reading its input once and printing the answer.
enum ConductOption : u32 {
  kState = 1 << 0,
  kCheckpoint = 1 << 1,
  kFollow = 1 << 2,
  kLive = 1 << 3,
  kIsolate = 1 << 4,
  kPartials = 1 << 5,
};
// Returns an error such as "--state: REASON" if the job cannot be run in this way.
Status check_conduct(ConductOption conduct, const Compiled &compiled);

// The last steps of compile(), in this order: --state and --checkpoint; --live and --follow;
// --isolate; --to partial. Each has related options.
Status choose_state(const Ask &ask, Compiled *compiled);
Status choose_live(const Ask &ask, Compiled *compiled);
Status choose_isolate(Compiled *compiled);
Status choose_partial(const Ask &ask, Compiled *compiled);

}  // namespace mrc
