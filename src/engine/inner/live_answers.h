// engine: interim answers: shows what workers have made so far, while they continue
// (Tiled-MapReduce 6.1).
//
// A separate thread visits the workers, one after another and each between two chunks, and copies
// what they have. So a worker waits only while its own product is copied. Answers come less often
// than asked if they would cost more than a small share of CPU time.
//
// In input order, an answer covers exactly the units before a cut. Workers that claim units beyond
// the cut wait until their products are copied.
#pragma once

#include "engine/inner/ledger.h"
#include "engine/inner/product.h"
#include "engine/inner/report.h"
#include "engine/inner/run.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace mrc {

// Lends the product of one worker to answers.
class Lender {
 public:
  virtual ~Lender() = default;
  // Returns a lock. The worker may change its product only while it holds it.
  std::unique_lock<std::mutex> hold();
  // Adds the bytes of a chunk that has been mapped. REQUIRES: held
  void add(i64 bytes) { bytes_.store(bytes_ + bytes, std::memory_order_relaxed); }
  // True once after each answer: then the product is to settle, for the next answer.
  bool is_asked() { return is_asked_.load(std::memory_order_relaxed) && is_asked_.exchange(false); }
  // Called when the product is handed over. REQUIRES: held
  virtual void end() = 0;

 private:
  friend class LiveAnswers;

  std::mutex mutex_;
  std::condition_variable returned_;
  std::atomic<bool> is_wanted_{false}, is_asked_{false};
  std::atomic<i64> bytes_{0};  // bytes mapped
  // For answers in input order; guarded by the mutex of LiveAnswers:
  bool in_unit_ = false;
  bool is_shown_ = false;  // its product is in the current answer
};

// Copies of products, and the answer that a stage makes of them. All functions but make_lender()
// are called on the thread of the answers; while a lender is copied, it is held.
class LiveCopies {
 public:
  virtual ~LiveCopies() = default;
  // Makes the lender of a product. Called on the thread of its worker.
  virtual std::unique_ptr<Lender> make_lender(Product *product, i64 worker) = 0;
  // Returns the number of keys or rows to copy, for an estimate of the cost.
  virtual i64 size_of(Lender *lender) = 0;
  // Drops the copies. `for_good`: there will be no other answer.
  virtual void begin_anew(bool for_good) = 0;
  // An error ends interim answers.
  virtual Status copy(Lender *lender) = 0;
  // Makes an answer of the copies.
  virtual Status show(const Coverage &of) = 0;
};

class LiveAnswers {
 public:
  // `source`: of the scan. All arguments outlive this.
  LiveAnswers(Run *run, LiveCopies *copies, const ChunkSource *source);
  ~LiveAnswers() { end(); }

  // Makes the lender of a new worker. Any thread.
  Lender *lend(Product *product, i64 worker);
  // A worker calls them before and after each unit. Any thread.
  void begin_unit(Lender *lender, const Unit &unit);
  void end_unit(Lender *lender);

  // Begins no more interim answers. Any thread.
  void stop();
  // Called when all workers are done. Makes the last answer if answers go to a file.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  void end();
  void work_on();
  bool try_to_show();
  bool wait_for_turn();
  void plan_next(Clock::time_point began, double cpu_seconds);
  void put_off_first();
  Status show_now();
  Result<bool> copy_all(Coverage *of);
  Result<bool> copy_in_order(Coverage *of);
  Status copy(Lender *lender, Coverage *of);
  bool cut(std::unique_lock<std::mutex> *lock);
  bool wait_for_unit(const Lender &lender, std::unique_lock<std::mutex> *lock);
  i64 mapped_bytes();
  std::vector<Lender *> lenders();
  std::optional<double> share_of(i64 bytes) const;

  Run &run_;
  LiveCopies &copies_;
  const LiveSpec &spec_;
  const bool holds_back_;  // a plugin's mapper may hold records back until its end
  const ChunkSource *source_;
  i64 shown_bytes_ = 0;
  double shown_share_ = 0;
  const Clock::time_point began_;
  Clock::time_point next_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Lender>> lenders_;
  std::optional<Ledger> ledger_;      // set if answers are in input order
  std::optional<Ledger::Place> cut_;  // end of the current answer; unset: there is none
  bool ends_ = false;
  std::thread thread_;
};

// Shows what workers have made so far in interim answers (--live).
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
