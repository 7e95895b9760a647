#include "engine/sinks/late_text.h"

#include "base/setting_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mrc {
namespace {

template <typename T>
Bytes bytes_in(const T *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size * sizeof(T)};
}

}  // namespace

Status LateText::take(std::string text, std::span<const i64> ends) {
  if (ends.empty() || last_ == 0) return Status::ok();
  const i64 passed_over = std::max<i64>(0, std::ssize(ends) - last_);
  Piece piece{std::move(text), {ends.begin() + passed_over, ends.end()}};
  if (passed_over > 0) {
    const i64 begin = ends[static_cast<size_t>(passed_over - 1)];
    piece.text.erase(0, static_cast<size_t>(begin));
    for (i64 &end : piece.ends) end -= begin;
  }
  bytes_ += bytes_of(piece);
  records_ += std::ssize(piece.ends);
  pieces_.push_back(std::move(piece));
  while (records_ - std::ssize(pieces_.front().ends) >= last_) {
    bytes_ -= bytes_of(pieces_.front());
    records_ -= std::ssize(pieces_.front().ends);
    pieces_.pop_front();
  }
  if (bytes_ <= memory_) return Status::ok();
  if (last_ == INT64_MAX) return spill();
  return Status::memory_error(
      fmt::format("{}: the last {} records take more than {} bytes; ask for fewer, or raise {}",
                  setting_name("tail"), last_, memory_, setting_name("memory")));
}

Status LateText::spill() {
  if (!file_) {
    Result<RunFile> file = RunFile::temporary(tmpdir_);
    if (!file.is_ok()) return file.status();
    file_.emplace(std::move(*file));
  }
  for (const Piece &piece : pieces_) {
    const Footer footer{std::ssize(piece.text), std::ssize(piece.ends)};
    const std::array<Bytes, 3> parts = {piece.text, bytes_in(piece.ends.data(), piece.ends.size()),
                                        bytes_in(&footer, 1)};
    if (Status status = file_->write(file_bytes_, parts); !status.is_ok()) return status;
    file_bytes_ += bytes_of(piece) + i64{sizeof footer};
  }
  pieces_.clear();
  bytes_ = records_ = 0;
  return Status::ok();
}

// Reads the last piece of the file, and removes it.
Result<LateText::Piece> LateText::unspill() {
  const auto read = [&](void *to, i64 bytes) {
    file_bytes_ -= bytes;
    const Result<i64> got = file_->read(file_bytes_, static_cast<std::byte *>(to), bytes);
    if (!got.is_ok()) return got.status();
    return *got == bytes ? Status::ok() : Status::error(tmpdir_ + ": a file is cut short");
  };
  Footer footer;
  if (Status status = read(&footer, sizeof footer); !status.is_ok()) return status;
  Piece piece{std::string(static_cast<size_t>(footer.text_bytes), '\0'),
              std::vector<i64>(static_cast<size_t>(footer.records))};
  Status status = read(piece.ends.data(), footer.records * i64{sizeof(i64)});
  if (status.is_ok()) status = read(piece.text.data(), footer.text_bytes);
  if (!status.is_ok()) return status;
  return piece;
}

Status LateText::write(const Piece &piece, i64 passed_over, OutputFile *file) const {
  const auto begin_of = [&](i64 record) {
    return record == 0 ? 0 : static_cast<size_t>(piece.ends[static_cast<size_t>(record - 1)]);
  };
  if (!reversed_) return file->write(Bytes(piece.text).substr(begin_of(passed_over)));
  std::string reversed;
  reversed.reserve(piece.text.size());
  for (i64 record = std::ssize(piece.ends); record-- > passed_over;) {
    reversed.append(piece.text, begin_of(record), begin_of(record + 1) - begin_of(record));
  }
  return file->write(reversed);
}

Result<i64> LateText::write_to(OutputFile *file) {
  const i64 passed_over = std::max<i64>(0, records_ - last_);  // in the first piece
  i64 written = records_ - passed_over;
  const i64 size = std::ssize(pieces_);
  for (i64 i = 0; i < size; ++i) {
    const i64 at = reversed_ ? size - 1 - i : i;
    Status status = write(pieces_[static_cast<size_t>(at)], at == 0 ? passed_over : 0, file);
    if (!status.is_ok()) return status;
  }
  while (file_bytes_ > 0) {  // only if all records are wanted, in reverse order
    const Result<Piece> piece = unspill();
    if (!piece.is_ok()) return piece.status();
    if (Status status = write(*piece, 0, file); !status.is_ok()) return status;
    written += std::ssize(piece->ends);
  }
  return written;
}

}  // namespace mrc
