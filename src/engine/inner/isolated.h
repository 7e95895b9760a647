// engine: products of worker processes. Workers save them to files, and the process that started
// the workers adopts these in the end.
#pragma once

#include "engine/inner/conduct.h"
#include "engine/inner/run.h"

#include <memory>
#include <vector>

namespace mrc {

// One thread in each process.
class Isolated : public Conduct, public PartFiles {
 public:
  // Both arguments outlive this.
  Isolated(Run *run, Products *products) : run_(*run), products_(*products) {}

  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  Status take_part(i64 worker, SealedPart part) override;
  // Keeps the last part of a worker that has ended.
  void end_worker(i64 worker) override;
  bool adopts() const override { return true; }
  Status adopt() override;

  // Called in worker processes.
  Result<std::shared_ptr<SavedPart>> create() override;
  i64 most_bytes() const override { return run_.worker_share() / 2; }

 private:
  static constexpr size_t kMostOpen = 256;  // files
  static constexpr i64 kStays = -1;

  struct Part {
    i64 worker;  // its next part replaces this one; kStays: no part does
    std::shared_ptr<SavedPart> saved;
  };
  Status join_those_that_stay();
  Status join(const RunFile &file);

  Run &run_;
  Products &products_;
  std::vector<Part> parts_;
  std::shared_ptr<SavedPart> joined_;  // the blocks of parts that stay; null: there are none
  std::unique_ptr<RunWriter> writer_;  // of that file
};

}  // namespace mrc
