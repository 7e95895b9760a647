// --follow: which jobs can go on with what is appended to their input.
#include "cmd/values.h"
#include "plugin/plugin_job.h"

#include <algorithm>

namespace mrc {
namespace {

// Why the job cannot follow its input; nullptr: it can.
const char *obstacle(const Request &request) {
  const Program &program = request.program;
  const PluginJob *plugin = program.plugin.get();
  if (program.stage == &kSortStage || program.stage == &kCheckStage) {
    return "the order of records is known when all are there";
  }
  if (starts_records(program)) {
    return "--record-start: the next line may go on with the last record; leave one of them out";
  }
  if (!program.input_command.empty()) {
    return "--input-cmd: nothing is appended to what a command has printed";
  }
  if (program.keep.is_checkpoint) return "--checkpoint is for jobs that end";
  if (request.explain != Request::Explain::nothing) {
    return "--explain prints a plan for what is there";
  }
  if (program.io == IoMode::mmap) return "--io mmap is for files that do not grow";
  if (plugin != nullptr && plugin->functions().round != nullptr) {
    return "a job with rounds reads all of its input in each";
  }
  if (plugin != nullptr && plugin->has_own_splits()) {
    return "a job that makes its own splits reads all of its input";
  }
  return nullptr;
}

}  // namespace

Status check_follow(const Request &request) {
  if (!request.program.follows) return Status::ok();
  const char *why = obstacle(request);
  return why == nullptr ? Status::ok() : Status::error(std::string("--follow: ") + why);
}

}  // namespace mrc
