#include "cmd/habits.h"

#include "cmd/parse.h"

#include <algorithm>

namespace mrc {
namespace {

struct Habit {
  const char *names;
  const char *needs;  // the options that the advice is about: the verb must have them
  const char *advice;
};

constexpr Habit kOptionHabits[] = {
    {"-n, --lines, --head, --limit", "--top", "the first N rows are --top N"},
    {"-g, --group, --group-by, --groupby", "--key", "the fields to group by are -k FIELDS"},
    {"--fields, --select", "--key", "fields are -k FIELDS"},
    {"--filter, --if", "--where", "a condition is -w EXPR"},
    {"-t, -F, --field-separator, --separator, --sep, --delim", "--delimiter",
     "the field separator is -d C"},
    {"-r, --reverse", "--desc", "the direction of --by is --desc or --asc"},
    {"--sort, --sort-by, --order-by", "--by", "rows are ordered --by COLUMN"},
    {"--json", "--to, --from", "JSON output is --to json; JSON input needs no option, or -f json"},
    {"--json", "--to", "JSON output is --to json"},
    {"--json", "--from", "JSON input needs no option, or -f json"},
    {"--csv", "--to, --from", "CSV output is --to csv; CSV input needs no option, or -f csv"},
    {"--csv", "--to", "CSV output is --to csv"},
    {"--csv", "--from", "CSV input needs no option, or -f csv"},
    {"--tsv", "--to, --from", "TSV output is --to tsv; TSV input needs no option, or -f tsv"},
    {"--tsv", "--to", "TSV output is --to tsv"},
    {"--tsv", "--from", "TSV input needs no option, or -f tsv"},
    {"--format, --output-format", "--to", "the format of the output is --to FORMAT"},
    {"--input-format", "--from", "the format of the input is -f FORMAT"},
};

constexpr struct {
  const char *name, *advice;
} kVerbHabits[] = {
    {"uniq", "mrc distinct prints each line once, mrc count how often it occurs"},
    {"wc", "mrc wordcount counts words, mrc stats -f lines counts lines"},
    {"cut", "mrc select -k FIELDS prints fields"},
    {"awk", "mrc select prints fields and records, mrc stats computes with them"},
    {"head", "the first N rows or lines of a verb are --top N"},
    {"top", "the most frequent N are mrc count --top N"},
    {"cat", "mrc select prints records"},
    {"filter", "mrc select -w EXPR prints the records for which EXPR holds"},
    {"where", "mrc select -w EXPR prints the records for which EXPR holds"},
    {"group", "mrc stats -k FIELDS computes aggregates by groups"},
    {"datamash", "mrc stats -k FIELDS computes aggregates by groups"},
    {"freq", "mrc count -k FIELDS counts how often values occur"},
};

bool has_options(const Verb &verb, const char *wanted) {
  std::vector<std::string> all;
  for (const Option *option : options_of(verb)) {
    for (const std::string &name : option_names(verb, *option)) all.push_back(name);
  }
  const std::vector<std::string> names = names_in(wanted);
  return std::ranges::all_of(
      names, [&](const std::string &name) { return std::ranges::find(all, name) != all.end(); });
}

}  // namespace

std::string advice_on_option(const Verb &verb, const std::string &name) {
  for (const Habit &habit : kOptionHabits) {
    const std::string known = find_name(habit.names, name);
    if (!known.empty() && has_options(verb, habit.needs)) return known + ": " + habit.advice;
  }
  return "";
}

std::string advice_on_verb(const std::string &name) {
  for (const auto &habit : kVerbHabits) {
    if (name == habit.name) return habit.advice;
  }
  return "";
}

}  // namespace mrc
