#include "input/stream.h"

#include "base/text.h"

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

// Converts UTF-16 with a byte order mark to UTF-8 without one. An unpaired surrogate becomes
// U+FFFD.

constexpr i64 kBlock = i64{64} << 10;

class Utf16Stream : public Stream {
 public:
  explicit Utf16Stream(BufferedReader *from) : from_(*from) {}

  Result<i64> read(char *to, i64 size) override {
    if (at_ == std::ssize(text_)) {
      Status status = decode_more();
      if (!status.is_ok()) return status;
    }
    const i64 bytes = std::min(size, std::ssize(text_) - at_);
    std::copy_n(text_.data() + at_, bytes, to);
    at_ += bytes;
    return bytes;
  }

 private:
  Status decode_more();
  u32 unit(Bytes text, i64 at) const {
    const auto first = static_cast<u8>(text[static_cast<size_t>(at)]);
    const auto second = static_cast<u8>(text[static_cast<size_t>(at) + 1]);
    return is_big_ ? u32{first} << 8 | second : u32{second} << 8 | first;
  }
  i64 decode(Bytes text, bool is_end);
  Status read_mark();

  BufferedReader &from_;
  bool begun_ = false, is_big_ = false;
  std::string text_;  // decoded
  i64 at_ = 0;        // bytes of it that were returned
};

Status Utf16Stream::read_mark() {
  const Result<Bytes> mark = from_.peek(2);
  if (!mark.is_ok()) return mark.status();
  begun_ = true;
  is_big_ = mark->front() == '\xfe';
  from_.skip(2);
  return Status::ok();
}

// Waits for the second half of a surrogate pair.
Status Utf16Stream::decode_more() {
  if (!begun_) {
    if (Status status = read_mark(); !status.is_ok()) return status;
  }
  text_.clear();
  at_ = 0;
  for (i64 least = 2; text_.empty(); least += 2) {
    const Result<Bytes> next = from_.peek(least);
    if (!next.is_ok()) return next.status();
    const bool is_end = std::ssize(*next) < least;
    if (next->size() == 1) {
      return Status::error(from_.name() +
                           ": ends in half a character of UTF-16; what lies before it is used");
    }
    from_.skip(decode(next->substr(0, kBlock), is_end));
    if (is_end) break;
  }
  return Status::ok();
}

// Appends the characters to text_ and returns the bytes consumed.
i64 Utf16Stream::decode(Bytes text, bool is_end) {
  const i64 size = std::ssize(text) / 2 * 2;
  i64 at = 0;
  while (at < size) {
    const u32 first = unit(text, at);
    if (first < 0x80) {
      text_.push_back(static_cast<char>(first));
      at += 2;
      continue;
    }
    const bool is_high = (first & 0xfc00) == 0xd800, is_low = (first & 0xfc00) == 0xdc00;
    if (is_high && at + 2 == size && !is_end) break;
    const u32 second = is_high && at + 2 < size ? unit(text, at + 2) : 0;
    const bool is_pair = (second & 0xfc00) == 0xdc00;
    const u32 pair = 0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff);
    append_utf8(is_pair ? pair : is_high || is_low ? 0xfffd : first, &text_);
    at += is_pair ? 4 : 2;
  }
  return at;
}

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

std::unique_ptr<Stream> open_utf16(BufferedReader *from) {
  return std::make_unique<Utf16Stream>(from);
}

}  // namespace mrc
