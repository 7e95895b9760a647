// The bytes of a stream, front to back, with a look ahead.
#pragma once

#include "base/pages.h"
#include "base/status.h"
#include "input/input.h"

#include <string>

namespace mrc {

// One thread at a time.
class BufferedReader {
 public:
  explicit BufferedReader(InputFile file) : file_(std::move(file)) {}
  // Bytes that are in memory, at `offset` of the input called `name`; they are borrowed.
  BufferedReader(Bytes bytes, i64 offset, std::string name);

  // What comes next: at least `least` bytes, less only where the input ends. Valid until
  // the next call of peek or read. What cannot be read is the same error each time it is asked for.
  Result<Bytes> peek(i64 least);
  // The part of it that is in memory already.
  Bytes buffered() const { return next_; }
  // Goes on after so many bytes. REQUIRES: they are in memory.
  void skip(i64 bytes);
  // Takes what comes next, up to `size` bytes, as it arrives; 0 at the end.
  Result<i64> read(char *to, i64 size);

  // Whether nothing more is read. A terminal would go on if it were asked again.
  bool ended() const { return ended_; }

  // Of the next byte. Standard input begins with 0, wherever it stands.
  i64 offset() const { return offset_; }
  const std::string &name() const { return name_.empty() ? file_.name() : name_; }

  // Moves the file to the next byte, for another process to go on there; nothing is in
  // memory then. False if that is impossible, and nothing has changed.
  bool unread();
  // After that: skips what the other process has read so far.
  void follow();
  int fd() const { return file_.fd(); }

 private:
  Result<i64> read_file(char *to, i64 size);

  bool ended_ = false;
  Status failure_ = Status::ok();  // why it has ended
  InputFile file_;
  std::string name_;
  Pages buffer_;
  Bytes next_;
  i64 offset_ = 0;
  i64 unread_at_ = 0;  // the file's own offset less ours
};

}  // namespace mrc
