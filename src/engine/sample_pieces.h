// The pieces of the input that a sample is made of.
#pragma once

#include "engine/sample.h"
#include "engine/switches.h"
#include "split/chunk_source.h"

#include <memory>

namespace mrc {

// Chosen by the switches, for one worker: units of one chunk each, or of none where a piece has
// no whole record or could not be read. Says in the sample how many there are, and how large.
// The plan must outlive it.
std::unique_ptr<ChunkSource> make_pieces(const Switches &switches, const Plan &plan, CutBytes cuts,
                                         Sample *sample);

}  // namespace mrc
