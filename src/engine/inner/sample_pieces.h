// The pieces of the input that a sample reads.
#pragma once

#include "engine/inner/sample.h"
#include "engine/inner/switches.h"
#include "split/chunk_source.h"

#include <memory>

namespace mrc {

// Makes the source of pieces that the switches ask for, for one worker. Each unit is one chunk, or
// none if the piece has no whole record or could not be read. Sets the number and the size of
// pieces in the sample. The plan must outlive the source.
std::unique_ptr<ChunkSource> make_pieces(const Switches &switches, const Plan &plan, CutBytes cuts,
                                         Sample *sample);

}  // namespace mrc
