// gzip by ISA-L, as gzip(1) understands it: members follow each other, zeros behind the
// last one are padding, and anything else there is garbage, which is reported.
//
// The decoder keeps what it has not handed out yet, so the end of the input is not the
// end: what is in the decoder is asked for until nothing comes any more.
#include "input/stream.h"

#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

using namespace std::string_view_literals;

const char *reason_of(int code) {
  switch (code) {
    case ISAL_INVALID_BLOCK: return "gzip: invalid block";
    case ISAL_INVALID_SYMBOL: return "gzip: invalid code";
    case ISAL_INVALID_LOOKBACK: return "gzip: invalid distance";
    case ISAL_INCORRECT_CHECKSUM: return "gzip: wrong checksum or length";
    case ISAL_UNSUPPORTED_METHOD: return "gzip: unknown method";
    default: return "gzip: invalid header";
  }
}

class GzipStream : public Stream {
 public:
  explicit GzipStream(BufferedReader *from) : from_(from) {
    isal_inflate_init(&state_);
    state_.crc_flag = ISAL_GZIP;
  }

  Result<i64> read(char *to, i64 size) override {
    // The decoder counts in 32 bits.
    const u32 room = static_cast<u32>(std::min<i64>(size, 1 << 30));
    state_.next_out = reinterpret_cast<u8 *>(to);
    state_.avail_out = room;
    while (state_.avail_out == room && !ended_) {
      failure_ = in_member_ ? inflate() : begin_member();
      if (!failure_.is_ok()) ended_ = true;
    }
    if (!failure_.is_ok()) take_leftover();
    const i64 made = room - state_.avail_out;
    if (made == 0 && !failure_.is_ok()) return failure_;
    return made;
  }

 private:
  Status inflate();
  void take_leftover();
  Status begin_member();

  BufferedReader *from_;
  bool in_member_ = false;
  bool ended_ = false;
  i64 members_ = 0;
  Status failure_ = Status::ok();  // told when all before it has been handed out
  // All zero: damaged data may refer to codes that no header has set.
  inflate_state state_{};
};

Status GzipStream::inflate() {
  Result<Bytes> in = from_->peek(1);
  if (!in.is_ok()) return in.status();
  const u32 given = static_cast<u32>(std::min<size_t>(in->size(), 1 << 30));
  const u32 room = state_.avail_out;
  // Not written to: the library takes no const.
  state_.next_in = reinterpret_cast<u8 *>(const_cast<char *>(in->data()));
  state_.avail_in = given;
  const int code = isal_inflate(&state_);
  // When it fails, the library may have counted a byte that is not there.
  const u32 taken = std::min(given, given - state_.avail_in);
  from_->skip(taken);
  if (code < 0) return damaged(*from_, reason_of(code));
  if (state_.block_state == ISAL_BLOCK_FINISH) {
    in_member_ = false;
    ++members_;
  } else if (taken == 0 && state_.avail_out == room) {
    return damaged(*from_, given == 0 ? "gzip: unexpected end" : "gzip: invalid data");
  }
  return Status::ok();
}

// What the decoder had no room for when it failed, and does not hand out any more. Without
// it, what is used of damaged input would depend on how much was asked for.
void GzipStream::take_leftover() {
  const i64 left = state_.tmp_out_valid - state_.tmp_out_processed;
  const u32 bytes = static_cast<u32>(std::clamp<i64>(left, 0, state_.avail_out));
  std::memcpy(state_.next_out, state_.tmp_out_buffer + state_.tmp_out_processed, bytes);
  state_.tmp_out_processed += static_cast<int>(bytes);
  state_.next_out += bytes;
  state_.avail_out -= bytes;
}

Status GzipStream::begin_member() {
  Result<Bytes> in = from_->peek(2);
  if (!in.is_ok()) return in.status();
  if (in->starts_with("\x1f\x8b"sv)) {
    if (members_ > 0) isal_inflate_reset(&state_);
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

}  // namespace

std::unique_ptr<Stream> open_gzip(BufferedReader *from) {
  return std::make_unique<GzipStream>(from);
}

}  // namespace mrc
