#include "engine/inner/conduct.h"

#include "engine/inner/checkpointed.h"
#include "engine/inner/isolated.h"
#include "engine/inner/kept_tiles.h"

namespace mrc {

std::unique_ptr<Conduct> make_conduct(Run *run, Products *products) {
  if (run->plan.state) return std::make_unique<KeptTiles>(run, products);
  if (run->plan.checkpoint) return std::make_unique<Checkpointed>(run, products);
  if (run->program.isolation.is_wanted) return std::make_unique<Isolated>(run, products);
  return nullptr;
}

}  // namespace mrc
