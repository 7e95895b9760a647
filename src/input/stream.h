// Streams of bytes: as they arrive, or decompressed.
#pragma once

#include "input/inner/buffered_reader.h"
#include "input/inner/codec.h"

#include <memory>

namespace mrc {

// Bytes from front to back, once. One thread at a time.
class Stream {
 public:
  virtual ~Stream() = default;
  // Reads the next bytes, up to `size` and at least one; returns 0 at the end. An error concerns
  // the next bytes: all bytes before it have been returned. Must not be called again after an
  // error.
  virtual Result<i64> read(char *to, i64 size) = 0;
};

// Reads the rest of `from`, decompressed by `codec`. `from` must outlive the stream, which reads
// ahead in it. Fails if the codec needs a program that is not installed.
Result<std::unique_ptr<Stream>> open_stream(Codec codec, BufferedReader *from);

// Streams of the codecs: gzip and BGZF, Zstandard, UTF-16, and formats that a program decompresses.
std::unique_ptr<Stream> open_gzip(BufferedReader *from);
std::unique_ptr<Stream> open_zstd(BufferedReader *from);
std::unique_ptr<Stream> open_utf16(BufferedReader *from);
Result<std::unique_ptr<Stream>> open_program(Codec codec, BufferedReader *from);

// Makes the error "NAME: REASON at byte N of the compressed data; what lies before it is used".
Status damaged(const BufferedReader &at, std::string_view reason);

}  // namespace mrc
