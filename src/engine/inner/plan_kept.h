// engine: which part of the input a run reads if earlier runs have kept results.
#pragma once

#include "engine/engine.h"

namespace mrc {

// Opens the kept directory and matches its sources with the inputs.
void plan_kept(const Program &program, Plan *plan);
// True if an unterminated last record of the file counts.
bool counts_last_line(const KeepSpec &keep, const Source &source);
// Leaves an unterminated last record to the next run, or until its rest arrives, unless the program
// counts it. Applies to files that may grow: with a state, or if they are followed. REQUIRES:
// formats are known
void plan_last_lines(const Program &program, const CutBytes &ends_of_records, Plan *plan);
// With tiles by content: cuts changed files into tiles, and has only those read that are not kept.
// REQUIRES: formats are known, and unterminated last records are left
void plan_content_tiles(const Program &program, const CutBytes &ends_of_records, Plan *plan);

}  // namespace mrc
