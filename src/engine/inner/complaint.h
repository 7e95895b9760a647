// Counts the faults of one kind in the input, and finds the first.
#pragma once

#include "engine/inner/line_table.h"
#include "input/input.h"
#include "kept/kept.h"
#include "record.h"

#include <span>
#include <string>

namespace mrc {

// The faults that one worker has met, or several together. The first fault is the first in the
// input, in whatever order workers meet them. Not thread safe.
class Complaint {
 public:
  explicit Complaint(char terminator) : terminator_(terminator) {}

  // Adds a fault of a record. The message quotes `shown`, which is a part of the record or a copy.
  // If a record has several faults, the one added first counts as the first.
  void add(const Chunk &chunk, Bytes record, const char *reason, Bytes shown);
  void add(const Complaint &other);
  // Adds the faults that an earlier run has met.
  void add(i64 count, const KeptFlaw &first);
  // Drops the faults after `position`, so that `count` are left.
  void forget_beyond(u64 position, i64 count);

  i64 count() const { return count_; }
  const KeptFlaw &first() const { return first_; }
  // Returns the position of the first record with a fault; all ones if there is none.
  u64 first_position() const { return first_.position; }

  // Returns "NAME:NUMBER: REASON: SHOWN" of the first fault. `stream_lines`, sealed, has the chunks
  // of streams, which cannot be read again. Compressed files are read again if an earlier run has
  // read some of their lines. REQUIRES: count() > 0
  std::string describe_first(std::span<const Source> sources, const LineTable &stream_lines) const;

 private:
  char terminator_;
  i64 count_ = 0;
  KeptFlaw first_;
};

}  // namespace mrc
