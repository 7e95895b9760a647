#include "engine/sinks/group_conduct.h"

#include "engine/inner/shown.h"
#include "engine/sinks/grouping.h"
#include "engine/sinks/live_groups.h"
#include "engine/sinks/plain_groups.h"
#include "engine/sinks/tiled_groups.h"

namespace mrc {

std::unique_ptr<Conduct> make_group_conduct(GroupingSink *sink) {
  Run *const run = &sink->run();
  if (run->plan.tile_bytes > 0) return std::make_unique<TiledGroups>(sink);
  if (auto conduct = make_conduct(run, sink)) return conduct;
  if (run->program.live.is_wanted()) {
    return std::make_unique<Shown>(run, sink, std::make_unique<LiveGroups>(sink));
  }
  return std::make_unique<PlainGroups>(sink);
}

}  // namespace mrc
