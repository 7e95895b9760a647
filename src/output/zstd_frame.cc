#include "output/zstd_frame.h"

#include <zstd.h>

#include <memory>
#include <new>

namespace mrc {
namespace {

struct FreeEncoder {
  void operator()(ZSTD_CCtx *encoder) const { ZSTD_freeCCtx(encoder); }
};

// Making an encoder costs more than compressing a short text.
ZSTD_CCtx *encoder_of_thread() {
  static thread_local std::unique_ptr<ZSTD_CCtx, FreeEncoder> encoder;
  if (encoder) return encoder.get();
  encoder.reset(ZSTD_createCCtx());
  if (!encoder) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(encoder.get(), ZSTD_c_checksumFlag, 1);
  return encoder.get();
}

}  // namespace

// Into a frame that has room for any text, encoding fails only without memory.
std::string zstd_frame(Bytes text) {
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  const size_t size =
      ZSTD_compress2(encoder_of_thread(), frame.data(), frame.size(), text.data(), text.size());
  if (ZSTD_isError(size)) throw std::bad_alloc();
  frame.resize(size);
  return frame;
}

}  // namespace mrc
