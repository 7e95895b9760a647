#include "input/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <string_view>

namespace mrc {
namespace {

constexpr i64 kMostAtOnce = i64{1} << 30;  // the library has 32-bit counts
constexpr int kGzipOnly = 15 + 16;         // a window of 32 KiB, and a gzip header

const char *reason_of(const char *message) {
  const std::string_view said = message == nullptr ? "" : message;
  auto says = [&](std::string_view word) { return said.find(word) != std::string_view::npos; };
  if (says("data check") || says("length check")) return "gzip: wrong checksum or length";
  if (says("compression method")) return "gzip: unknown method";
  if (says("header")) return "gzip: invalid header";
  if (says("too far back")) return "gzip: invalid distance";
  if (says("block")) return "gzip: invalid block";
  return "gzip: invalid code";
}

}  // namespace

struct Inflater::State {
  z_stream decoder{};
};

Inflater::Inflater() : state_(std::make_unique<State>()) {
  if (inflateInit2(&state_->decoder, kGzipOnly) != Z_OK) throw std::bad_alloc();
}
Inflater::~Inflater() { inflateEnd(&state_->decoder); }

void Inflater::begin_member() { inflateReset(&state_->decoder); }

Inflater::Step Inflater::step(Bytes in, char *out, i64 room) {
  z_stream &decoder = state_->decoder;
  const auto given = static_cast<uInt>(std::min<i64>(std::ssize(in), kMostAtOnce));
  const auto space = static_cast<uInt>(std::min(room, kMostAtOnce));
  // The library does not write to it, but takes no const pointer.
  decoder.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(in.data()));
  decoder.avail_in = given;
  decoder.next_out = reinterpret_cast<Bytef *>(out);
  decoder.avail_out = space;
  const int code = inflate(&decoder, Z_NO_FLUSH);
  if (code == Z_MEM_ERROR) throw std::bad_alloc();
  Step step{given - decoder.avail_in, space - decoder.avail_out, code == Z_STREAM_END, nullptr};
  if (code == Z_DATA_ERROR || code == Z_NEED_DICT) step.failure = reason_of(decoder.msg);
  return step;
}

// zlib holds back no decoded bytes.
i64 Inflater::take_leftover(char *, i64) { return 0; }

}  // namespace mrc
