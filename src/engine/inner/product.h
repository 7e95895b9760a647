// engine: what one worker makes of the input, and the conduct, which decides what becomes of it.
#pragma once

#include "engine/inner/input_scan.h"
#include "map/map.h"
#include "portion.h"
#include "store/sealed_run.h"
#include "store/store.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

struct GroupSettings;
struct Run;

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
  // Called at the ends of units, but only if products are handed over when the input ends.
  virtual void begin_unit(const Unit &) {}
  virtual Status end_unit() { return Status::ok(); }
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

// A conduct decides when workers hand over their products, where these go, and which parts
// of other runs and processes are added to them. Each conduct has a file of its own.
class Conduct {
 public:
  virtual ~Conduct() = default;

  // Called before the first scan.
  virtual Status open() { return Status::ok(); }
  // Called before each scan. The source outlives the scan.
  virtual void begin(const ChunkSource *) {}
  // Makes the hand of a worker, on its thread. `bad` outlives the hand.
  virtual std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) = 0;
  // Ends the scan early. Any thread.
  virtual void stop() {}
  // Called when all hands are sealed.
  virtual Status end() { return Status::ok(); }

  // For jobs with worker processes: see the functions of these names in Sink.
  virtual Status take_part(i64 /*worker*/, SealedPart /*part*/) { return Status::ok(); }
  virtual void end_worker(i64 /*worker*/) {}

  // True if adopt() changes the results of the scan.
  virtual bool adopts() const { return false; }
  // Called after the scan: adds what other runs and processes have made.
  virtual Status adopt() { return Status::ok(); }

  // For stages that group:
  // Changes how each worker groups.
  virtual void adjust(GroupSettings *) const {}
  // True if workers may put records into partitions that they share.
  virtual bool shares_partitions() const { return true; }
};

// Hands the product over when the input ends.
class PlainHand : public Hand {
 public:
  explicit PlainHand(std::unique_ptr<Product> product) : product_(std::move(product)) {}

  Status begin_unit(const Unit &unit) override {
    product_->begin_unit(unit);
    return Status::ok();
  }
  Status take(const Chunk &chunk, i64 *records) override { return product_->take(chunk, records); }
  Status end_unit(const Unit &) override { return product_->end_unit(); }
  Status seal(bool whole) override { return product_->hand_over(whole); }

 protected:
  Product &product() { return *product_; }

 private:
  const std::unique_ptr<Product> product_;
};

class PlainConduct : public Conduct {
 public:
  // `products` outlives the conduct.
  explicit PlainConduct(Products *products) : products_(*products) {}

  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override {
    return std::make_unique<PlainHand>(products_.make_product(worker, bad, nullptr));
  }

 private:
  Products &products_;
};

// Makes the conduct that the program and its plan want; null: none of those that serve all stages.
std::unique_ptr<Conduct> make_conduct(Run *run, Products *products);

}  // namespace mrc
