// Streams of bytes: as they arrive, or decompressed.
#pragma once

#include "base/pages.h"
#include "base/status.h"
#include "input/inner/codec.h"
#include "input/input.h"

#include <memory>
#include <string>

namespace mrc {

// Reads a stream front to back, with lookahead.

// One thread at a time.
class BufferedReader {
 public:
  // `offset` of the next byte of the file.
  explicit BufferedReader(InputFile file, i64 offset = 0)
      : file_(std::move(file)), offset_(offset) {}
  // Reads borrowed bytes in memory, at `offset` of the input called `name`.
  BufferedReader(Bytes bytes, i64 offset, std::string name);

  // Returns the next bytes: at least `least`, or fewer at the end of the input. Valid until the
  // next call of peek or read. A read error is returned again by each later call.
  Result<Bytes> peek(i64 least);
  // The next bytes that are in memory already.
  Bytes buffered() const { return next_; }
  // Skips bytes. REQUIRES: they are in memory
  void skip(i64 bytes);
  // Reads up to `size` of the next bytes as they arrive; returns 0 at the end.
  Result<i64> read(char *to, i64 size);

  // True if the reader will not read from the file again. A terminal would deliver more if it were.
  bool ended() const { return ended_; }

  // Offset of the next byte. Standard input begins with 0, wherever its file offset is.
  i64 offset() const { return offset_; }
  const std::string &name() const { return name_.empty() ? file_.name() : name_; }

  // Moves the file offset to the next byte, for another process to continue there, and drops the
  // bytes in memory. Returns false, and changes nothing, if that is impossible.
  bool unread();
  // Skips the bytes that the other process has read since unread().
  void follow();
  int fd() const { return file_.fd(); }

 private:
  Result<i64> read_file(char *to, i64 size);

  bool ended_ = false;
  Status failure_ = Status::ok();  // the error that ended it
  InputFile file_;
  std::string name_;
  Pages buffer_;
  Bytes next_;
  i64 offset_ = 0;
  i64 unread_at_ = 0;  // offset of the file minus offset_
};

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

// Streams of the codecs: gzip and BGZF, Zstandard, text in wide characters,
// and formats that a program decompresses.
std::unique_ptr<Stream> open_gzip(BufferedReader *from);
std::unique_ptr<Stream> open_zstd(BufferedReader *from);
std::unique_ptr<Stream> open_wide(Codec codec, BufferedReader *from);
Result<std::unique_ptr<Stream>> open_program(Codec codec, BufferedReader *from);

// Makes the error "NAME: REASON at byte N of the compressed data; what lies before it is used".
Status damaged(const BufferedReader &at, std::string_view reason);

}  // namespace mrc
