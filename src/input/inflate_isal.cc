#include "input/gzip.h"

#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

constexpr i64 kMostAtOnce = i64{1} << 30;  // the library has 32-bit counts

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

}  // namespace

struct Inflater::State {
  // Zeroed, as damaged data may refer to codes that no header has set.
  inflate_state decoder{};
  bool used = false;
};

Inflater::Inflater() : state_(std::make_unique<State>()) {
  isal_inflate_init(&state_->decoder);
  state_->decoder.crc_flag = ISAL_GZIP;
}
Inflater::~Inflater() = default;

void Inflater::begin_member() {
  if (state_->used) isal_inflate_reset(&state_->decoder);
  state_->used = true;
}

Inflater::Step Inflater::step(Bytes in, char *out, i64 room) {
  inflate_state &decoder = state_->decoder;
  const u32 given = static_cast<u32>(std::min<i64>(std::ssize(in), kMostAtOnce));
  const u32 space = static_cast<u32>(std::min(room, kMostAtOnce));
  // The library does not write to it, but takes no const pointer.
  decoder.next_in = reinterpret_cast<u8 *>(const_cast<char *>(in.data()));
  decoder.avail_in = given;
  decoder.next_out = reinterpret_cast<u8 *>(out);
  decoder.avail_out = space;
  const int code = isal_inflate(&decoder);
  Step step;
  // On failure, the library may have counted a byte past the end of the input.
  step.taken = std::min(given, given - decoder.avail_in);
  step.made = space - decoder.avail_out;
  step.ended = code >= 0 && decoder.block_state == ISAL_BLOCK_FINISH;
  if (code < 0) step.failure = reason_of(code);
  return step;
}

i64 Inflater::take_leftover(char *out, i64 room) {
  inflate_state &decoder = state_->decoder;
  const i64 left = decoder.tmp_out_valid - decoder.tmp_out_processed;
  const i64 bytes = std::clamp<i64>(left, 0, room);
  std::memcpy(out, decoder.tmp_out_buffer + decoder.tmp_out_processed, static_cast<size_t>(bytes));
  decoder.tmp_out_processed += static_cast<int>(bytes);
  return bytes;
}

}  // namespace mrc
