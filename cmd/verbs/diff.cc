// mrc diff: compares two inputs whose records have keys, value by value.
#include "cmd/compile.h"

namespace mrc {
namespace {

const Option kOptions[] = {
    {"-k, --key", "FIELDS", "fields that tell records apart; OLD=NEW where their names differ",
     nullptr, set_text<"needs the name or number of a field", &Ask::key>, Effect::state, false,
     true},
    {"--fields", "FIELDS", "fields to compare; default: those that both inputs have", nullptr,
     [](Ask *ask, const std::string &value) {
       ask->join.left_fields = ask->join.right_fields = value;
       return value.empty() ? Status::error("needs the name or number of a field") : Status::ok();
     },
     Effect::state, false, true},
    {"--text", nullptr, "compare all values as text, and print strings in json", nullptr,
     set_flag<&Ask::select, &AskedSelect::all_text>},
};

// Options of diff(1), comm(1) and of other jobs.
const Absent kAbsent[] = {
    {"--each, --stack", "make the records first: mrc select --each FIELD -k FIELDS then diff"},
    {"--within",
     "compute lag(x) and the like first: mrc select --within FIELD -k FIELDS then diff"},
    {"-u, --unified, -c, --context, -y, --side-by-side",
     "records are compared by their keys, wherever they stand; for lines in order use diff(1)"},
    {"-b, --ignore-all-space, --ignore-space-change, -B", "compare values by --fields"},
    {"--by, --asc, --desc",
     "rows are in the order of the keys; then sort -k COLUMN puts them in another"},
    {"--stable", "rows are in the order of the keys"},
    {"-1, -2, -3", "then select -w 'change == \"added\"' shows what only NEW has"},
};

Status compile_diff(const Ask &ask, Compiled *compiled) {
  const Refusal refused[] = {
      {ask.key.empty(), "name the fields that tell records apart: -k FIELD, or -k OLD=NEW"},
      {ask.arguments.size() != 2, "needs two inputs, OLD and NEW; - is standard input"},
  };
  if (Status status = refuse(refused); !status.is_ok()) return status;
  JoinSpec join{.kind = JoinKind::changes, .inputs = {}};
  join.inputs[kLeft].format = ask.input;
  join.inputs[kRight].format = compiled->is_fed ? ask.join.right : ask.input;
  return compile_join(ask, std::move(join), compiled);
}

}  // namespace

extern const Verb verb_diff;
const Verb verb_diff = {
    .name = "diff",
    .arguments = "OLD NEW",
    .summary = "show which records were added, removed or changed",
    .description =
        "Prints a row for each value in which two inputs differ: the key of its record, whether\n"
        "it was added, removed or changed, the field, the old and the new value, and of numbers\n"
        "the difference, also in percent. Records are told apart by their key, which belongs to\n"
        "one record of each input, and may have any order.",
    .examples =
        "  mrc diff -k id old.csv new.csv                     what has changed in a table\n"
        "  mrc diff -k path monday.tsv tuesday.tsv then sort -k difference:num:desc\n"
        "  mrc diff -k name --fields version a.json b.json    compare one field\n",
    .options = kOptions,
    .absent = kAbsent,
    .compile = compile_diff,
    .reads_fields = true,
    .joins = true,
    .are_alike = true,
};

}  // namespace mrc
