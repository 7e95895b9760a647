// The first bytes of standard input, without taking them.
#pragma once

#include "base/int.h"

#include <optional>
#include <string>

namespace mrc {

// A pipe's bytes are copied to another pipe, and a file that nothing has been read of is opened
// anew. The input can still be read as a whole.
class PeekedInput {
 public:
  // Waits for the first byte of a pipe, and from then on for a second at most until the pipe is
  // full or at its end. -1: there is nothing to look at.
  explicit PeekedInput(int fd);
  ~PeekedInput();
  PeekedInput(const PeekedInput &) = delete;
  PeekedInput &operator=(const PeekedInput &) = delete;

  // The path where the bytes can be read once, or nothing, for instance if the input is a terminal.
  const std::optional<std::string> &path() const { return path_; }

 private:
  void copy_pipe(int fd);

  int copy_ = -1;
  std::optional<std::string> path_;
};

}  // namespace mrc
