// --state: what a job keeps, and which jobs can.
#include "base/hash.h"
#include "cmd/values.h"
#include "plugin/plugin_job.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace mrc {
namespace {

// Why what the job makes of its input cannot be kept; nullptr: it can.
const char *obstacle(const Program &program) {
  if (program.stage != &kGroupStage && program.stage != &kPluginStage) {
    return "it keeps groups, and this job makes none";
  }
  if (program.map.values == MapSpec::Values::line &&
      program.map.records != MapSpec::Records::fields) {
    return "line numbers are not kept; use --positions byte or file";
  }
  if (!program.plugin) return nullptr;
  if (program.plugin->looks_at_rows()) return "a job with rounds reads all of its input in each";
  if (program.plugin->has_own_splits())
    return "a job that makes its own splits reads all of its input";
  return nullptr;
}

// A time in relation to now means another one the next time.
Status check_times(const Request &request) {
  for (const Job::Choice &choice : request.job.choices) {
    const bool since = choice.option == "--since", until = choice.option == "--until";
    if (!since && !until) continue;
    const std::string &asked = since ? request.since : request.until;
    if (choice.value == asked) continue;
    return Status::error(fmt::format(
        "--state: {} {} is another time in each run; group by time and leave rows out, as with "
        "-k time:day, or give a date",
        choice.option, asked));
  }
  return Status::ok();
}

}  // namespace

Status choose_state(Request *request) {
  Program &program = request->program;
  KeepSpec &keep = program.keep;
  if (keep.path.empty()) {
    return request->keeps ? Status::error("--state-wait, --state-gone: there is no --state")
                          : Status::ok();
  }
  if (const char *why = obstacle(program)) return Status::error(fmt::format("--state: {}", why));
  if (Status status = check_times(*request); !status.is_ok()) return status;
  Job meant = request->job;
  meant.inputs.clear();
  keep.mrc_version = MRC_VERSION;
  keep.job = meant.state_text();
  keep.digest = meant.state_digest();
  if (program.plugin) {
    const std::string version = program.plugin->version();
    keep.job += "plugin version " + version + "\n";
    keep.digest ^= hash_bytes(version, Seed{});
  }
  keep.creates = request->explain == Request::Explain::nothing;
  struct stat info;
  if (!keep.creates && stat(keep.path.c_str(), &info) != 0) keep.path.clear();
  return Status::ok();
}

}  // namespace mrc
