#include "base/text.h"
#include "input/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace mrc {
namespace {

constexpr i64 kWideBlock = i64{64} << 10;

// Converts UTF-16 or UTF-32 with a byte order mark to UTF-8 without one. An unpaired surrogate and
// a code that is no character become U+FFFD.
class WideStream : public Stream {
 public:
  WideStream(Codec codec, BufferedReader *from)
      : from_(*from), name_(codec_name(codec)), width_(codec == Codec::utf32 ? 4 : 2) {}

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
  Status read_mark();
  template <typename Unit>
  u32 unit(Bytes text, i64 at) const;
  i64 decode_pairs(Bytes text, bool is_end);
  i64 decode_codes(Bytes text);

  BufferedReader &from_;
  const char *name_;
  i64 width_;  // bytes of a unit
  bool begun_ = false, is_big_ = false;
  std::string text_;  // decoded
  i64 at_ = 0;        // bytes of it that were returned
};

Status WideStream::read_mark() {
  const Result<Bytes> mark = from_.peek(width_);
  if (!mark.is_ok()) return mark.status();
  begun_ = true;
  is_big_ = mark->front() != '\xff';
  from_.skip(width_);
  return Status::ok();
}

// Waits for the second half of a surrogate pair.
Status WideStream::decode_more() {
  if (!begun_) {
    if (Status status = read_mark(); !status.is_ok()) return status;
  }
  text_.clear();
  at_ = 0;
  for (i64 least = width_; text_.empty(); least += width_) {
    const Result<Bytes> next = from_.peek(least);
    if (!next.is_ok()) return next.status();
    const bool is_end = std::ssize(*next) < least;
    if (!next->empty() && std::ssize(*next) < width_) {
      return Status::error(
          fmt::format("{}: ends in part of a character of {}; what lies before it "
                      "is used",
                      from_.name(), name_));
    }
    const Bytes block = next->substr(0, kWideBlock);
    from_.skip(width_ == 4 ? decode_codes(block) : decode_pairs(block, is_end));
    if (is_end) break;
  }
  return Status::ok();
}

// The machine has the low byte first.
template <typename Unit>
u32 WideStream::unit(Bytes text, i64 at) const {
  Unit value;
  std::memcpy(&value, text.data() + at, sizeof value);
  if (!is_big_) return value;
  return sizeof value == 2 ? __builtin_bswap16(static_cast<u16>(value)) : __builtin_bswap32(value);
}

// Appends the characters of UTF-16 to text_ and returns the bytes consumed.
i64 WideStream::decode_pairs(Bytes text, bool is_end) {
  const i64 size = std::ssize(text) / 2 * 2;
  i64 at = 0;
  while (at < size) {
    const u32 first = unit<u16>(text, at);
    if (first < 0x80) {
      text_.push_back(static_cast<char>(first));
      at += 2;
      continue;
    }
    const bool is_high = (first & 0xfc00) == 0xd800, is_low = (first & 0xfc00) == 0xdc00;
    if (is_high && at + 2 == size && !is_end) break;
    const u32 second = is_high && at + 2 < size ? unit<u16>(text, at + 2) : 0;
    const bool is_pair = (second & 0xfc00) == 0xdc00;
    const u32 pair = 0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff);
    append_utf8(is_pair ? pair : is_high || is_low ? 0xfffd : first, &text_);
    at += is_pair ? 4 : 2;
  }
  return at;
}

// Appends the characters of UTF-32 to text_ and returns the bytes consumed.
i64 WideStream::decode_codes(Bytes text) {
  const i64 size = std::ssize(text) / 4 * 4;
  for (i64 at = 0; at < size; at += 4) {
    const u32 code = unit<u32>(text, at);
    const bool is_character = code < 0xd800 || (code >= 0xe000 && code < 0x110000);
    append_utf8(is_character ? code : 0xfffd, &text_);
  }
  return size;
}

}  // namespace

std::unique_ptr<Stream> open_wide(Codec codec, BufferedReader *from) {
  return std::make_unique<WideStream>(codec, from);
}

}  // namespace mrc
