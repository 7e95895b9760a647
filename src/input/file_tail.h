// An open file that grows: what is appended after a mark, and whether what lies before the mark is
// still what was read.
#pragma once

#include "input/input.h"

#include <sys/stat.h>

#include <string>

namespace mrc {

class FileTail {
 public:
  // Nothing before `begin` belongs to the input; what lies before `mark` has been read.
  FileTail(InputFile file, i64 begin, i64 mark);

  enum class Change {
    none,
    grown,     // there are bytes after the mark
    replaced,  // the file is shorter, or has other bytes before the mark
  };
  Change look();
  // Up to `room` of the bytes that the last look has seen; moves the mark.
  Result<i64> read(char *to, i64 room);
  // Reads the file from its start, after it was replaced.
  void begin_anew();

  bool is(const struct stat &info) const;
  // Whether the other file is a copy of this one, as far as it has been read. Short files are never
  // copies: many logs begin with the same line.
  bool is_copied_to(const InputFile &other) const;
  // Goes on at the mark in that copy.
  void go_on_in(InputFile copy);

 private:
  bool keeps_its_past() const;
  void remember(const char *bytes, i64 size);

  InputFile file_;
  i64 begin_;
  i64 mark_;
  std::string past_;    // the last bytes before the mark
  struct stat seen_{};  // at the last look
};

}  // namespace mrc
