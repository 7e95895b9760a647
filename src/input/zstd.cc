// Zstandard by its own library: frames follow each other, skippable ones yield nothing. The library
// loses its output when a call fails. To make the output of damaged input deterministic, each step
// gets a whole block and our own buffer, which has room for all output of a step. Frames with a
// window of more than 128 MiB are refused, as by zstd(1).
#include "input/inner/zstd_frames.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

namespace mrc {
namespace {

constexpr size_t kFrameStart = 5;  // enough to tell the length of the frame header

class ZstdStream : public Stream {
 public:
  explicit ZstdStream(BufferedReader *from) : from_(from) {}

  Result<i64> read(char *to, i64 size) override {
    if (decoder_ == nullptr) return Status::error(from_->name() + ": zstd: out of memory");
    while (made_.empty() && !ended_) {
      if (Status failure = decompress(); !failure.is_ok()) return failure;
    }
    const size_t bytes = std::min(made_.size(), static_cast<size_t>(size));
    std::copy_n(made_.data(), bytes, to);
    made_.remove_prefix(bytes);
    return static_cast<i64>(bytes);
  }

 private:
  Status decompress();

  struct FreeDecoder {
    void operator()(ZSTD_DStream *decoder) const { ZSTD_freeDStream(decoder); }
  };

  BufferedReader *from_;
  std::unique_ptr<ZSTD_DStream, FreeDecoder> decoder_{ZSTD_createDStream()};
  const size_t room_ = ZSTD_DStreamOutSize();
  std::unique_ptr<char[]> buffer_{new char[room_]};
  Bytes made_;  // the part of the buffer that was not returned yet
  bool in_frame_ = false;
  bool ended_ = false;
  size_t wanted_ = kFrameStart;  // input bytes that the library asks for
};

// Runs one step of the decoder.
Status ZstdStream::decompress() {
  Result<Bytes> given = from_->peek(static_cast<i64>(wanted_));
  if (!given.is_ok()) return given.status();
  if (given->empty() && !in_frame_) {
    ended_ = true;
    return Status::ok();
  }
  ZSTD_inBuffer in{given->data(), std::min(given->size(), wanted_), 0};
  ZSTD_outBuffer out{buffer_.get(), room_, 0};
  const size_t left = ZSTD_decompressStream(decoder_.get(), &out, &in);
  from_->skip(static_cast<i64>(in.pos));
  if (ZSTD_isError(left)) {
    return damaged(*from_, fmt::format("zstd: {}", ZSTD_getErrorName(left)));
  }
  made_ = Bytes(buffer_.get(), out.pos);
  in_frame_ = left != 0;
  // A skippable frame may be of any size.
  wanted_ = in_frame_ ? std::min(left, ZSTD_DStreamInSize()) : kFrameStart;
  // The input has ended and the decoder is empty.
  if (given->empty() && in_frame_ && out.pos == 0) return damaged(*from_, "zstd: unexpected end");
  return Status::ok();
}

constexpr i64 kMostHeader = 18;  // bytes of the header of a frame (RFC 8878)

}  // namespace

PackedFrame next_zstd_frame(BufferedReader *from, i64 most) {
  const Result<Bytes> first = from->peek(kMostHeader);
  if (!first.is_ok()) return {};
  const unsigned long long text = ZSTD_getFrameContentSize(first->data(), first->size());
  const bool is_known = text != ZSTD_CONTENTSIZE_UNKNOWN && text != ZSTD_CONTENTSIZE_ERROR;
  if (!is_known || text > static_cast<u64>(most)) return {};
  const i64 most_packed = 2 * static_cast<i64>(ZSTD_compressBound(static_cast<size_t>(most)));
  for (i64 seen = i64{64} << 10; seen <= most_packed; seen *= 2) {
    const Result<Bytes> frame = from->peek(seen);
    if (!frame.is_ok()) return {};
    const size_t size = ZSTD_findFrameCompressedSize(frame->data(), frame->size());
    if (ZSTD_isError(size) == 0) return {static_cast<i64>(size), static_cast<i64>(text)};
    if (std::ssize(*frame) < seen) return {};
  }
  return {};
}

std::unique_ptr<Stream> open_zstd(BufferedReader *from) {
  return std::make_unique<ZstdStream>(from);
}

}  // namespace mrc
