#include "output/output.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace mrc {
namespace {

constexpr i64 kRowsPerBlock = 8192;
constexpr i64 kBlocksPerWorker = 16;  // of rows that take long, if there are few

// Makes the text of a block. What `drain` takes comes before what is left in `text`.
using MakeBlock = std::function<Status(i64 block, std::string *text, Drain *drain)>;

// Workers make blocks of text at the same time and write them in turn.
class BlockWriter {
 public:
  BlockWriter(i64 blocks, const MakeBlock &make, OutputFile *file)
      : blocks_(blocks), make_(make), file_(file) {}

  Status work() {
    std::string text;
    for (;;) {
      const i64 block = claim();
      if (block >= blocks_) return Status::ok();
      text.clear();
      Status status = guarded([&] { return work_on(block, &text); });
      if (status.is_ok()) continue;
      stop();
      return status;
    }
  }

 private:
  // Writes what a block has too much of, as soon as it is its turn.
  class BlockDrain : public Drain {
   public:
    BlockDrain(BlockWriter *writer, i64 block) : writer_(writer), block_(block) {}
    void take(std::string *text) override {
      if (status_.is_ok()) status_ = writer_->write_in_turn(block_, *text);
      text->clear();
    }
    const Status &status() const { return status_; }

   private:
    BlockWriter *writer_;
    i64 block_;
    Status status_ = Status::ok();
  };

  Status work_on(i64 block, std::string *text) {
    BlockDrain drain(this, block);
    Status status = make_(block, text, &drain);
    if (status.is_ok()) status = drain.status();
    if (status.is_ok()) status = write_in_turn(block, *text);
    return status.is_ok() ? end_turn(block) : status;
  }

  i64 claim() {
    std::lock_guard lock(mutex_);
    return stopped_ ? blocks_ : next_block_++;
  }

  void stop() {
    std::lock_guard lock(mutex_);
    stopped_ = true;
    turn_.notify_all();
  }

  Status write_in_turn(i64 block, Bytes text) {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return stopped_ || written_ == block; });
    if (stopped_) return Status::ok();
    lock.unlock();
    return file_->write(text);  // only the worker whose turn it is gets here
  }

  Status end_turn(i64 block) {
    std::lock_guard lock(mutex_);
    if (stopped_) return Status::ok();
    assert(written_ == block);
    written_ = block + 1;
    stopped_ = file_->abandoned();
    turn_.notify_all();
    return Status::ok();
  }

  i64 blocks_;
  const MakeBlock &make_;
  OutputFile *file_;

  std::mutex mutex_;
  std::condition_variable turn_;
  i64 next_block_ = 0;
  i64 written_ = 0;
  bool stopped_ = false;
};

Status measure(RowSource *rows, Formatter *formatter) {
  for (i64 block = 0; block < rows->blocks(); ++block) {
    Status status = rows->show(block, [&](std::span<const Row> some) {
      formatter->measure(some);
      return true;
    });
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

}  // namespace

i64 rows_of_block(const Formatter &formatter, i64 rows, i64 workers) {
  if (!formatter.is_costly()) return kRowsPerBlock;
  return std::clamp<i64>(rows / (kBlocksPerWorker * workers), 1, kRowsPerBlock);
}

Result<i64> write_rows(RowSource *rows, Formatter *formatter, OutputFile *file, WorkerPool *pool) {
  Status status = formatter->measures() ? measure(rows, formatter) : Status::ok();
  std::string header;
  formatter->header(&header);
  if (status.is_ok()) status = file->write(header);
  if (!status.is_ok()) return status;
  std::atomic<i64> shown{0};
  const MakeBlock make = [&](i64 block, std::string *text, Drain *drain) {
    return rows->show(block, [&](std::span<const Row> some) {
      if (!text->empty()) drain->take(text);
      formatter->stream(some, text, drain);
      shown += std::ssize(some);
      return !file->abandoned();
    });
  };
  BlockWriter writer(rows->blocks(), make, file);
  status = pool->run(std::clamp<i64>(rows->blocks(), 1, pool->size()),
                     [&](i64) { return writer.work(); });
  if (!status.is_ok()) return status;
  return shown.load();
}

}  // namespace mrc
