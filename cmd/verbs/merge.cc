// mrc merge: makes rows of states from other processes.
#include "cmd/look.h"
#include "cmd/parse.h"
#include "cmd/run_job.h"
#include "cmd/values.h"
#include "kept/merge_partials.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Parses a list such as "0-3,9".
Status parse_partitions(const std::string &text, PartitionSet *partitions) {
  const Status error = Status::error("needs all, some, or numbers from 0 to 255, as in 0-3,9");
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    const std::string range = text.substr(at, comma - at);
    const size_t dash = std::min(range.find('-'), range.size());
    i64 first = 0, last = 0;
    if (!parse_integer(range.substr(0, dash), 0, kPartialPartitions - 1, &first).is_ok())
      return error;
    last = first;
    const bool has_end = dash < range.size();
    if (has_end &&
        !parse_integer(range.substr(dash + 1), first, kPartialPartitions - 1, &last).is_ok())
      return error;
    for (i64 i = first; i <= last; ++i) partitions->set(static_cast<size_t>(i));
    at = comma + 1;
  }
  return Status::ok();
}

Status set_partitions(Ask *ask, const std::string &value) {
  MergeTerms &terms = ask->merge;
  terms.some_partitions = value == "some";
  terms.only.reset();
  if (value == "all" || value == "some") return Status::ok();
  return parse_partitions(value, &terms.only.emplace());
}

const Option kOptions[] = {
    kHavingOption,
    {"--once", nullptr, "count units that come twice once, in place of an error", nullptr,
     set_flag<&Ask::merge, &MergeTerms::once>, Effect::ask},
    {"--partial-ok", nullptr, "leave out units that are missing, in place of an error", nullptr,
     set_flag<&Ask::merge, &MergeTerms::partial_ok>, Effect::ask},
    {"--partitions", "WHICH", "all; some: others are merged elsewhere; or only these, as in 0-3,9",
     nullptr, set_partitions, Effect::ask},
};

const Absent kAbsent[] = {
    {"-i, --ignore-case, -z, -0, --zero-terminated",
     "what states mean is said where they are made, with --to partial"},
    {"--geo", "addresses are looked up where records are read, as by -k 'geo(ip, \"country\")'"},
};

Result<MergedPartials> read_all(const MergeTerms &terms, const Program &program) {
  PartialMerger merger(terms);
  const std::vector<std::string> &names = program.inputs;
  for (i64 argument = 0; argument < std::ssize(names); ++argument) {
    const std::string &name = names[static_cast<size_t>(argument)];
    bool is_empty = true;
    const Result<Source> source = examine(name, program.input_command);
    if (!source.is_ok()) return source.status();
    Status status = read_partials(*source, tmpdir_of(program), [&](PartialStates states) {
      is_empty = false;
      return merger.take(argument, std::move(states));
    });
    if (!status.is_ok()) return status;
    if (is_empty && !terms.some_partitions) {
      return Status::error(
          fmt::format("{}: has no partial in it; it is cut short, or what was to "
                      "make it has failed",
                      source->name()));
    }
  }
  return merger.is_empty() ? MergedPartials() : merger.finish();
}

// True if states, or sorted records, contain positions in the input.
bool keeps_positions(const Program &program) {
  if (program.sort)
    return (program.sort->stable || program.sort->unique) && program.sort->has_key();
  const std::vector<Part> &parts = program.aggregation.parts;
  return std::ranges::any_of(parts, [](const Part &part) { return part.shift != nullptr; });
}

i64 state_bytes(const Program &program) {
  return program.sort ? program.sort->layout().state_bytes
                      : StateLayout(program.aggregation).state_bytes();
}

// Partials of sorted records may have only the first records.
Status check_limit(const MergedPartials &merged, const Program &program) {
  if (!merged.whole.ranges || merged.whole.ranges->limit < 0) return Status::ok();
  const i64 most = merged.whole.ranges->limit;
  if (program.order.limit >= 0 && program.order.limit <= most) return Status::ok();
  return Status::error(fmt::format(
      "--top: a partial has only the first {0} records of its input; use --top {0}, or fewer",
      most));
}

// Refuses states that this program would not have made.
Status check(const MergedPartials &merged, const Compiled &made) {
  // The digest includes the files of --lookup and --geo, which are not here.
  const bool has_files = !made.lookups.empty() || made.clock.geo != nullptr;
  const bool is_other = !has_files && digest_of_states(made) != merged.whole.digest;
  const bool is_sort = made.program.sort.has_value();
  if (is_other || is_sort != merged.whole.ranges.has_value() ||
      state_bytes(made.program) != merged.state_bytes) {
    return Status::error(
        fmt::format("{}: its states are those of another mrc, or of another version of the plugin",
                    merged.stretches.front().name));
  }
  if (Status status = check_limit(merged, made.program); !status.is_ok()) return status;
  if (!keeps_positions(made.program)) return Status::ok();
  const auto lost = std::ranges::find_if(
      merged.stretches, [](const MergedPartials::Stretch &each) { return !each.shift; });
  if (lost == merged.stretches.end()) return Status::ok();
  return Status::error(lost->name +
                       ": has the inputs of others in another order, and the job keeps where "
                       "things are; merge what all of these were merged from");
}

// Compiles the job that made the partials, with them in place of its inputs.
Status compile_merged(Ask ask, std::shared_ptr<const MergedPartials> merged, Compiled *made) {
  limit_kinds(&ask.kinds);
  ask.run.partial.merged = merged;
  if (Status status = compile(ask, made); !status.is_ok()) return status;
  if (Status status = check(*merged, *made); !status.is_ok()) return status;
  made->lookups.clear();
  made->program.lookups.clear();
  made->notes.clear();  // each process that read records has printed it
  return Status::ok();
}

Status compile_merge(const Ask &ask, Compiled *compiled) {
  Result<MergedPartials> read = read_all(ask.merge, compiled->program);
  if (!read.is_ok()) return read.status();
  compiled->is_done = read->stretches.empty();  // no partition was assigned to this reducer
  if (compiled->is_done) return Status::ok();
  Result<Job> job = Job::from_text(read->whole.job);
  if (!job.is_ok()) return job.status().within(read->stretches.front().name);
  if (Status status = add_choices(ask.job.choices, &*job); !status.is_ok()) return status;
  Ask of_job;
  Compiled made;
  Status status = apply(*job, &of_job);
  const auto merged = std::make_shared<const MergedPartials>(std::move(*read));
  if (status.is_ok()) status = compile_merged(std::move(of_job), merged, &made);
  if (!status.is_ok()) return status;
  made.program.inputs = ask.arguments;
  made.reporting.explain = ask.reporting.explain;
  *compiled = std::move(made);
  return Status::ok();
}

}  // namespace

extern const Verb verb_merge;
const Verb verb_merge = {
    .name = "merge",
    .arguments = "[FILE...]",
    .summary = "make rows of the states of several processes",
    .description =
        "Reads what mrc VERB --to partial has written, in files, pipes or lines of text, and\n"
        "prints the rows of the job that made it: the same bytes as those of one process that\n"
        "reads all input. The partials say which job that is. With --to partial, merge makes one\n"
        "partial of several. Partials that are damaged, cut short, of different jobs, or of the\n"
        "same input, are errors.",
    .examples =
        "  mrc count --to partial -o a.mrs a.log     on one machine\n"
        "  mrc count --to partial -o b.mrs b.log     on another one\n"
        "  mrc merge --top 10 a.mrs b.mrs            the ten most frequent lines of both\n",
    .options = kOptions,
    .absent = kAbsent,
    .compile = compile_merge,
    .no_stage = "it is no stage of a chain; write its rows into a pipe",
};

}  // namespace mrc
