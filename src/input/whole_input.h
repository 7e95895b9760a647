// Inputs that are looked at before they are read, or read as a whole.
#pragma once

#include "base/int.h"
#include "base/pages.h"
#include "input/input.h"

#include <functional>
#include <optional>
#include <string>

namespace mrc {

// The first bytes of a source, decompressed: of what is left to read of it or, if nothing is, of
// all.
struct Head {
  std::string bytes = {};
  bool whole = false;  // the source ends here
};
// Reads until the bytes are enough or the source ends. Takes what it reads from a stream.
Result<Head> read_head(const Source &source, const std::function<bool(const Head &)> &is_enough);

// Looks at the first bytes of standard input without consuming them. Copies a pipe's bytes to
// another pipe, and opens a file anew if nothing has been read of it. The input can still be read
// as a whole.
class PeekedInput {
 public:
  // Waits for the first byte of a pipe, then at most a second until the pipe is full or at its end.
  // If fd is -1, there is no input to look at.
  explicit PeekedInput(int fd);
  ~PeekedInput();
  PeekedInput(const PeekedInput &) = delete;
  PeekedInput &operator=(const PeekedInput &) = delete;

  // Returns a path where the bytes can be read once, or nothing, for instance if the input is a
  // terminal.
  const std::optional<std::string> &path() const { return path_; }

 private:
  void copy_pipe(int fd);

  int copy_ = -1;
  std::optional<std::string> path_;
};

// An input in memory from its first byte to its last, for jobs that must see all of it. Maps a
// file; reads a stream or compressed input to its end. Any thread may read the bytes. If a mapped
// file is truncated meanwhile, reading the lost pages raises SIGBUS.
class WholeInput {
 public:
  static Result<WholeInput> open(const Source &source);
  ~WholeInput();
  WholeInput(WholeInput &&other) noexcept;
  WholeInput &operator=(WholeInput &&other) noexcept;

  Bytes bytes() const { return bytes_; }
  // True if the bytes are those of a file, so that parts of it can also be read from the file.
  bool is_file() const { return mapped_ > 0; }

 private:
  WholeInput() = default;
  Status map(const Source &source, const InputFile &file);
  Status copy(const Source &source, const InputFile &file);
  Status read(const Source &source, InputFile file);

  Bytes bytes_;
  i64 mapped_ = 0;  // size of the mapping at base_
  char *base_ = nullptr;
  Pages memory_;  // holds a stream, and kPadding bytes more
};

}  // namespace mrc
