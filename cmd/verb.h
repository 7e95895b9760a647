// Verbs turn command lines into jobs. Each has a file in verbs/.
#pragma once

#include "cmd/ask.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace mrc {

struct Compiled;

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
  Status (*set)(Ask *ask, const std::string &value);
  Effect effect = Effect::state;
  bool expert = false;      // only in --help, not in -h
  bool joins = false;       // joins repeated values by commas; else the last one counts
  bool repeatable = false;  // all values count, in order
  // Returns the meaning of a value that the user has named, which replaces the value, in the job
  // too. nullptr: values stand for themselves.
  Result<std::string> (*meaning)(Ask *ask, const std::string &value) = nullptr;

  // True if the value is the next argument.
  bool takes_argument() const { return value != nullptr && *value != '['; }
};

// Implements Option::set for an option that needs no effect.
inline Status accept(Ask *, const std::string &) { return Status::ok(); }
// Implements Option::set: sets a flag of the ask to true. kPath is the path of members that
// leads to it: display, then raw, ...
template <auto... kPath>
Status set_flag(Ask *ask, const std::string &) {
  (*ask.*....*kPath) = true;
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
Status set_text(Ask *ask, const std::string &value) {
  (*ask.*....*kPath) = value;
  return value.empty() ? Status::error(kError.text) : Status::ok();
}

// Implements Option::set for conditions that all must hold, if there are several.
template <Literal kError, auto... kPath>
Status add_condition(Ask *ask, const std::string &value) {
  std::string &all = (*ask.*....*kPath);
  all = all.empty() ? value : "(" + all + ") and (" + value + ")";
  return value.empty() ? Status::error(kError.text) : Status::ok();
}

// Implements Option::set: appends the value.
template <auto... kPath>
Status add_text(Ask *ask, const std::string &value) {
  (*ask.*....*kPath).push_back(value);
  return Status::ok();
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

  // A verb is one of two things. A job takes the common options, and `compile` makes its program
  // (compile.h).
  Status (*compile)(const Ask &ask, Compiled *compiled) = nullptr;
  // Returns the number of arguments that are not inputs, such as a pattern; null: none.
  i64 (*operands)(const Ask &ask) = nullptr;
  const char *operand = "";  // how messages call an operand that may be mistaken for a file
  // An errand prints to `out`. An error with text in `out` means that some of what was asked for
  // could not be read.
  Status (*errand)(const Ask &ask, std::string *out) = nullptr;
  // An errand whose answer may be no.
  Result<bool> (*question)(const Ask &ask, std::string *out) = nullptr;
  bool reads_fields = false;  // a job that also takes field_options()
  bool joins = false;         // a job with two inputs
  bool are_alike = false;     // ... which have one format, unless one is a stage
  // Why the job cannot be a stage of a chain, or cannot read rows of another stage; null: it can.
  const char *no_stage = nullptr, *no_later_stage = nullptr;
  std::string (*words)() = nullptr;  // for --help: a section on the values of its options

  // Returns the jobs of a chain that do what a typed job asks for; null: it is one job itself.
  std::vector<Job> (*stages)(Job job) = nullptr;

  bool is_job() const { return compile != nullptr; }
};

// Returns the options that a verb does not have: its own list, and those of conducts
// (conducts.inc).
std::vector<Absent> absent_options(const Verb &verb);

// Returns all verbs, by name. CMake makes the list from the files in verbs/.
std::span<const Verb *const> all_verbs();
const Verb *find_verb(const std::string &name);

// Returns the options of every job.
std::span<const Option> common_options();
// Returns the options of jobs that read records with fields.
std::span<const Option> field_options();
// Options for the tables of verbs: --strict and --bad for records that may be bad, --having,
// --lookup; --across and --fill for rows that depend on all rows.
extern const Option kStrictOption, kBadOption, kHavingOption, kLookupOption, kOrderOption;
extern const Option kAcrossOption, kFillOption;
// Option for the tables of verbs that read input but are not jobs: --input-cmd.
extern const Option kInputCommandOption;
// Returns the options of every verb: help.
std::span<const Option> help_options();

}  // namespace mrc
