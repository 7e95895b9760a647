// Reads a compressed file at any offset of its text.
#pragma once

#include "input/packed_blocks.h"
#include "input/stream.h"

#include <memory>
#include <mutex>
#include <string>

namespace mrc {

// Decompresses from the block on that has the offset, or goes on where the last call has ended.
// Thread safe, but one thread reads at a time.
class PackedCursor {
 public:
  // `fd` is that of the file; it remains the caller's, and its file offset is changed.
  PackedCursor(std::shared_ptr<const PackedBlocks> blocks, int fd, std::string name)
      : blocks_(std::move(blocks)), fd_(fd), name_(std::move(name)) {}

  // Reads as InputFile::read_at() does.
  Result<i64> read_at(i64 offset, char *to, i64 size);

 private:
  Status open(const PackedBlocks::Block &block);
  Status move(i64 offset);
  Result<i64> read(char *to, i64 size);

  const std::shared_ptr<const PackedBlocks> blocks_;
  const int fd_;
  const std::string name_;
  std::mutex mutex_;  // protects all members below
  std::unique_ptr<BufferedReader> packed_;
  std::unique_ptr<Stream> stream_;  // null: nothing is open
  i64 at_ = 0;                      // offset of the next byte of stream_
};

}  // namespace mrc
