// --state, --checkpoint: jobs that can keep states, and the description that is kept with them.
#include "base/hash.h"
#include "cmd/conducts.h"
#include "cmd/parse.h"
#include "cmd/values.h"
#include "plugin/plugin_job.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace mrc {
namespace {

// Refuses times relative to now, which have another meaning in the next run.
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

// Refuses both options together, because they are two ways to continue. Returns false if neither is
// set.
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

// True if text has colors, or characters that a terminal would obey are escaped.
bool is_for_terminal(const Request &request) {
  const RowShape &shape = request.program.shape;
  return request.grep.color || (shape.terminal && !shape.raw);
}

bool prints_names(const Request &request) {
  return request.grep.names && request.grep.answer == GrepSpec::Answer::lines;
}

// Sets the digest of the job, and its description for users.
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
  const bool of_rows = request.program.stage->makes == Makes::records;
  if (!keep->of_text && !of_rows) return;
  // Text is a part of the answer, and lines have names of inputs if there are several. Rows are
  // only those that may be in the answer.
  if (keep->is_checkpoint && !of_rows) {
    add("inputs ", std::to_string(request.program.inputs.size()));
  }
  const bool keeps_text = keep->of_text && !keep->is_checkpoint;
  if (keeps_text && is_for_terminal(request)) add("", "text for a terminal");
  if (keeps_text && prints_names(request)) add("", "names of inputs");
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
  const ConductOption conduct = keep.is_checkpoint ? kCheckpoint : kState;
  if (Status status = check_conduct(conduct, *request); !status.is_ok()) return status;
  keep.terminator = program.map.terminator;
  keep.of_text = program.stage->makes == Makes::text;
  if (Status status = check_times(*request, option); !status.is_ok()) return status;
  describe_job(*request, &keep);
  keep.creates = request->explain == Request::Explain::nothing;
  struct stat info;
  if (!keep.creates && stat(keep.path.c_str(), &info) != 0) keep.path.clear();
  return Status::ok();
}

}  // namespace mrc
