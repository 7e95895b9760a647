// engine: a scan by worker processes. If one dies, only what it has not sealed is lost, and others
// map that again (MaRCO 2: failed tasks run again, backup tasks).
#pragma once

#include "engine/inner/input_watch.h"
#include "engine/inner/run.h"
#include "split/split_queue.h"

namespace mrc {

// Has worker processes map all units of the queue. Leaves out tasks whose workers died more than
// once, with a complaint; with --strict, this is an error. REQUIRES: this process has one thread;
// the only streams are compressed files
Status scan_isolated(Run *run, SplitQueue *queue, StageSink *sink, InputWatch *watch);

}  // namespace mrc
