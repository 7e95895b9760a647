// engine: reads the input of a job before the job does, for running fields of all records.
#pragma once

#include "engine/inner/input_watch.h"
#include "engine/inner/running_pass.h"
#include "split/split_queue.h"

namespace mrc {

// True if the bytes of the input come only once, as those of a pipe or of a command do.
bool is_read_once(const Source &source);

// Takes all chunks of the queue for `pass`, which gathers. The job itself reports malformed records
// when it reads them. `watch`: one that the job does not use; the queue is attached to it.
Status gather_groups(Run *run, SplitQueue *queue, InputWatch *watch, RunningPass *pass);

// Returns the error if an input can be read only once.
Status check_reread(const Run &run, const RunningField &field);

}  // namespace mrc
