// split: files that grow, and pipes beside them: what is there, and then what arrives.
#pragma once

#include "split/followed_input.h"
#include "split/split_queue.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace mrc {

// Units of what is there come first, from a SplitQueue. Then one worker at a time looks for what
// has arrived at any followed input, and leaves with a block of whole records; the next one looks
// on. Blocks are units in the order of arrival. There are no more when the input is ended, or when
// nothing more can come of any input.
class FollowQueue : public ChunkSource {
 public:
  // `there`: with all sources. Those that are followed are files up to the end of a record, and
  // streams, which are not read by the SplitQueue.
  FollowQueue(QueueSpec there, FollowSpec spec);

  std::unique_ptr<Reader> make_reader(i64 worker) override;
  void cancel() override;
  void end_input() override;
  void skip(i64 source) override { there_->skip(source); }
  bool all_claimed_before(i64 source) const override {
    return is_exhausted_ || there_->all_claimed_before(source);
  }
  i64 bytes_claimed() const override { return there_->bytes_claimed() + bytes_arrived_; }
  i64 packed_bytes() const override { return there_->packed_bytes(); }

  // Of what is there.
  SplitQueue *there() { return there_.get(); }

 private:
  class FollowReader;
  using Clock = std::chrono::steady_clock;

  void follow(i64 number, const Source &source);
  void leave_there();
  // The next block; nullopt: there are no more. Waits for it.
  std::optional<Chunk> next_block(Pages *block, Unit *unit);
  std::optional<Chunk> look(Pages *block);
  std::optional<Chunk> end_all(Pages *block);
  bool may_go_on() const;
  void wait();
  void call_idle();

  const FollowSpec spec_;
  std::vector<InputFile> held_;  // of files, until all that was there is read
  std::unique_ptr<SplitQueue> there_;
  std::atomic<bool> is_cancelled_{false}, is_ended_{false};
  std::atomic<bool> is_exhausted_{false};  // all units of what was there are claimed
  std::atomic<i64> bytes_arrived_{0};

  std::mutex mutex_;
  std::condition_variable turn_;
  bool is_looking_ = false;           // a worker; all below is its own
  i64 readers_ = 0, left_there_ = 0;  // under the mutex

  std::deque<FollowedInput> inputs_;
  size_t next_ = 0;  // the input to look at first
  i64 arrived_ = 0;  // units
  Clock::time_point idle_at_;
  std::optional<Clock::time_point> ending_;  // since when
};

}  // namespace mrc
