#include "join/inner/held_tails.h"

#include <algorithm>

namespace mrc {

Status HeldTails::add(u64 position, Bytes text) {
  const Head head{position, text.size()};
  in_memory_.append(reinterpret_cast<const char *>(&head), sizeof head).append(text);
  if (std::ssize(in_memory_) <= most_bytes_) return Status::ok();
  if (!file_) {
    Result<RunFile> made = RunFile::temporary(tmpdir_);
    if (!made.is_ok()) return made.status();
    file_.emplace(std::move(*made));
  }
  const Bytes piece = in_memory_;
  Status status = file_->write(in_file_, {&piece, 1});
  in_file_ += std::ssize(in_memory_);
  in_memory_.clear();
  return status;
}

Result<Bytes> HeldTails::read(i64 at) {
  constexpr i64 kPiece = i64{256} << 10;
  for (i64 size = kPiece;; size *= 2) {
    size = std::min(size, in_file_ - at);
    piece_.resize(static_cast<size_t>(size));
    Result<i64> got = file_->read(at, reinterpret_cast<std::byte *>(piece_.data()), size);
    if (!got.is_ok()) return got.status();
    if (*got < size) return Status::error(file_->name() + ": a temporary file has been cut short");
    Head head;
    if (size < i64{sizeof head}) return Status::error(file_->name() + ": damaged");
    std::memcpy(&head, piece_.data(), sizeof head);
    if (head.size + sizeof head <= static_cast<u64>(size)) return Bytes(piece_);
    if (size == in_file_ - at) return Status::error(file_->name() + ": damaged");
  }
}

}  // namespace mrc
