// An input in memory from its first byte to its last, for jobs that must see all of it.
#pragma once

#include "base/pages.h"
#include "input/input.h"

namespace mrc {

// A file is mapped; what is a stream, or compressed, is read to its end. Any thread may look.
// Pages of a mapped file that is truncated meanwhile cannot be looked at (SIGBUS).
class WholeInput {
 public:
  static Result<WholeInput> open(const Source &source);
  ~WholeInput();
  WholeInput(WholeInput &&other) noexcept;
  WholeInput &operator=(WholeInput &&other) noexcept;

  Bytes bytes() const { return bytes_; }
  // Whether the bytes are those of a file, so that parts of it can be read as well.
  bool is_file() const { return mapped_ > 0; }

 private:
  WholeInput() = default;
  Status map(const Source &source, const InputFile &file);
  Status read(InputFile file);

  Bytes bytes_;
  i64 mapped_ = 0;  // bytes from the start of the file's pages on
  char *base_ = nullptr;
  Pages memory_;  // of what was read, kPadding bytes larger
};

}  // namespace mrc
