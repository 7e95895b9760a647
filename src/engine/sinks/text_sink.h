// Makes the sink that writes text of chunks. Stages that do other things as well use it, too.
#pragma once

#include "engine/inner/stage.h"
#include "map/transform.h"

#include <memory>

namespace mrc {

// Makes the sink. Both arguments must outlive it.
std::unique_ptr<StageSink> make_text_sink(Run *run, const Transformer &transformer);

}  // namespace mrc
