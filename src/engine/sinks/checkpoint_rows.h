// Rows of a job that leaves checkpoints: each worker writes those of a tile to a file of its own,
// as sorted runs. No file is read before all input is.
#pragma once

#include "engine/checkpoints.h"
#include "engine/run.h"
#include "rows/ordered_rows.h"

#include <memory>
#include <mutex>
#include <vector>

namespace mrc {

class CheckpointRows {
 public:
  // Both outlive this, and `rows` is not used any more when this goes.
  CheckpointRows(Run *run, OrderedRows *rows);

  Checkpoints &checkpoints() { return checkpoints_; }

  // What a worker has on disk of the tile that it is in.
  struct Part {
    std::shared_ptr<StatePart> saved;  // null: nothing
    RowRuns::File *runs = nullptr;
  };
  // A worker has more rows than fit. They go to its part, or, if there are no checkpoints any more,
  // to where they go without.
  Status make_room(RowStore *store, Part *part);
  // A worker has made all rows of a tile. Takes the part, which has all of them; null: there are
  // none. An error loses nothing.
  Result<std::shared_ptr<StatePart>> take(RowStore *store, Part *part);

  // After the scan: adds what earlier runs have saved.
  Status load();

 private:
  Status save(RowStore *store, Part *part);

  Run &run_;
  CheckpointInputs &inputs_;
  OrderedRows &rows_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<StatePart>> saved_;  // rows are read from them in the end
  std::vector<std::unique_ptr<RunFile>> earlier_;
  Checkpoints checkpoints_;
};

}  // namespace mrc
