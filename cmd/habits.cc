#include "cmd/habits.h"

#include "cmd/parse.h"

#include <unistd.h>

#include <algorithm>

namespace mrc {
namespace {

struct Habit {
  const char *names;
  const char *needs;  // options that the advice mentions, which the verb must have
  const char *advice;
};

constexpr Habit kOptionHabits[] = {
    {"-n, --lines, --head, --limit", "--top", "for the first N rows use --top N"},
    {"-g, --group, --group-by, --groupby", "--key", "group by fields with -k FIELDS"},
    {"--fields, --select", "--key", "choose fields with -k FIELDS"},
    {"--filter, --if", "--where", "select records with -w EXPR"},
    {"-t, -F, --field-separator, --separator, --sep, --delim", "--delimiter",
     "set the field separator with -d C"},
    {"-r, --reverse", "--desc", "choose the direction of --by with --desc or --asc"},
    {"--sort, --sort-by, --order-by", "--by", "order rows with --by COLUMN"},
    {"--json", "--to, --from",
     "for JSON output use --to json; JSON input is detected, or use -f json"},
    {"--json", "--to", "for JSON output use --to json"},
    {"--json", "--from", "JSON input is detected, or use -f json"},
    {"--csv", "--to, --from", "for CSV output use --to csv; CSV input is detected, or use -f csv"},
    {"--csv", "--to", "for CSV output use --to csv"},
    {"--csv", "--from", "CSV input is detected, or use -f csv"},
    {"--tsv", "--to, --from", "for TSV output use --to tsv; TSV input is detected, or use -f tsv"},
    {"--tsv", "--to", "for TSV output use --to tsv"},
    {"--tsv", "--from", "TSV input is detected, or use -f tsv"},
    {"--format, --output-format", "--to", "set the output format with --to FORMAT"},
    {"--input-format", "--from", "set the input format with -f FORMAT"},
};

constexpr struct {
  const char *verb, *option, *advice;
} kValueHabits[] = {
    {"sort", "--from", "-f of sort(1) is -i here"},
    {"sort", "--delimiter", "-d of sort(1), dictionary order, is not there"},
    {"select", "--from", "-f of cut(1) is -k here"},
    {"count", "--from", "-f of uniq(1) is not there; -k names the fields to compare"},
    {"count", "--delimiter", "for -d of uniq(1) use --having 'count > 1'"},
    {"distinct", "--from", "-f of uniq(1) is not there; -k names the fields to compare"},
    {"distinct", "--delimiter", "for -d of uniq(1) use mrc count --having 'count > 1'"},
};

constexpr struct {
  const char *name, *advice;
} kVerbHabits[] = {
    {"uniq", "mrc distinct prints each line once; mrc count counts how often it occurs"},
    {"wc", "mrc wordcount counts words; mrc stats -f lines counts lines"},
    {"cut", "mrc select -k FIELDS prints fields"},
    {"awk", "mrc select prints fields and records; mrc stats computes with them"},
    {"head", "--top N prints the first N rows or lines of a verb"},
    {"top", "mrc count --top N prints the N most frequent lines"},
    {"cat", "mrc select prints records"},
    {"filter", "mrc select -w EXPR prints the records for which EXPR holds"},
    {"where", "mrc select -w EXPR prints the records for which EXPR holds"},
    {"group", "mrc stats -k FIELDS computes aggregates by group"},
    {"datamash", "mrc stats -k FIELDS computes aggregates by group"},
    {"then", "it stands between verbs, mrc VERB ... then VERB ...; see mrc-then(7)"},
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

std::string advice_on_value(const Verb &verb, const std::string &name, const std::string &value) {
  // The advice is for a list of fields, or, if the other tool's option takes no value, for a file.
  const bool is_number = !value.empty() && value[0] >= '0' && value[0] <= '9';
  if (!is_number && access(value.c_str(), F_OK) != 0) return "";
  for (const auto &habit : kValueHabits) {
    if (habit.verb == std::string_view(verb.name) && name == habit.option) return habit.advice;
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
