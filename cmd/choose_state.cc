// --state, --checkpoint: what a job keeps, and which jobs can.
#include "base/hash.h"
#include "cmd/parse.h"
#include "cmd/values.h"
#include "plugin/plugin_job.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace mrc {
namespace {

// Why what the job makes of its input cannot be kept; nullptr: it can.
const char *obstacle(const Program &program) {
  const bool of_text = program.keep.is_checkpoint && program.stage == &kTextStage;
  const bool of_rows = program.keep.is_checkpoint && program.stage == &kSortStage;
  if (of_text && !is_output_file(program.output)) {
    return "what was printed before a crash cannot be taken back; use --output FILE";
  }
  if (starts_records(program)) {
    return "--record-start: what is appended may go on with the last record; leave one of them out";
  }
  if (!program.input_command.empty()) {
    return "--input-cmd: what a command prints cannot be told from what is new; write it to a file "
           "first";
  }
  if (program.stage == &kCheckStage) return "a check makes nothing that could be kept";
  if (!of_text && !of_rows && program.stage != &kGroupStage && program.stage != &kPluginStage) {
    return "it keeps groups, and this job makes none";
  }
  if (program.map.values == MapSpec::Values::line &&
      program.map.records != MapSpec::Records::fields) {
    return "line numbers are not kept; use --positions byte or file";
  }
  if (program.keep.is_checkpoint && !program.bad_path.empty()) {
    return "what --bad has written is lost in a crash";
  }
  if (!program.plugin) return nullptr;
  if (program.plugin->looks_at_rows()) return "a job with rounds reads all of its input in each";
  if (program.plugin->has_own_splits())
    return "a job that makes its own splits reads all of its input";
  return nullptr;
}

// A time in relation to now means another one the next time.
Status check_times(const Request &request, const char *option) {
  for (const Job::Choice &choice : request.job.choices) {
    const bool since = choice.option == "--since", until = choice.option == "--until";
    if (!since && !until) continue;
    const std::string &asked = since ? request.since : request.until;
    if (choice.value == asked) continue;
    return Status::error(fmt::format(
        "{}: {} {} is another time in each run; group by time and leave rows out, as with "
        "-k time:day, or give a date",
        option, choice.option, asked));
  }
  return Status::ok();
}

// Both at once would be two ways to go on. False: neither was asked for.
Result<bool> choose_directory(Request *request) {
  KeepSpec &keep = request->program.keep;
  const bool state = !keep.path.empty(), checkpoint = !request->checkpoint.empty();
  if (state && checkpoint) {
    return Status::error(
        "--state, --checkpoint: not both; a job keeps what it has read when it ends, or until "
        "then");
  }
  if (request->keeps && !state) {
    return Status::error(
        "--state-wait, --state-gone, --state-tiles, --state-last-line: there is no --state");
  }
  if (request->checkpoints && !checkpoint) {
    return Status::error("--checkpoint-every, --resume: there is no --checkpoint");
  }
  if (keep.tile_bytes > 0 && request->keeps_gone) {
    return Status::error(
        "--state-tiles, --state-gone keep: not both; a file that is gone cannot be told from one "
        "that was edited");
  }
  keep.drops_gone |= keep.tile_bytes > 0;
  keep.is_checkpoint = checkpoint;
  if (checkpoint) keep.path = request->checkpoint;
  return state || checkpoint;
}

}  // namespace

u64 digest_of_states(const Request &request) {
  u64 digest = request.job.state_digest();
  if (request.program.plugin) digest ^= hash_bytes(request.program.plugin->version(), Seed{});
  return digest;
}

namespace {

// The same, for programs and for people.
void describe_job(const Request &request, KeepSpec *keep) {
  Job meant = request.job;
  meant.inputs.clear();
  keep->mrc_version = MRC_VERSION;
  keep->job = meant.state_text();
  keep->digest = digest_of_states(request);
  const auto add = [&](const std::string &what, const std::string &value) {
    keep->job += what + value + "\n";
    keep->digest ^= hash_bytes(value, Seed{});
  };
  if (request.program.plugin) {
    keep->job += fmt::format("plugin version {}\n", request.program.plugin->version());
  }
  if (keep->is_checkpoint) add("", "checkpoint");
  const bool of_rows = request.program.stage == &kSortStage;
  if (!keep->of_text && !of_rows) return;
  // Text is the answer, and inputs have their names in it if there are several. Of rows, only those
  // are saved that may be in the answer.
  if (!of_rows) add("inputs ", std::to_string(request.program.inputs.size()));
  keep->digest ^= meant.answer_digest();
  for (const Job::Choice &choice : meant.choices) {
    const Option *option = find_option(*find_verb(meant.verb), choice.option);
    if (option->effect == Effect::answer) keep->job += choice.option + " " + choice.value + "\n";
  }
}

}  // namespace

Status choose_state(Request *request) {
  Program &program = request->program;
  KeepSpec &keep = program.keep;
  const Result<bool> keeps = choose_directory(request);
  if (!keeps.is_ok() || !*keeps) return keeps.status();
  const char *const option = keep.is_checkpoint ? "--checkpoint" : "--state";
  if (const char *why = obstacle(program)) {
    return Status::error(fmt::format("{}: {}", option, why));
  }
  keep.terminator = program.map.terminator;
  keep.of_text = program.stage == &kTextStage;
  if (Status status = check_times(*request, option); !status.is_ok()) return status;
  describe_job(*request, &keep);
  keep.creates = request->explain == Request::Explain::nothing;
  struct stat info;
  if (!keep.creates && stat(keep.path.c_str(), &info) != 0) keep.path.clear();
  return Status::ok();
}

}  // namespace mrc
