#include "output/output.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace mrc {
namespace {

constexpr size_t kRowsPerBlock = 8192;

// Workers format blocks of rows at the same time and write them in turn.
class OrderedWriter {
 public:
  OrderedWriter(std::span<const Row> rows, const Formatter &formatter, OutputFile *file)
      : rows_(rows), formatter_(formatter), file_(file) {}

  Status work() {
    std::string text;
    for (;;) {
      size_t block = claim();
      if (block * kRowsPerBlock >= rows_.size()) return Status::ok();
      text.clear();
      size_t from = block * kRowsPerBlock;
      formatter_.rows(rows_.subspan(from, std::min(kRowsPerBlock, rows_.size() - from)), &text);
      if (Status status = write_in_turn(block, text); !status.is_ok()) return status;
    }
  }

 private:
  size_t claim() {
    std::lock_guard lock(mutex_);
    return stopped_ ? rows_.size() : next_block_++;
  }

  Status write_in_turn(size_t block, Bytes text) {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return stopped_ || written_ == block; });
    if (stopped_) return Status::ok();
    lock.unlock();
    Status status = file_->write(text);  // only the worker whose turn it is gets here
    lock.lock();
    ++written_;
    stopped_ = !status.is_ok() || file_->abandoned();
    turn_.notify_all();
    return status;
  }

  std::span<const Row> rows_;
  const Formatter &formatter_;
  OutputFile *file_;

  std::mutex mutex_;
  std::condition_variable turn_;
  size_t next_block_ = 0;
  size_t written_ = 0;
  bool stopped_ = false;
};

}  // namespace

Status write_rows(std::span<const Row> rows, const Formatter &formatter, OutputFile *file,
                  WorkerPool *pool) {
  std::string header;
  formatter.header(&header);
  if (Status status = file->write(header); !status.is_ok()) return status;
  OrderedWriter writer(rows, formatter, file);
  const i64 blocks = static_cast<i64>(rows.size() / kRowsPerBlock) + 1;
  return pool->run(std::min(blocks, pool->size()), [&](i64) { return writer.work(); });
}

}  // namespace mrc
