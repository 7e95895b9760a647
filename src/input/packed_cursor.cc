#include "input/inner/packed_cursor.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace mrc {

Result<i64> PackedCursor::read_at(i64 offset, char *to, i64 size) {
  const std::lock_guard lock(mutex_);
  size = std::min(size, blocks_->text_bytes - offset);
  if (size <= 0) return i64{0};
  Status status = move(offset);
  Result<i64> got = status.is_ok() ? read(to, size) : Result<i64>(status);
  if (!got.is_ok()) stream_.reset();
  return got;
}

// Opens the block that has the offset, unless it lies ahead in the block that is open.
Status PackedCursor::move(i64 offset) {
  const PackedBlocks::Block &block = blocks_->block_at(offset);
  if (stream_ == nullptr || offset < at_ || block.text > at_) {
    if (Status status = open(block); !status.is_ok()) return status;
  }
  std::vector<char> passed(static_cast<size_t>(std::min(offset - at_, i64{64} << 10)));
  while (at_ < offset) {
    const Result<i64> got = read(passed.data(), std::min(offset - at_, std::ssize(passed)));
    if (!got.is_ok()) return got.status();
    if (*got == 0) return damaged(*packed_, "its blocks are not as they were");
  }
  return Status::ok();
}

Status PackedCursor::open(const PackedBlocks::Block &block) {
  stream_.reset();
  if (lseek(fd_, block.packed, SEEK_SET) < 0) return Status::from_errno(name_, errno);
  Result<InputFile> file = InputFile::open({.path = name_, .fd = fd_});
  if (!file.is_ok()) return file.status();
  packed_ = std::make_unique<BufferedReader>(std::move(*file), block.packed);
  Result<std::unique_ptr<Stream>> stream = open_stream(blocks_->codec, packed_.get());
  if (!stream.is_ok()) return stream.status();
  stream_ = std::move(*stream);
  at_ = block.text;
  return Status::ok();
}

Result<i64> PackedCursor::read(char *to, i64 size) {
  i64 done = 0;
  while (done < size) {
    const Result<i64> got = stream_->read(to + done, size - done);
    if (!got.is_ok()) return got.status();
    if (*got == 0) break;
    done += *got;
  }
  at_ += done;
  return done;
}

}  // namespace mrc
