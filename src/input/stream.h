// What streams say, whatever they are: as it arrives, or decompressed.
#pragma once

#include "input/buffered_reader.h"
#include "input/codec.h"

#include <memory>

namespace mrc {

// Bytes from front to back, once. One thread at a time.
class Stream {
 public:
  virtual ~Stream() = default;
  // What comes next, up to `size` bytes and at least one; 0 at the end. An error says
  // what is wrong with what comes next: all before it has been handed out. Not to be
  // called again after that.
  virtual Result<i64> read(char *to, i64 size) = 0;
};

// What is left in `from`, decompressed if it is compressed so. `from` must outlive the
// stream, which reads ahead in it. An error if a program is needed and is not there.
Result<std::unique_ptr<Stream>> open_stream(Codec codec, BufferedReader *from);

// By codec: gzip, and BGZF with it; Zstandard; UTF-16; what a program decompresses.
std::unique_ptr<Stream> open_gzip(BufferedReader *from);
std::unique_ptr<Stream> open_zstd(BufferedReader *from);
std::unique_ptr<Stream> open_utf16(BufferedReader *from);
Result<std::unique_ptr<Stream>> open_program(Codec codec, BufferedReader *from);

// "NAME: REASON at byte N of the compressed data; what lies before it is used".
Status damaged(const BufferedReader &at, std::string_view reason);

}  // namespace mrc
