// engine: reads records after a chunk, for functions that look at later records.
#pragma once

#include "expr/running.h"
#include "split/split.h"

#include <optional>
#include <vector>

namespace mrc {

// The one input of a job, which is a file. For one worker; not thread safe.
class RunningAhead {
 public:
  // `records`: how many are read after each chunk, or a few more; `memory`: a limit for their
  // bytes. The source outlives this.
  RunningAhead(const Source &source, CutBytes cuts, i64 records, i64 memory)
      : source_(source), cuts_(cuts), records_(records), memory_(memory) {}

  // Adds the records after the chunk to the input, which has read the chunk by the scan. There are
  // fewer at the end of the file.
  Status read(const Chunk &chunk, RunningScan *scan, RunningInput *input);

 private:
  const Source &source_;
  const CutBytes cuts_;
  const i64 records_;
  const i64 memory_;
  std::optional<InputFile> file_;  // once it is needed
  std::vector<char> bytes_;
};

}  // namespace mrc
