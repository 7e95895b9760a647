#include "output/ordered_text.h"
#include "output/output.h"

#include <algorithm>
#include <atomic>

namespace mrc {
namespace {

constexpr i64 kRowsPerBlock = 8192;
constexpr i64 kMostFormatters = 16;            // more would only wait for the one file
constexpr size_t kHeldText = size_t{1} << 20;  // text of a block, before its turn
constexpr i64 kLeastOfRow = i64{64} << 10, kMostOfRow = i64{16} << 20;  // the same, within a row
constexpr i64 kBlocksPerWorker = 16;  // for costly rows, if there are few

// Workers claim blocks of rows, format them at the same time, and write them in turn.
class BlockWriter : public OrderedText {
 public:
  BlockWriter(RowSource *rows, Formatter *formatter, OutputFile *file, i64 memory_bytes,
              const std::function<i64()> &unsorted)
      : OrderedText(0, 0, {true}),
        rows_(*rows),
        formatter_(*formatter),
        file_(*file),
        held_of_row_(std::clamp(memory_bytes, kLeastOfRow, kMostOfRow)),
        unsorted_(unsorted) {}

  Status work() {
    TransformedText text;
    for (;;) {
      const i64 block = next_block_++;
      if (block >= rows_.blocks() || file_.abandoned()) return Status::ok();
      Status status = guarded([&] { return write_block(block, &text); });
      if (status.is_ok()) continue;
      stop();
      return status;
    }
  }
  const WrittenRows &written() const { return written_; }

 protected:
  Status write(i64, TransformedText *text) override {
    written_.shown += text->records;
    if (unsorted_ && unsorted_() > 0) written_.early_bytes += std::ssize(text->text);
    return file_.write(text->text);
  }

 private:
  // Writes the text of a block that has become too long, when it is its turn.
  class BlockDrain : public Drain {
   public:
    BlockDrain(BlockWriter *writer, const Unit &block, TransformedText *text)
        : writer_(*writer), block_(block), text_(*text) {}
    // REQUIRES: the argument is the text of the block
    void take(std::string *text) override {
      if (std::ssize(*text) >= writer_.held_of_row_) write();
    }
    void write() {
      if (status_.is_ok()) status_ = writer_.add(block_, &text_);
      text_.clear();
    }
    const Status &status() const { return status_; }

   private:
    BlockWriter &writer_;
    const Unit &block_;
    TransformedText &text_;
    Status status_ = Status::ok();
  };

  Status write_block(i64 block, TransformedText *text) {
    const Unit unit{.source = 0, .number = block};
    BlockDrain drain(this, unit, text);
    Status status = rows_.show(block, [&](std::span<const Row> some) {
      if (text->text.size() > kHeldText) drain.write();
      formatter_.stream(some, &text->text, &drain);
      text->records += std::ssize(some);
      return !file_.abandoned();
    });
    if (status.is_ok()) status = drain.status();
    return status.is_ok() ? finish(unit, text) : status;
  }

  RowSource &rows_;
  Formatter &formatter_;
  OutputFile &file_;
  const i64 held_of_row_;
  std::atomic<i64> next_block_{0};
  const std::function<i64()> &unsorted_;
  WrittenRows written_;  // used by the worker that has the turn
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

Result<WrittenRows> write_rows(RowSource *rows, Formatter *formatter, OutputFile *file,
                               WorkerPool *pool, i64 memory_bytes,
                               const std::function<i64()> &unsorted) {
  Status status = formatter->measures() ? measure(rows, formatter) : Status::ok();
  std::string header;
  formatter->header(&header);
  if (status.is_ok()) status = file->write(header);
  if (!status.is_ok()) return status;
  BlockWriter writer(rows, formatter, file, memory_bytes, unsorted);
  const i64 most = formatter->is_costly() ? pool->size() : std::min(pool->size(), kMostFormatters);
  status = pool->run(std::clamp<i64>(rows->blocks(), 1, most), [&](i64) { return writer.work(); });
  if (!status.is_ok()) return status;
  return writer.written();
}

}  // namespace mrc
