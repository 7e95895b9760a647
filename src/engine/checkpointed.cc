#include "engine/inner/checkpointed.h"

#include "engine/inner/tile_share.h"

#include <utility>

namespace mrc {
namespace {

// Saves its product at the end of each tile except the last.
class CheckpointHand : public PlainHand {
 public:
  CheckpointHand(std::unique_ptr<TileShare> share, std::unique_ptr<Product> product,
                 Checkpoints *checkpoints)
      : PlainHand(std::move(product)), checkpoints_(*checkpoints), share_(std::move(share)) {}

  Status begin_unit(const Unit &unit) override {
    return share_->begin_unit(unit, [this] { return leave_tile(); });
  }

  Status take(const Chunk &chunk, i64 *records) override {
    const i64 before = *records;
    Status status = PlainHand::take(chunk, records);
    share_->add(chunk, *records - before);
    return status;
  }

 private:
  Status leave_tile() {
    bool emptied = false;
    Result<std::shared_ptr<SavedPart>> part = product().save(&emptied);
    if (part.is_ok()) {
      share_->leave(std::move(*part), emptied);
      return Status::ok();
    }
    return emptied ? part.status() : checkpoints_.fail(part.status());
  }

  Checkpoints &checkpoints_;
  const std::unique_ptr<TileShare> share_;
};

}  // namespace

Checkpointed::Checkpointed(Run *run, Products *products)
    : run_(*run),
      products_(*products),
      inputs_(*run->plan.checkpoint),
      checkpoints_(&inputs_, run->program.keep, run->pool.size(), complaint_to(run)) {
  run_.report.known_bytes = inputs_.known_bytes();
}

std::unique_ptr<Hand> Checkpointed::make_hand(i64 worker, BadRecordSink *bad) {
  auto share = std::make_unique<TileShare>(&run_, &checkpoints_, worker, bad);
  auto product = products_.make_product(worker, share->bad(), &checkpoints_);
  return std::make_unique<CheckpointHand>(std::move(share), std::move(product), &checkpoints_);
}

Status Checkpointed::adopt() {
  run_.timer.begin("load");
  checkpoints_.finish();
  run_.report.checkpoints = checkpoints_.made();
  run_.report.sealed_bytes = checkpoints_.bytes();
  Result<SavedParts> earlier = parts_of_earlier_runs();
  if (!earlier.is_ok()) return earlier.status();
  return products_.adopt(std::move(*earlier), checkpoints_.emptied());
}

Result<SavedParts> Checkpointed::parts_of_earlier_runs() const {
  SavedParts parts;
  for (const i64 number : inputs_.parts()) {
    Result<RunFile> file = inputs_.directory().open_run(number);
    if (!file.is_ok()) return file.status();
    parts.push_back(std::make_shared<SavedPart>(number, std::move(*file)));
    parts.back()->file.rest();
  }
  return parts;
}

}  // namespace mrc
