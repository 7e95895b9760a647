// A program that this one runs to read something: bytes in, bytes out.
#pragma once

#include "base/status.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace mrc {

// Runs beside this process, which reads its standard output. One thread at a time.
class ChildProgram {
 public:
  // What becomes of its standard error: succeeded() tells of it, or it goes to ours.
  enum class Messages { kept, passed_on };
  // Starts argv[0], which is looked for on PATH, without a shell. Its standard input is
  // the open file `input`, or what write() says if that is -1. A program that is not
  // there is an error of errno ENOENT. Returns 0, or the errno.
  int start(const std::vector<std::string> &argv, int input, Messages messages = Messages::kept);
  ChildProgram() = default;
  // Ends the program if it runs.
  ~ChildProgram();
  ChildProgram(const ChildProgram &) = delete;
  ChildProgram &operator=(const ChildProgram &) = delete;

  // Waits until there is output, or room for input if `wants_room`; true if it is output.
  bool await_output(bool wants_room) const;
  // Its standard output, which is the caller's from now on.
  int take_output();
  // What has come out, up to `size` bytes; 0 at the end; -1 and errno.
  ssize_t read(char *to, size_t size) const;
  // Hands in what there is room for. If the program reads no more, all is taken and dropped.
  size_t write(const char *from, size_t size) const;
  // No more input.
  void end_input();

  // Waits for the end of the program. Whether it was content; if not, the first line of
  // its messages, without its name, or what happened to it.
  bool succeeded(std::string *reason);

 private:
  std::string first_message() const;

  std::string name_;
  pid_t id_ = -1;
  int output_ = -1;  // its standard output
  int input_ = -1;   // a socket, since writing to it raises no SIGPIPE
  // A file in memory: a pipe could fill, and block the program. -1: they are passed on.
  int messages_ = -1;
};

}  // namespace mrc
