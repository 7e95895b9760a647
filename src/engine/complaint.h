// What is wrong with the input in one way: how often, and where it is wrong first.
#pragma once

#include "engine/line_table.h"
#include "input/input.h"
#include "kept/kept.h"
#include "record.h"

#include <span>
#include <string>

namespace mrc {

// What one worker has to say, or several together. The first is that of the input, whatever
// the order in which workers meet them. Not thread safe.
class Complaint {
 public:
  explicit Complaint(char terminator) : terminator_(terminator) {}

  // `shown`, in the record or a copy, is what the message quotes. Of a record with several
  // faults the first call counts as the first of them.
  void add(const Chunk &chunk, Bytes record, const char *reason, Bytes shown);
  void add(const Complaint &other);
  // The same, of an earlier run.
  void add(i64 count, const KeptFlaw &first);
  // As if nothing beyond that position had been met, but for `count` of them.
  void forget_beyond(u64 position, i64 count);

  i64 count() const { return count_; }
  const KeptFlaw &first() const { return first_; }
  // Where the first record is that has the fault; beyond all if there is none.
  u64 first_position() const { return first_.position; }

  // "NAME:NUMBER: REASON: WHAT IS SHOWN" of the first one. `stream_lines`, sealed, has the
  // chunks of streams, whose bytes are gone; compressed files are read again if an earlier run
  // has read some of their lines. REQUIRES: count() > 0
  std::string describe_first(std::span<const Source> sources, const LineTable &stream_lines) const;

 private:
  char terminator_;
  i64 count_ = 0;
  KeptFlaw first_;
};

}  // namespace mrc
