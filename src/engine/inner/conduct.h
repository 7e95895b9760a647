// engine: a conduct decides when workers hand over their products, where these go, and which parts
// of other runs and processes are added to them. Each conduct has a file of its own.
#pragma once

#include "engine/inner/product.h"
#include "engine/inner/scan.h"

#include <memory>

namespace mrc {

struct GroupSettings;
struct Run;

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

  Status take(const Chunk &chunk, i64 *records) override { return product_->take(chunk, records); }
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
