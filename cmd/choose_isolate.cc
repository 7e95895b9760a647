// --isolate: which jobs can have worker processes, and what these may take.
#include "cmd/values.h"
#include "plugin/plugin_job.h"

#include <fmt/format.h>

namespace mrc {
namespace {

// Why the workers of a job cannot be processes; nullptr: they can.
const char *obstacle(const Program &program) {
  if (program.stage != &kGroupStage && program.stage != &kPluginStage) {
    return "worker processes hand over groups, and this job makes none";
  }
  if (program.follows) return "not together with --follow";
  if (program.live.is_wanted()) return "not together with --live";
  if (!program.keep.path.empty()) {
    return program.keep.is_checkpoint ? "not together with --checkpoint"
                                      : "not together with --state";
  }
  if (program.tile_bytes > 0 || program.tiling == Tiling::cache) return "not together with --tile";
  if (program.container != nullptr && !program.container->shows_early) {
    return "this container cannot be saved; use flat";
  }
  if (program.plugin && program.plugin->has_own_splits()) {
    return "a job that makes its own splits does so in one process";
  }
  return nullptr;
}

}  // namespace

Status choose_isolate(Request *request) {
  Program &program = request->program;
  IsolationSpec &isolation = program.isolation;
  if (!isolation.is_wanted && isolation.unit_seconds > 0) {
    return Status::error("--unit-timeout: there is no --isolate");
  }
  if (!isolation.is_wanted) return Status::ok();
  if (const char *why = obstacle(program)) return Status::error(fmt::format("--isolate: {}", why));
  isolation.only_plans = request->explain != Request::Explain::nothing;
  return Status::ok();
}

}  // namespace mrc
