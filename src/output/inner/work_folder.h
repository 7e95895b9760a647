// A directory of numbered files that have no names yet.
#pragma once

#include "base/status.h"
#include "record.h"

#include <memory>
#include <string>

namespace mrc {

// The directory `.mrc-files-XXXXXX` beside the files that will get names. The destructor removes it
// with its files, and so do signals that end the process. After a crash it stays: it is locked
// while its process lives, so that the next one in the same place knows and removes it.
class WorkFolder {
 public:
  // `directory` is open as `fd`, which outlives the folder.
  static Result<std::unique_ptr<WorkFolder>> make(const std::string &directory, int fd);
  ~WorkFolder();
  WorkFolder(const WorkFolder &) = delete;
  WorkFolder &operator=(const WorkFolder &) = delete;

  int fd() const { return fd_; }
  // Opens a file to append to it. `is_new`: makes it; new files are numbered one after the other.
  // Returns -1, and errno, if it cannot.
  int open(i64 number, bool is_new);
  static std::string name_of(i64 number) { return std::to_string(number); }
  // All files have got names.
  void forget_files();

  // Plain memory, which the signal handler reads.
  struct Shown;

 private:
  WorkFolder() = default;

  int fd_ = -1;
  Shown *shown_ = nullptr;
};

}  // namespace mrc
