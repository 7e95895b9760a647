// engine: shows what workers have made so far in interim answers (--live).
#pragma once

#include "engine/inner/conduct.h"
#include "engine/inner/live_answers.h"

#include <memory>

namespace mrc {

class Shown : public Conduct {
 public:
  // All arguments but `copies` outlive this.
  Shown(Run *run, Products *products, std::unique_ptr<LiveCopies> copies)
      : run_(*run), products_(*products), copies_(std::move(copies)) {}

  void begin(const ChunkSource *source) override {
    answers_ = std::make_unique<LiveAnswers>(&run_, copies_.get(), source);
  }
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  void stop() override {
    if (answers_) answers_->stop();
  }
  Status end() override {
    if (answers_) answers_->finish();
    return Status::ok();
  }

 private:
  Run &run_;
  Products &products_;
  const std::unique_ptr<LiveCopies> copies_;
  std::unique_ptr<LiveAnswers> answers_;  // of this scan; null: no scan has begun
};

}  // namespace mrc
