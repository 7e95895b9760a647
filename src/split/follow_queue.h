// split: files that grow, and pipes: reads their present content first, and then the data that
// arrives.
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

// First, a SplitQueue hands out units of the present content. Then one worker at a time looks for
// new data on all followed inputs and leaves with a block of whole records; the next worker
// continues the search. Blocks are units in the order of arrival. They end when the input is ended,
// or when all inputs have ended.
class FollowQueue : public ChunkSource {
 public:
  // `there` has all sources. Followed sources are files, to be read up to the end of a record, and
  // streams, which the SplitQueue does not read.
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

  // The queue of the present content.
  SplitQueue *there() { return there_.get(); }

 private:
  class FollowReader;
  using Clock = std::chrono::steady_clock;

  void follow(i64 number, const Source &source);
  void leave_there();
  // Waits for the next block; nullopt at the end.
  std::optional<Chunk> next_block(Pages *block, Unit *unit);
  std::optional<Chunk> look(Pages *block);
  std::optional<Chunk> end_all(Pages *block);
  bool may_go_on() const;
  void wait();
  void call_idle();

  const FollowSpec spec_;
  std::vector<InputFile> held_;  // keeps files open until their present content is read
  std::unique_ptr<SplitQueue> there_;
  std::atomic<bool> is_cancelled_{false}, is_ended_{false};
  std::atomic<bool> is_exhausted_{false};  // all units of the present content are claimed
  std::atomic<i64> bytes_arrived_{0};

  std::mutex mutex_;
  std::condition_variable turn_;
  bool is_looking_ = false;           // a worker is looking; it owns all members below
  i64 readers_ = 0, left_there_ = 0;  // protected by the mutex

  std::deque<FollowedInput> inputs_;
  size_t next_ = 0;  // the input to look at first
  i64 arrived_ = 0;  // number of units
  Clock::time_point idle_at_;
  std::optional<Clock::time_point> ending_;  // when the end of input was noticed
};

}  // namespace mrc
