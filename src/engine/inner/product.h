// engine: what one worker makes of the input. A conduct (conduct.h) decides what becomes of it.
#pragma once

#include "map/map.h"
#include "portion.h"
#include "store/sealed_run.h"
#include "store/store.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// A file in which a worker has saved a part of its product. The destructor removes the file unless
// a checkpoint names it.
struct SavedPart {
  i64 number = -1;  // of the run in a kept directory; -1: the file is temporary
  RunFile file;
  bool is_named = false;
};
using SavedParts = std::vector<std::shared_ptr<SavedPart>>;

// Gives workers the files for their parts. Any thread.
class PartFiles {
 public:
  virtual ~PartFiles() = default;
  virtual Result<std::shared_ptr<SavedPart>> create() = 0;
  // Bytes that a worker may save again with each part. With more, it starts over after saving.
  virtual i64 most_bytes() const = 0;
  // True if nothing more is to be saved.
  virtual bool has_failed() { return false; }
  // Called if a part cannot be saved. If it returns ok, the job continues without the part.
  virtual Status fail(const Status &status) { return status; }
};

// The results of one worker in a tile, on their way to a file.
class TileProduct {
 public:
  virtual ~TileProduct() = default;
};
using TileProducts = std::vector<std::unique_ptr<TileProduct>>;

// A range of a source, and what was made of it.
struct KeptStretch {
  Portion portion;
  u64 origin = 0;                        // positions in the blocks are relative to it
  std::vector<StoredBlock> blocks = {};  // in order, all in one file
};

// One thread.
class Product {
 public:
  virtual ~Product() = default;
  // Takes a chunk, and adds the number of its records to *records.
  virtual Status take(const Chunk &chunk, i64 *records) = 0;
  // Adds to the product what it holds back until its end, such as records of a plugin.
  virtual Status settle() { return Status::ok(); }
  // Hands everything over to the sink. Called once, when the input ends, even after an error. Then
  // it is not `whole`, and does not count.
  virtual Status hand_over(bool whole) = 0;
  // Saves all that was made since the product last started over; null: nothing was made. Sets
  // *emptied if it starts over now; an error then loses that part. REQUIRES: the product has files
  virtual Result<std::shared_ptr<SavedPart>> save(bool *emptied) = 0;
  // Appends what another process needs besides the saved parts.
  virtual void move_notes(std::string *) {}

  // For results that are kept by tiles:
  // Called before the first chunk of each tile.
  virtual void begin_tile() = 0;
  // Returns all that was made since begin_tile().
  virtual Result<std::unique_ptr<TileProduct>> end_tile() = 0;
};

// The products of a stage: its sink, for conducts.
class Products {
 public:
  virtual ~Products() = default;
  // Makes the product of a worker, on its thread. `bad` takes malformed records. `files`, which may
  // be null, are for parts to save. Both outlive the product.
  virtual std::unique_ptr<Product> make_product(i64 worker, BadRecordSink *bad,
                                                PartFiles *files) = 0;
  // Adds saved parts to the results, after the scan. `own` are those of this process, after which
  // products have started over; `others` are those of other runs and processes.
  virtual Status adopt(SavedParts others, SavedParts own) = 0;
  // Takes notes of another process.
  virtual void take_notes(Bytes) {}

  // For results that are kept by tiles:
  virtual RecordShape kept_shape() const = 0;
  // Writes what workers have made of a tile. Positions then count from `origin`. Any thread.
  virtual Status seal(TileProducts parts, u64 origin, SealedRun *run, SealedBlocks *written) = 0;
  // Writes tiles of one source, which are in order, as one. Any thread.
  virtual Status merge(std::span<const KeptStretch> tiles, u64 origin, SealedRun *run,
                       SealedBlocks *written) = 0;
  // Adds tiles, which are in the order of the input, to the results. Their files outlive this.
  virtual Status load(std::span<const KeptStretch> tiles) = 0;
};

}  // namespace mrc
