#include "engine/inner/shown.h"

namespace mrc {
namespace {

// Lends its product to interim answers.
class LiveHand : public PlainHand {
 public:
  LiveHand(std::unique_ptr<Product> made, i64 worker, LiveAnswers *answers)
      : PlainHand(std::move(made)),
        answers_(*answers),
        lender_(answers->lend(&product(), worker)) {}

  // After each answer, the product settles, so that the next one has what it held back.
  Status begin_unit(const Unit &unit) override {
    answers_.begin_unit(lender_, unit);
    if (!lender_->is_asked()) return Status::ok();
    const auto held = lender_->hold();
    return product().settle();
  }

  Status take(const Chunk &chunk, i64 *records) override {
    const auto held = lender_->hold();
    Status status = PlainHand::take(chunk, records);
    lender_->add(std::ssize(chunk.bytes));
    return status;
  }

  Status end_unit(const Unit &) override {
    answers_.end_unit(lender_);
    return Status::ok();
  }

  Status seal(bool whole) override {
    const auto held = lender_->hold();
    Status status = PlainHand::seal(whole);
    lender_->end();
    return status;
  }

 private:
  LiveAnswers &answers_;
  Lender *lender_;
};

}  // namespace

std::unique_ptr<Hand> Shown::make_hand(i64 worker, BadRecordSink *bad) {
  return std::make_unique<LiveHand>(products_.make_product(worker, bad, nullptr), worker,
                                    answers_.get());
}

}  // namespace mrc
