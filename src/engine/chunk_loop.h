// What all ways to map have in common: one chunk after another, until there are no more.
#pragma once

#include "engine/run.h"
#include "split/split.h"

#include <functional>

namespace mrc {

// For the workers of one map phase. What they have read goes to the run's report.
class ChunkLoop {
 public:
  // Chunks are those of the queue, or of the splits that the job itself has made.
  ChunkLoop(Run *run, SplitQueue *queue) : run_(*run), queue_(*queue) {}

  // Calls take(chunk, &records) for each chunk that the worker gets, and stops at an error.
  using Take = std::function<Status(const Chunk &chunk, i64 *records)>;
  Status each(i64 worker, const Take &take);

 private:
  struct Counts {
    i64 records = 0, splits = 0, stolen = 0, bytes = 0;
  };

  Status each_of_queue(i64 worker, const Take &take, Counts *counts);
  Status each_own(i64 worker, const Take &take, Counts *counts);
  void complain_of_rest(const Chunk &chunk);
  void watch();

  Run &run_;
  SplitQueue &queue_;
};

}  // namespace mrc
