#include "engine/inner/live_answers.h"

#include "plugin/call.h"
#include "plugin/plugin_job.h"

#include <time.h>

#include <algorithm>

namespace mrc {
namespace {

// Answers by time may use at most this share of all CPU time.
constexpr double kMostShare = 0.02;
// First guess of the CPU seconds per key or row of a worker that an answer costs.
constexpr double kSecondsForKey = 0.5e-6;
// Delay between reaching a share of the input and starting its answer.
constexpr auto kSoon = std::chrono::milliseconds(1);
// Time that claimed units may take to begin. If they take longer, the source hands units out in
// another order, and there is no answer now.
constexpr auto kPatience = std::chrono::milliseconds(50);

double cpu_seconds_of_thread() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

}  // namespace

LiveAnswers::LiveAnswers(Run *run, LiveCopies *copies, const ChunkSource *source)
    : run_(*run),
      copies_(*copies),
      spec_(run->program.live),
      holds_back_(run->program.plugin && run->program.plugin->functions().end != nullptr),
      source_(source),
      began_(Clock::now()) {
  if (spec_.in_order) ledger_.emplace(Ledger::by_source(run->plan.sources, run->plan.splits));
  plan_next(began_, 0);
  thread_ = std::thread([this] { work_on(); });
}

// Gives a waiting reader priority, because std::mutex is not fair.
std::unique_lock<std::mutex> Lender::hold() {
  std::unique_lock lock(mutex_);
  returned_.wait(lock, [this] { return !is_wanted_; });
  return lock;
}

Lender *LiveAnswers::lend(Product *product, i64 worker) {
  std::unique_ptr<Lender> lender = copies_.make_lender(product, worker);
  const std::lock_guard lock(mutex_);
  return lenders_.emplace_back(std::move(lender)).get();
}

std::vector<Lender *> LiveAnswers::lenders() {
  const std::lock_guard lock(mutex_);
  std::vector<Lender *> all;
  for (const auto &lender : lenders_) all.push_back(lender.get());
  return all;
}

void LiveAnswers::begin_unit(Lender *lender, const Unit &unit) {
  if (!ledger_) return;
  std::unique_lock lock(mutex_);
  changed_.wait(
      lock, [&] { return ends_ || !cut_ || Ledger::place_of(unit) < *cut_ || lender->is_shown_; });
  ledger_->enter(unit);
  lender->in_unit_ = true;
  if (cut_) changed_.notify_all();
}

void LiveAnswers::end_unit(Lender *lender) {
  if (!ledger_) return;
  const std::lock_guard lock(mutex_);
  lender->in_unit_ = false;
  if (cut_) changed_.notify_all();
}

void LiveAnswers::stop() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
}

void LiveAnswers::end() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void LiveAnswers::finish() {
  end();
  ledger_.reset();
  shown_bytes_ = -1;
  if (!spec_.path.empty()) try_to_show();
}

void LiveAnswers::work_on() {
  const PluginRun::Scope scope(&run_.plugins);
  while (wait_for_turn()) {
    const Clock::time_point began = Clock::now();
    const double before = cpu_seconds_of_thread();
    if (!try_to_show()) return;
    plan_next(began, cpu_seconds_of_thread() - before);
  }
}

bool LiveAnswers::try_to_show() {
  const Status status = guarded([this] { return show_now(); });
  if (status.is_ok()) return true;
  copies_.begin_anew(true);
  const std::lock_guard lock(run_.mutex);
  run_.observer->note(status.message() + "; no interim answers from here on");
  return false;
}

bool LiveAnswers::wait_for_turn() {
  std::unique_lock lock(mutex_);
  if (spec_.every_percent == 0) {
    do {
      while (!ends_ && Clock::now() < next_) changed_.wait_until(lock, next_);
      lock.unlock();
      put_off_first();
      lock.lock();
    } while (!ends_ && Clock::now() < next_);
    return !ends_;
  }
  const auto is_due = [&] {
    lock.unlock();
    const double share = share_of(mapped_bytes()).value_or(0);
    lock.lock();
    return share < 1 && 100 * (share - shown_share_) >= spec_.every_percent;
  };
  while (!ends_ && !is_due()) changed_.wait_for(lock, kSoon);
  return !ends_;
}

// Delays the next answer until the CPU time of this one is at most kMostShare of the total.
void LiveAnswers::plan_next(Clock::time_point began, double cpu_seconds) {
  const auto after = [began](double seconds) {
    return began +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  };
  const double cpus = static_cast<double>(std::min(run_.pool.size(), available_cpus()));
  next_ = std::max(after(spec_.every_seconds), after(cpu_seconds / kMostShare / cpus));
}

// Estimates the cost of the first answer from the number of keys or rows. Later answers are assumed
// to cost as much as the one before.
void LiveAnswers::put_off_first() {
  if (shown_bytes_ > 0) return;
  i64 keys = 0;
  for (Lender *lender : lenders()) {
    const std::lock_guard lock(lender->mutex_);
    keys += copies_.size_of(lender);
  }
  plan_next(began_, kSecondsForKey * static_cast<double>(keys));
}

i64 LiveAnswers::mapped_bytes() {
  i64 bytes = 0;
  for (const Lender *lender : lenders()) bytes += lender->bytes_.load(std::memory_order_relaxed);
  return bytes;
}

// For compressed input, the share is that of the stored bytes that have been claimed.
std::optional<double> LiveAnswers::share_of(i64 bytes) const {
  const Plan &plan = run_.plan;
  if (plan.streams != plan.packed || run_.program.follows) return std::nullopt;
  const i64 total = plan.input_bytes + plan.packed_bytes;
  if (plan.packed > 0) bytes = source_->bytes_claimed();
  return total == 0 ? 1 : std::min(1.0, static_cast<double>(bytes) / static_cast<double>(total));
}

// Shows nothing if no input has been mapped since the last answer.
Status LiveAnswers::show_now() {
  if (mapped_bytes() == shown_bytes_) return Status::ok();
  Coverage of;
  copies_.begin_anew(false);
  const Result<bool> copied = ledger_ ? copy_in_order(&of) : copy_all(&of);
  if (!copied.is_ok()) return copied.status();
  if (!*copied || of.bytes == shown_bytes_) return Status::ok();
  shown_bytes_ = of.bytes;
  of.share = share_of(of.bytes);
  shown_share_ = of.share.value_or(0);
  return copies_.show(of);
}

Result<bool> LiveAnswers::copy_all(Coverage *of) {
  for (Lender *lender : lenders()) {
    if (Status status = copy(lender, of); !status.is_ok()) return status;
  }
  return true;
}

Status LiveAnswers::copy(Lender *lender, Coverage *of) {
  lender->is_wanted_ = true;
  Status status = Status::ok();
  {
    const std::lock_guard lock(lender->mutex_);
    status = copies_.copy(lender);
    of->bytes += lender->bytes_;
    lender->is_wanted_ = false;
  }
  lender->is_asked_ = holds_back_;
  lender->returned_.notify_all();
  return status;
}

// Cuts the input after the units that have begun. Workers that claim a unit beyond the cut wait.
// False: the units before the cut have gaps, so there can be no answer now.
bool LiveAnswers::cut(std::unique_lock<std::mutex> *lock) {
  cut_ = ledger_->end();
  for (const auto &lender : lenders_) lender->is_shown_ = false;
  changed_.wait_for(*lock, kPatience, [this] { return ends_ || ledger_->is_gapless(); });
  return !ends_ && ledger_->is_gapless();
}

bool LiveAnswers::wait_for_unit(const Lender &lender, std::unique_lock<std::mutex> *lock) {
  changed_.wait(*lock, [&] { return ends_ || !lender.in_unit_; });
  return !ends_;
}

Result<bool> LiveAnswers::copy_in_order(Coverage *of) {
  std::unique_lock lock(mutex_);
  bool is_whole = cut(&lock);
  Status status = Status::ok();
  for (size_t i = 0; is_whole && status.is_ok() && i < lenders_.size(); ++i) {
    Lender *const lender = lenders_[i].get();
    is_whole = wait_for_unit(*lender, &lock);
    if (!is_whole) break;
    lock.unlock();
    status = copy(lender, of);
    lock.lock();
    lender->is_shown_ = true;
    changed_.notify_all();
  }
  cut_.reset();
  lock.unlock();
  changed_.notify_all();
  if (!status.is_ok()) return status;
  return is_whole;
}

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
