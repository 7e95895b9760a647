// engine: a scan by worker processes: one that dies costs what it has not sealed, and others map
// that (MaRCO 2: failed tasks run again, backup tasks).
#pragma once

#include "engine/input_watch.h"
#include "engine/run.h"
#include "split/split_queue.h"

namespace mrc {

// Has worker processes take all that the queue has. Tasks that workers died of more than once are
// left out, with a complaint; with --strict that is an error.
// REQUIRES: this process has one thread; no stream but compressed files
Status scan_isolated(Run *run, SplitQueue *queue, StageSink *sink, InputWatch *watch);

}  // namespace mrc
