// output: the text of records that are drawn at random.
#pragma once

#include "base/status.h"
#include "map/draw.h"
#include "output/output.h"

#include <map>
#include <span>
#include <string>

namespace mrc {

// Keeps the text of the drawn records in memory until all are known. One thread.
class DrawnText {
 public:
  // Draws so many records. take() fails if their text does not fit into `memory` bytes.
  DrawnText(i64 records, u64 seed, i64 memory)
      : records_(records), seed_(seed), memory_(memory), draw_(records) {}

  // Adds the next text. `ends` and `positions`: the ends of its records, and their places.
  Status take(Bytes text, std::span<const i64> ends, std::span<const u64> positions);
  // Writes the records in the order of the input. Returns their number.
  Result<i64> write_to(OutputFile *file) const;

 private:
  struct Record {
    u64 position;
    std::string text;
  };
  const i64 records_;
  const u64 seed_;
  const i64 memory_;
  Draw draw_;
  std::multimap<u64, Record> by_rank_;
  i64 bytes_ = 0;
};

}  // namespace mrc
