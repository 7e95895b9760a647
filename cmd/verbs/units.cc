#include "cmd/chain.h"
#include "cmd/help.h"
#include "cmd/messages.h"
#include "cmd/parse.h"
#include "cmd/run_job.h"
#include "cmd/values.h"
#include "engine/engine.h"
#include "kept/unit_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>

namespace mrc {
namespace {

// Returns the end of the words of mrc units, which is the verb of the job.
std::vector<std::string>::const_iterator find_job_verb(const std::vector<std::string> &words) {
  auto at = words.begin();
  for (; at != words.end() && at->starts_with('-'); ++at) {
    if (takes_next(*find_verb("units"), *at) && ++at == words.end()) break;
  }
  return at;
}

// Compiles the job whose units are listed.
Status compile_listed(const std::string &name, const std::vector<std::string> &others,
                      Compiled *job) {
  std::vector<std::string> all = {name};
  all.insert(all.end(), others.begin(), others.end());
  const Result<std::vector<StageWords>> stages = split_stages(all);
  if (stages.is_ok() && stages->size() > 1) {
    return Status::error("--list: a chain has no states; list the units of its first stage");
  }
  Result<StageWords> words = begin_stage(name, others);
  if (!words.is_ok()) return words.status();
  if (words->verb == nullptr || !words->verb->is_job()) return unknown_verb(name);
  words->words.insert(words->words.end(), others.begin(), others.end());
  Ask ask;
  if (Status status = parse(*words->verb, words->words, &ask); !status.is_ok()) return status;
  ask.run.partial.is_wanted = true;
  return compile(ask, job);
}

// `own` is about mrc units itself. If it asks for help, there is no job.
Status compile_both(const std::vector<std::string> &arguments, Ask *own, Compiled *job) {
  const auto verb = find_job_verb(arguments);
  Status status = parse(*find_verb("units"), {arguments.begin(), verb}, own);
  if (!status.is_ok() || own->help != Ask::Help::none) return status;
  if (verb == arguments.end()) return Status::error("units: --list: needs a job: VERB FILE...");
  status = compile_listed(*verb, {verb + 1, arguments.end()}, job);
  if (status.is_ok() && own->units.ranges > 1 && job->program.stage->makes != Makes::records) {
    status =
        Status::error("--splitters: is for mrc sort; other states are in 256 partitions anyway");
  }
  return status.is_ok() ? status : status.within("units");
}

Result<std::string> text_of(const Compiled &job, const AskedUnits &own) {
  std::vector<std::string> notes;
  Result<UnitList> list = list_units(job.program, own.bytes, own.ranges, &notes);
  for (const std::string &note : notes) say_info(note);
  if (!list.is_ok()) return list.status().within("units");
  list->job = sent_job(job.job).to_text();
  list->newest = newest_change(job);
  return list->to_text();
}

}  // namespace

bool asks_for_list(const std::vector<std::string> &arguments) {
  const auto verb = find_job_verb(arguments);
  return std::find(arguments.begin(), verb, "--list") != verb;
}

int print_units(const std::vector<std::string> &arguments) {
  Ask own;
  Compiled job;
  if (Status status = compile_both(arguments, &own, &job); !status.is_ok()) return fail(status);
  if (own.help != Ask::Help::none) return print(help_of(*find_verb("units"), own.help));
  if (const int status = read_lookups(&job); status != kWhole) return status;
  for (const std::string &note : job.notes) say_info(note);
  const Result<std::string> text = text_of(job, own.units);
  return text.is_ok() ? print(*text) : fail(text.status());
}

// mrc units: divides a job into units, which processes on any machines map.

namespace {

constexpr i64 kMostRanges = 64;

const Option kOptions[] = {
    {"--list", nullptr, "list the units of the job that follows: VERB OPTIONS FILE...", nullptr,
     accept, Effect::ask},
    {"--size", "SIZE", "with --list: bytes of a unit; default: 128M", nullptr,
     set_size<&Ask::units, &AskedUnits::bytes>, Effect::ask},
    {"--splitters", "N",
     "with --list: divide what is sorted into N ranges, which merge in parallel", nullptr,
     set_integer<1, kMostRanges, &Ask::units, &AskedUnits::ranges>, Effect::ask},
    {"--job", "FILE", "map units of this list", nullptr,
     set_text<"needs the name of a list that mrc units --list has printed", &Ask::units,
              &AskedUnits::list>,
     Effect::ask},
    {"--unit", "UNIT", "a unit to map: NUMBER:FILE:OFFSET:LENGTH, or NUMBER", nullptr,
     add_text<&Ask::units, &AskedUnits::names>, Effect::ask, false, false, true},
};

const Absent kAbsent[] = {
    {"-i, --ignore-case, -z, -0, --zero-terminated, --by, --asc, --desc, --top, --header-out, "
     "--raw, --human, --round, --color, --input-cmd",
     "it belongs to the job, after its verb"},
};

Result<std::string> read_text(const std::string &path) {
  const std::ifstream file(path == "-" ? "/dev/stdin" : path, std::ios::binary);
  if (!file) return Status::from_errno(path, errno);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Finds the units with these names, each once.
Result<std::vector<PartialUnit>> find_units(const UnitList &list,
                                            const std::vector<std::string> &names) {
  std::vector<PartialUnit> units;
  for (const std::string &name : names) {
    const Result<PartialUnit> unit = list.find(name);
    if (!unit.is_ok()) return unit.status().within("--unit");
    if (std::ranges::find(units, *unit) == units.end()) units.push_back(*unit);
  }
  std::ranges::sort(units, {}, &PartialUnit::number);
  return units;
}

Result<UnitList> read_list(const std::string &path) {
  const Result<std::string> text = read_text(path);
  if (!text.is_ok()) return text.status().within("--job");
  Result<UnitList> list = UnitList::from_text(*text);
  return list.is_ok() ? std::move(list) : list.status().within("--job: " + path);
}

Status compile_units(const Ask &ask, Compiled *compiled) {
  if (!ask.arguments.empty()) {
    return Status::error("unexpected " + ask.arguments[0] + "; the list names the inputs");
  }
  if (ask.units.list.empty() || ask.units.names.empty()) {
    return Status::error("needs --list VERB OPTIONS FILE..., or --job FILE and --unit UNIT");
  }
  Result<UnitList> list = read_list(ask.units.list);
  if (!list.is_ok()) return list.status();
  Result<std::vector<PartialUnit>> units = find_units(*list, ask.units.names);
  if (!units.is_ok()) return units.status();
  Result<Job> job = Job::from_text(list->job);
  if (!job.is_ok()) return job.status().within("--job: " + ask.units.list);
  Ask of_job;
  Compiled made;
  made.newest = list->newest;
  Status status = add_choices(ask.job.choices, &*job);
  if (status.is_ok()) status = apply(*job, &of_job);
  PartialSpec &partial = of_job.run.partial;
  partial.is_wanted = true;
  partial.units = std::move(*units);
  partial.listed = std::make_shared<const UnitList>(std::move(*list));
  if (status.is_ok()) status = compile(of_job, &made);
  if (!status.is_ok()) return status;
  made.reporting.explain = ask.reporting.explain;
  made.notes.clear();  // mrc units --list has printed it
  *compiled = std::move(made);
  return Status::ok();
}

}  // namespace

extern const Verb verb_units;
const Verb verb_units = {
    .name = "units",
    .arguments = "--list VERB [OPTIONS] FILE... | --job FILE --unit UNIT",
    .summary = "divide a job into units that other machines map",
    .description =
        "With --list, finds out how the inputs of a job are read, where they may be cut, and\n"
        "prints that, and a line for each unit. With --job and --unit, maps units of such a list,\n"
        "and writes their states, as --to partial does. mrc merge makes rows of all of them: the\n"
        "same bytes as those of one process that reads all input.",
    .examples =
        "  mrc units --list stats -k path -a count,p95:bytes access.log > job\n"
        "  mrc units --job job --unit 0 -o 0.mrs\n"
        "  mrc units --job job --unit 1 -o 1.mrs\n"
        "  mrc merge --by count 0.mrs 1.mrs\n",
    .options = kOptions,
    .absent = kAbsent,
    .compile = compile_units,
    .no_stage = "it is no stage of a chain; write its rows into a pipe",
};

}  // namespace mrc
