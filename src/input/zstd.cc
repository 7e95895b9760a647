// Zstandard by its own library: frames follow each other, skippable ones say nothing.
// What the library has made in a call that fails is lost. So that what is used of damaged
// input depends on nothing else, it gets whole steps, a block mostly, and a buffer of our
// own that has room for what a step makes. A frame that needs a window of more than
// 128 MiB is refused, as zstd(1) does it.
#include "input/stream.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

namespace mrc {
namespace {

constexpr size_t kFrameStart = 5;  // what shows how long the header of a frame is

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
  Bytes made_;  // of the buffer, and not handed out
  bool in_frame_ = false;
  bool ended_ = false;
  size_t wanted_ = kFrameStart;  // by the library, for its next step
};

// One step.
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
  // What is to be skipped may be of any size.
  wanted_ = in_frame_ ? std::min(left, ZSTD_DStreamInSize()) : kFrameStart;
  // The end of the input, and nothing in the decoder any more.
  if (given->empty() && in_frame_ && out.pos == 0) return damaged(*from_, "zstd: unexpected end");
  return Status::ok();
}

}  // namespace

std::unique_ptr<Stream> open_zstd(BufferedReader *from) {
  return std::make_unique<ZstdStream>(from);
}

}  // namespace mrc
