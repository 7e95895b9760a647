// Looks at the first bytes of standard input without consuming them.
#pragma once

#include "base/int.h"

#include <optional>
#include <string>

namespace mrc {

// Copies a pipe's bytes to another pipe, and opens a file anew if nothing has been read of it. The
// input can still be read as a whole.
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

}  // namespace mrc
