// split: files that grow, and pipes: reads their present content first, and then the data that
// arrives.
#pragma once

#include "base/pages.h"
#include "input/followed.h"
#include "record.h"
#include "scan/scan.h"
#include "split/line_groups.h"
#include "split/split.h"
#include "split/split_queue.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Data that arrives on one followed input, as blocks of whole records.

// Format of the records of a followed input.
struct FollowedFormat {
  std::optional<CsvBytes> quotes = {};  // set if quotes may hold line ends
  bool has_header = false;
  LineGroups groups = {};  // set if records may have several lines
};

// Settings shared by all followed inputs of a job.
struct FollowSpec {
  CutBytes cuts;
  char terminator = '\n';
  bool fixed = false;  // records have one size, and no terminator
  // Called once for each input, before any of its records is returned, with its first whole
  // records, or with all of the input if it ends earlier.
  std::function<FollowedFormat(i64 source, Bytes head)> begin;
  // True if more records are needed to detect the format.
  std::function<bool(Bytes head)> wants_more;
  std::function<void(const std::string &message)> note;
  // Called a few times a second. The callback may end the input.
  std::function<void()> idle;
};

// Offsets continue from one generation of a file to the next, as if the files were concatenated. A
// record that may have several lines ends when the next one begins, or when no more lines have
// arrived for a while. One thread at a time.
class FollowedInput {
 public:
  // `head` has the first bytes of a file that has records already.
  FollowedInput(const FollowSpec &spec, i64 number, const Source &source,
                std::unique_ptr<Followed> from, Bytes head);

  // Returns the next whole records in `block`; nullopt if none have arrived.
  std::optional<Chunk> next(Pages *block);
  // Returns what next() returns, at the end of input: incomplete records count as whole.
  std::optional<Chunk> last(Pages *block);

  i64 source() const { return number_; }
  int poll_fd() const { return from_->poll_fd(); }
  // True if no more data will come.
  bool is_over() const { return is_over_ && parts_.empty(); }

 private:
  // A generation with an incomplete record.
  struct Part {
    i64 generation = 0;
    i64 at = 0;                                          // offset of `pending` in the generation
    std::string pending = {};                            // bytes that arrived and were not returned
    CsvState state = CsvState::field;                    // state after `pending`
    size_t searched = 0;                                 // pending bytes in which no record ends
    std::chrono::steady_clock::time_point arrived = {};  // when the last bytes arrived
  };
  // A block: the pending bytes of a part, and the fresh ones.
  struct Text {
    const char *begin, *fresh, *end;
  };

  Part &part_of(i64 generation);
  std::optional<Chunk> take(Part *part, const Text &text);
  std::optional<Chunk> end_part(i64 generation, Pages *block);
  bool look_at_head(const Text &text);
  const char *last_cut(Part *part, const Text &text) const;
  std::optional<Chunk> end_quiet_record(Pages *block);
  std::optional<Chunk> hand_out_pending(Part *part, Pages *block);
  std::optional<Chunk> hand_out(Part *part, const Text &text, const char *cut);
  i64 header_bytes(const Part &part, Bytes text) const;
  void begin(Bytes head);

  const FollowSpec &spec_;
  const i64 number_;
  const std::unique_ptr<Followed> from_;
  FollowedFormat format_;
  std::string header_;  // the record that names the fields; empty if there is none
  bool begun_ = false, is_over_ = false;
  i64 offset_;  // offset of the next record to be returned
  std::vector<Part> parts_;
};

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
