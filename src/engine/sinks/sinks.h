// sinks: what a scan makes of the records of a job, one file for each kind.
#pragma once

#include "engine/run.h"
#include "engine/scan.h"

#include <memory>

namespace mrc {

// Keys are grouped and combined; what workers hand over is in run->outputs.
std::unique_ptr<Sink> make_group_sink(Run *run);
// Records become rows with sort keys, in run->stores and run->runs.
std::unique_ptr<Sink> make_sort_sink(Run *run);
// Chunks become text, which is written in the order of the input.
std::unique_ptr<Sink> make_text_sink(Run *run);
// The hashes of keys go into a sketch: run->report.keys, about.
std::unique_ptr<Sink> make_sketch_sink(Run *run);
// Whether records are in order already: run->report.disorder.
std::unique_ptr<Sink> make_check_sink(Run *run);

}  // namespace mrc
