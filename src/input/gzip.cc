// gzip as gzip(1) reads it: members follow each other, zeros after the last one are padding, and
// anything else there is garbage, which is reported.
//
// The decoder may hold output that did not fit, so after the end of the input it is called until it
// returns nothing.
#include "input/gzip.h"

#include "input/stream.h"

#include <cstring>

namespace mrc {
namespace {

using namespace std::string_view_literals;

class GzipStream : public Stream {
 public:
  explicit GzipStream(BufferedReader *from) : from_(from) {}

  Result<i64> read(char *to, i64 size) override {
    i64 made = 0;
    while (made == 0 && !ended_) {
      failure_ = in_member_ ? inflate(to, size, &made) : begin_member();
      if (!failure_.is_ok()) ended_ = true;
    }
    // Damaged input yields the same bytes, however few the caller asks for at a time.
    if (!failure_.is_ok()) made += inflater_.take_leftover(to + made, size - made);
    if (made == 0 && !failure_.is_ok()) return failure_;
    return made;
  }

 private:
  Status inflate(char *to, i64 size, i64 *made);
  Status begin_member();

  BufferedReader *from_;
  bool in_member_ = false;
  bool ended_ = false;
  Status failure_ = Status::ok();  // returned after all bytes before it
  Inflater inflater_;
};

Status GzipStream::inflate(char *to, i64 size, i64 *made) {
  Result<Bytes> in = from_->peek(1);
  if (!in.is_ok()) return in.status();
  const Inflater::Step step = inflater_.step(*in, to, size);
  from_->skip(step.taken);
  *made = step.made;
  if (step.failure != nullptr) return damaged(*from_, step.failure);
  if (step.ended) {
    in_member_ = false;
  } else if (step.taken == 0 && step.made == 0) {
    return damaged(*from_, in->empty() ? "gzip: unexpected end" : "gzip: invalid data");
  }
  return Status::ok();
}

Status GzipStream::begin_member() {
  Result<Bytes> in = from_->peek(2);
  if (!in.is_ok()) return in.status();
  if (in->starts_with("\x1f\x8b"sv)) {
    inflater_.begin_member();
    in_member_ = true;
    return Status::ok();
  }
  while (!in->empty() && in->front() == 0) {
    from_->skip(static_cast<i64>(std::min(in->find_first_not_of('\0'), in->size())));
    in = from_->peek(1);
    if (!in.is_ok()) return in.status();
  }
  ended_ = true;
  return in->empty() ? Status::ok() : damaged(*from_, "gzip: trailing garbage");
}

using namespace std::string_view_literals;

constexpr i64 kHeader = 18;
constexpr i64 kTrailer = 8;
constexpr u32 kMostUnpacked = u32{1} << 16;

u16 load16(const char *at) {
  u16 value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

u32 load32(const char *at) {
  u32 value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

}  // namespace

std::unique_ptr<Stream> open_gzip(BufferedReader *from) {
  return std::make_unique<GzipStream>(from);
}

// Requires the extra field "BC", two bytes long, to come first: bgzip(1) writes no other, and files
// with others are read like any gzip file.
i64 bgzf_block_bytes(Bytes first) {
  if (std::ssize(first) < kHeader || !first.starts_with("\x1f\x8b\x08\x04"sv)) return 0;
  if (load16(first.data() + 10) != 6 || first.substr(12, 4) != "BC\2\0"sv) return 0;
  const i64 bytes = i64{load16(first.data() + 16)} + 1;
  return bytes > kHeader + kTrailer ? bytes : 0;
}

BgzfRange next_bgzf_range(BufferedReader *from, i64 most) {
  BgzfRange range;
  i64 bytes = 0;
  for (;;) {
    Result<Bytes> seen = from->peek(bytes + kHeader);
    if (!seen.is_ok() || std::ssize(*seen) < bytes + kHeader) break;
    const i64 block = bgzf_block_bytes(seen->substr(static_cast<size_t>(bytes)));
    if (block == 0) break;
    seen = from->peek(bytes + block);
    if (!seen.is_ok() || std::ssize(*seen) < bytes + block) break;
    const u32 unpacked = load32(seen->data() + bytes + block - 4);
    if (unpacked > kMostUnpacked || (bytes > 0 && range.unpacked + unpacked > most)) break;
    bytes += block;
    range.unpacked += unpacked;
  }
  range.packed = from->buffered().substr(0, static_cast<size_t>(bytes));
  return range;
}

}  // namespace mrc
