// Zstandard by its own library: frames follow each other, skippable ones say nothing.
// The library gets input a step at a time, a block mostly: what it has made in a call
// that fails is lost, and what is used of damaged input must not depend on how much was
// asked for. A frame that needs a window of more than 128 MiB is refused, as zstd(1) does it.
#include "input/stream.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr size_t kFrameStart = 5;  // what shows how long the header of a frame is

class ZstdStream : public Stream {
 public:
  explicit ZstdStream(BufferedReader *from) : from_(from), decoder_(ZSTD_createDStream()) {}
  ~ZstdStream() override { ZSTD_freeDStream(decoder_); }
  ZstdStream(const ZstdStream &) = delete;
  ZstdStream &operator=(const ZstdStream &) = delete;

  Result<i64> read(char *to, i64 size) override {
    if (decoder_ == nullptr) return Status::error(from_->name() + ": zstd: out of memory");
    ZSTD_outBuffer out{to, static_cast<size_t>(size), 0};
    while (out.pos == 0 && !ended_) {
      failure_ = decompress(&out);
      if (!failure_.is_ok()) ended_ = true;
    }
    if (out.pos == 0 && !failure_.is_ok()) return failure_;
    return static_cast<i64>(out.pos);
  }

 private:
  Status decompress(ZSTD_outBuffer *out);

  BufferedReader *from_;
  ZSTD_DStream *decoder_;
  bool in_frame_ = false;
  size_t wanted_ = kFrameStart;  // by the library, for its next step
  bool has_more_ = false;        // than there was room for, perhaps
  bool ended_ = false;
  Status failure_ = Status::ok();  // told when all before it has been handed out
};

Status ZstdStream::decompress(ZSTD_outBuffer *out) {
  Result<Bytes> given = from_->peek(1);
  if (!given.is_ok()) return given.status();
  if (given->empty() && !in_frame_) {
    ended_ = true;
    return Status::ok();
  }
  ZSTD_inBuffer in{given->data(), has_more_ ? 0 : std::min(given->size(), wanted_), 0};
  const size_t left = ZSTD_decompressStream(decoder_, out, &in);
  from_->skip(static_cast<i64>(in.pos));
  if (ZSTD_isError(left)) {
    return damaged(*from_, fmt::format("zstd: {}", ZSTD_getErrorName(left)));
  }
  in_frame_ = left != 0;
  wanted_ = in_frame_ ? left : kFrameStart;
  has_more_ = in_frame_ && out->pos == out->size;
  // The end of the input, and nothing in the decoder any more.
  if (given->empty() && in_frame_ && out->pos == 0) return damaged(*from_, "zstd: unexpected end");
  return Status::ok();
}

}  // namespace

std::unique_ptr<Stream> open_zstd(BufferedReader *from) {
  return std::make_unique<ZstdStream>(from);
}

}  // namespace mrc
