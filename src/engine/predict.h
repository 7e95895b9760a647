// engine: a sample of the input foretells how many different keys there are in all.
#pragma once

#include "base/int.h"

#include <vector>

namespace mrc {

// A sample is of pieces from all over the input, each of some thousand records that
// stand together. 64 pieces do well; below 16 the prediction is little more than a guess.
// Their distances should not be all the same: input that repeats itself would show
// the same records again and again.
struct SampleCounts {
  i64 records = 0;
  // keys_in[k]: how many keys are in exactly k of the pieces. keys_in[0] is 0, and the
  // last is of keys that are in all pieces.
  std::vector<i64> keys_in;

  i64 pieces() const { return static_cast<i64>(keys_in.size()) - 1; }
  i64 keys() const;
};

// Counts the keys of a sample. Not thread safe. Of more than kMostKeys keys it follows
// a part only, chosen by their hashes, and its counts are of that part, scaled up.
class KeySample {
 public:
  static constexpr size_t kMostKeys = size_t{1} << 16;  // 2 MiB of slots

  KeySample() : slots_(kFirstSlots) {}

  // What follows is of another piece.
  void begin_piece() { ++piece_; }
  // The hashes of the next records' keys, all with the same seed.
  // REQUIRES: begin_piece() was called
  void add(const u64 *hashes, i64 n);

  SampleCounts counts() const;

 private:
  static constexpr size_t kFirstSlots = size_t{1} << 12;
  struct Slot {
    u64 hash = 0;
    u32 last_piece = 0;
    u32 pieces = 0;  // 0: the slot is empty
  };

  size_t home(u64 hash) const { return (hash >> 20) & (slots_.size() - 1); }
  Slot *find(u64 hash);
  void make_room();

  std::vector<Slot> slots_;
  size_t used_ = 0;
  i64 records_ = 0;
  u32 piece_ = 0;     // from 1
  int halvings_ = 0;  // keys are followed if so many low bits of their hash are 0
};

struct Prediction {
  double distinct_total = 0;
  double repeat_factor = 1;  // records for each key
};

// For an input of about `records_total` records, of which those of the sample are part.
Prediction predict_distinct(const SampleCounts &sample, double records_total);

}  // namespace mrc
