#include "output/output.h"

#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <mutex>

namespace mrc {
namespace {

constexpr i64 kRowsPerBlock = 8192;
constexpr i64 kBlocksPerWorker = 16;  // of rows that take long, if there are few

// Workers make blocks of text at the same time and write them in turn.
class OrderedWriter {
 public:
  OrderedWriter(i64 blocks, const MakeBlock &make, OutputFile *file)
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
    BlockDrain(OrderedWriter *writer, i64 block) : writer_(writer), block_(block) {}
    void take(std::string *text) override {
      if (status_.is_ok()) status_ = writer_->write_in_turn(block_, *text);
      text->clear();
    }
    const Status &status() const { return status_; }

   private:
    OrderedWriter *writer_;
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

}  // namespace

Status write_blocks(i64 blocks, const MakeBlock &make, OutputFile *file, WorkerPool *pool) {
  OrderedWriter writer(blocks, make, file);
  return pool->run(std::min(blocks, pool->size()), [&](i64) { return writer.work(); });
}

Status write_rows(std::span<const Row> rows, const Formatter &formatter, OutputFile *file,
                  WorkerPool *pool) {
  std::string header;
  formatter.header(&header);
  if (Status status = file->write(header); !status.is_ok()) return status;
  i64 size = kRowsPerBlock;
  if (formatter.is_costly()) {
    size = std::clamp<i64>(std::ssize(rows) / (kBlocksPerWorker * pool->size()), 1, size);
  }
  auto make = [&](i64 block, std::string *text, Drain *drain) {
    const size_t from = static_cast<size_t>(block * size);
    formatter.stream(rows.subspan(from, std::min(static_cast<size_t>(size), rows.size() - from)),
                     text, drain);
    return Status::ok();
  };
  const i64 blocks = (std::ssize(rows) + size - 1) / size;
  return write_blocks(blocks, make, file, pool);
}

}  // namespace mrc
