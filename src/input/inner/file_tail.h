// An open file that grows: reads the bytes appended after a mark, and checks whether the bytes
// before the mark are unchanged.
#pragma once

#include "input/input.h"

#include <sys/stat.h>

#include <string>

namespace mrc {

class FileTail {
 public:
  // The input begins at `begin`, and is read up to `mark`.
  FileTail(InputFile file, i64 begin, i64 mark);

  enum class Change {
    none,
    grown,     // there are bytes after the mark
    replaced,  // the file is shorter, or has other bytes before the mark
  };
  Change look();
  // Reads up to `room` of the bytes seen by the last look(), and moves the mark.
  Result<i64> read(char *to, i64 room);
  // Restarts at the first byte of the file, after it was replaced.
  void begin_anew();

  bool is(const struct stat &info) const;
  // True if the other file is a copy of this one, up to the mark. Short files never count as
  // copies: many logs begin with the same line.
  bool is_copied_to(const InputFile &other) const;
  // Continues at the mark in that copy.
  void go_on_in(InputFile copy);

 private:
  bool keeps_its_past() const;
  void remember(const char *bytes, i64 size);

  InputFile file_;
  i64 begin_;
  i64 mark_;
  std::string past_;    // the last bytes before the mark
  struct stat seen_{};  // status at the last look
};

}  // namespace mrc
