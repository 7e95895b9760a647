// An input in memory from its first byte to its last, for jobs that must see all of it.
#pragma once

#include "base/pages.h"
#include "input/input.h"

namespace mrc {

// Maps a file; reads a stream or compressed input to its end. Any thread may read the bytes. If a
// mapped file is truncated meanwhile, reading the lost pages raises SIGBUS.
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
  Status read(InputFile file);

  Bytes bytes_;
  i64 mapped_ = 0;  // size of the mapping at base_
  char *base_ = nullptr;
  Pages memory_;  // holds a stream, and kPadding bytes more
};

}  // namespace mrc
