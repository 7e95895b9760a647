// The sink of chunks that become text, for stages that have one among others.
#pragma once

#include "engine/stage.h"
#include "map/transform.h"

#include <memory>

namespace mrc {

// Both must outlive the sink.
std::unique_ptr<StageSink> make_text_sink(Run *run, const Transformer &transformer);

}  // namespace mrc
