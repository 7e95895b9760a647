// engine: what of the input is read, if earlier runs have kept what they made of it.
#pragma once

#include "engine/engine.h"

namespace mrc {

// Opens what is kept, and finds out which input is which source of it.
void plan_kept(const Program &program, Plan *plan);
// Whether a last record of the file that does not end counts.
bool counts_last_line(const KeepSpec &keep, const Source &source);
// Leaves a last record that does not end to the next run, or to the time when its rest has arrived,
// unless the program counts it. Only files that may grow have one: with a state, or if they are
// followed. REQUIRES: formats are known
void plan_last_lines(const Program &program, const CutBytes &ends_of_records, Plan *plan);
// With tiles by content: looks at all of the files that have changed, and leaves to be read what
// no tile is kept of. REQUIRES: formats are known, and partial records are left
void plan_content_tiles(const Program &program, const CutBytes &ends_of_records, Plan *plan);

}  // namespace mrc
