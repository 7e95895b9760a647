#include "cmd/advice.h"

#include "cmd/look.h"
#include "cmd/parse.h"

#include <errno.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

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

constexpr ForeignVerb kForeignVerbs[] = {
#define FOREIGN(program, name, command) {program, name, command, true},
#define FOREIGN_NOTE(program, name, text) {program, name, text, false},
#include "cmd/foreign_verbs.inc"
#undef FOREIGN
#undef FOREIGN_NOTE
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

std::span<const ForeignVerb> foreign_verbs() { return kForeignVerbs; }

std::string ForeignVerb::origin() const {
  return *program == '\0' ? name : fmt::format("{} {}", program, name);
}

// Verbs of several programs that have the same advice are named together.
std::string advice_on_verb(const std::string &name) {
  if (name == "then") return "it stands between verbs, mrc VERB ... then VERB ...; see mrc-then(7)";
  std::vector<std::pair<std::string, std::string_view>> advice;  // origins, and what is for them
  for (const ForeignVerb &verb : kForeignVerbs) {
    const std::string_view full = verb.name;
    if (full.substr(0, full.find(' ')) != name) continue;
    const auto same = std::ranges::find(advice, verb.ours, [](auto &row) { return row.second; });
    if (same == advice.end()) {
      advice.emplace_back(verb.origin(), verb.ours);
    } else {
      same->first += ", " + verb.origin();
    }
  }
  std::string text;
  for (const auto &[origins, ours] : advice) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", origins, ours);
  }
  return text;
}

namespace {

bool is_missing(const std::string &input) {
  struct stat info;
  return input != "-" && stat(input.c_str(), &info) != 0 && errno != EACCES;
}

// True if the text has an operator that file names hardly ever have. "=" alone is not enough,
// because it is in dates of directories.
bool is_condition(const std::string &input) {
  constexpr std::array kOperators = {"==", "!=", "=~", "!~", "<", ">", " between "};
  if (input.starts_with("sqlite:")) return false;  // its query may have some
  return std::any_of(kOperators.begin(), kOperators.end(),
                     [&](const char *op) { return input.find(op) != std::string::npos; });
}

Status misplaced_condition(const std::string &input) {
  const bool whole =
      std::ranges::any_of(input, [](unsigned char c) { return std::isalnum(c) != 0; });
  const bool quotable = input.find('\'') == std::string::npos;
  return Status::error(fmt::format("\"{}\" is {}a condition, not a file; write -w '{}'", input,
                                   whole ? "" : "part of ",
                                   whole && quotable ? input : "status == 200"));
}

// Returns the part before a bucket, a value or another field.
std::string field_in(const std::string &input) {
  return input.substr(0, input.find_first_of(":,= "));
}

bool may_be_field(const std::string &input) {
  return !input.empty() && input.find_first_of("/.") == std::string::npos;
}

Status misplaced_field(const std::string &input, const FirstFile &file) {
  const std::string field = field_in(input);
  const size_t sign = input.find('=');
  const std::string option = sign == std::string::npos
                                 ? fmt::format("-k {}", input)
                                 : fmt::format("-w '{} == {}'", field, input.substr(sign + 1));
  return Status::error(fmt::format("\"{}\" is not a file, but {} is a field of {}; write {}", input,
                                   field, file.path, option));
}

}  // namespace

Status check_inputs(const Compiled &compiled) {
  const Program &program = compiled.program;
  if (!program.input_command.empty()) return Status::ok();  // they are not files
  if (program.plugin) return Status::ok();                  // it has no keys that the user chooses
  std::vector<std::string> missing;
  std::copy_if(program.inputs.begin(), program.inputs.end(), std::back_inserter(missing),
               is_missing);
  for (const std::string &input : missing) {
    if (is_condition(input)) return misplaced_condition(input);
  }
  std::erase_if(missing, [](const std::string &input) { return !may_be_field(input); });
  const bool has_operand = *find_verb(compiled.job.verb)->operand != '\0';
  if (missing.empty() || has_operand) return Status::ok();
  if (const std::optional<FirstFile> file = look_at_first_file(program)) {
    for (const std::string &input : missing) {
      if (file->field({field_in(input)}) != nullptr) return misplaced_field(input, *file);
    }
  } else if (missing.size() == program.inputs.size()) {
    return Status::error(
        fmt::format("{0}: No such file or directory; if it is a field, write -k {0}", missing[0]));
  }
  return Status::ok();
}

}  // namespace mrc
