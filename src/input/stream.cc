#include "input/stream.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace mrc {
namespace {

constexpr i64 kReadAhead = i64{128} << 10;

class PlainStream : public Stream {
 public:
  explicit PlainStream(BufferedReader *from) : from_(from) {}
  Result<i64> read(char *to, i64 size) override { return from_->read(to, size); }

 private:
  BufferedReader *from_;
};

}  // namespace

BufferedReader::BufferedReader(Bytes bytes, i64 offset, std::string name)
    : ended_(true), name_(std::move(name)), next_(bytes), offset_(offset) {}

Result<Bytes> BufferedReader::peek(i64 least) {
  if (std::ssize(next_) >= least) return next_;
  if (!failure_.is_ok()) return failure_;
  if (ended_) return next_;
  char *to = reinterpret_cast<char *>(buffer_.data());
  if (!next_.empty()) std::memmove(to, next_.data(), next_.size());
  if (buffer_.size() < std::max(least, kReadAhead)) {
    buffer_.grow(std::max(2 * least, kReadAhead));
    to = reinterpret_cast<char *>(buffer_.data());
  }
  i64 have = std::ssize(next_);
  while (have < least && !ended_) {
    const Result<i64> got = read_file(to + have, buffer_.size() - have);
    next_ = Bytes(to, static_cast<size_t>(have));
    if (!got.is_ok()) return got.status();
    have += *got;
  }
  next_ = Bytes(to, static_cast<size_t>(have));
  return next_;
}

Result<i64> BufferedReader::read_file(char *to, i64 size) {
  Result<i64> got = file_.read(to, size);
  ended_ = !got.is_ok() || *got == 0;
  if (!got.is_ok()) failure_ = got.status();
  return got;
}

void BufferedReader::skip(i64 bytes) {
  next_.remove_prefix(static_cast<size_t>(bytes));
  offset_ += bytes;
}

Result<i64> BufferedReader::read(char *to, i64 size) {
  i64 got = std::min(size, std::ssize(next_));
  if (got > 0) {
    std::memcpy(to, next_.data(), static_cast<size_t>(got));
    next_.remove_prefix(static_cast<size_t>(got));
  } else if (!failure_.is_ok()) {
    return failure_;
  } else if (!ended_) {
    const Result<i64> arrived = read_file(to, size);
    if (!arrived.is_ok()) return arrived;
    got = *arrived;
  }
  offset_ += got;
  return got;
}

bool BufferedReader::unread() {
  const off_t at = lseek(file_.fd(), -static_cast<off_t>(next_.size()), SEEK_CUR);
  if (at < 0) return false;
  next_ = Bytes();
  unread_at_ = at - offset_;
  return true;
}

void BufferedReader::follow() {
  // Both processes share one open file, and so its offset.
  const off_t at = lseek(file_.fd(), 0, SEEK_CUR);
  if (at >= 0) offset_ = at - unread_at_;
}

Result<std::unique_ptr<Stream>> open_stream(Codec codec, BufferedReader *from) {
  switch (codec) {
    case Codec::none: return std::make_unique<PlainStream>(from);
#define CODEC(name, program, package, stream, ...) \
  case Codec::name: return stream;
#include "input/codecs.inc"
  }
  __builtin_unreachable();
}

Status damaged(const BufferedReader &at, std::string_view reason) {
  return Status::error(
      fmt::format("{}: {} at byte {} of the compressed data; what lies before it "
                  "is used",
                  at.name(), reason, at.offset()));
}

}  // namespace mrc
