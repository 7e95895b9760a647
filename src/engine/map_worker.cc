#include "engine/map_worker.h"

namespace mrc {

std::unique_ptr<MapOutput> MapWorker::finish() {
  output_->groups.seal([this](State *const *into, State *const *from, i64 n) {
    layout_.merge(into, from, n, &output_->arena);
  });
  return std::move(output_);
}

}  // namespace mrc
