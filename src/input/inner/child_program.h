// Programs that convert an input: bytes in, bytes out.
#pragma once

#include "base/status.h"

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// Runs a program that converts an input: bytes in, bytes out.

// Runs concurrently with this process, which reads its standard output. One thread at a time.
class ChildProgram {
 public:
  // Keeps its standard error for succeeded(), or passes it on to ours.
  enum class Messages { kept, passed_on };
  // A group has all processes that the program starts: they end when it is killed, and when this
  // process gets a signal that ends it.
  enum class Group { ours, its_own };
  // Starts argv[0], searched on PATH, without a shell. Its standard input is the open file `input`,
  // or, if that is -1, the bytes passed to write(). Returns 0 or an errno, ENOENT if there is no
  // such program.
  int start(const std::vector<std::string> &argv, int input, Messages messages = Messages::kept,
            Group group = Group::ours);
  ChildProgram() = default;
  // Kills the program if it runs.
  ~ChildProgram();
  ChildProgram(const ChildProgram &) = delete;
  ChildProgram &operator=(const ChildProgram &) = delete;

  // Waits for output, or for room for input if `wants_room`. Returns true if there is output.
  bool await_output(bool wants_room) const;
  // Returns its standard output, and passes ownership to the caller.
  int take_output();
  // Reads available output, up to `size` bytes; 0 at the end; -1 and errno on error.
  ssize_t read(char *to, size_t size) const;
  // Writes as many bytes as fit and returns their number. If the program has closed its input,
  // pretends to write all.
  size_t write(const char *from, size_t size);
  // Waits until the program takes input or has closed it; returns false after `most_ms`.
  bool await_room(int most_ms) const;
  // True if it has closed its standard input, or has ended.
  bool has_closed_input() const;
  // Ends its standard input.
  void end_input();
  // True if it has read all that was written. REQUIRES: it has ended
  bool has_read_all() const;
  // Ends the program, and all of its group. Any thread.
  void kill() const;

  // Returns whether it has succeeded; nothing while it runs. Does not wait.
  std::optional<bool> outcome() const;

  // Waits for the end of the program. Returns true if it succeeded. If not, *reason is the first
  // line of its messages, without its name, or else its signal or exit status.
  bool succeeded(std::string *reason);

 private:
  std::string first_message() const;
  pid_t wait(int *status);

  std::string name_;
  pid_t id_ = -1;
  bool has_group_ = false;
  bool has_left_input_ = false;  // it has closed its input before all was written
  int output_ = -1;              // its standard output
  int input_ = -1;               // a socket, as send() can avoid SIGPIPE
  // Messages go to a file in memory, as a full pipe would block the program. -1: they are passed
  // on.
  int messages_ = -1;
};

// Turns a user's command that reads an input into a script of sh(1).

// Returns the script, in which $1 is the name of the input: "$1" replaces each {} of the form, or
// follows the form if it has neither {} nor $1. So no byte of a name becomes code. Fails if a {} is
// in quotes, which "$1" would end.
Result<std::string> script_of(std::string_view form);

}  // namespace mrc
