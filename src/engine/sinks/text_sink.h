// The sink that makes text of chunks, also for stages that use it beside others.
#pragma once

#include "engine/inner/stage.h"
#include "map/transform.h"

#include <memory>

namespace mrc {

// Makes the sink. Both arguments must outlive it.
std::unique_ptr<StageSink> make_text_sink(Run *run, const Transformer &transformer);

}  // namespace mrc
