// engine: predicts from a sample of the input how many distinct keys there are in all.
#pragma once

#include "base/int.h"

#include <vector>

namespace mrc {

// A sample consists of pieces from all over the input. Each piece has some thousand consecutive
// records. 64 pieces work well; below 16, the prediction is little more than a guess. Distances
// between pieces should differ: if input repeats itself, pieces at equal distances may all show the
// same records.
struct SampleCounts {
  i64 records = 0;
  // keys_in[k]: the number of keys that occur in exactly k of the pieces. keys_in[0] is 0, and the
  // last element counts keys that occur in all pieces.
  std::vector<i64> keys_in;

  i64 pieces() const { return static_cast<i64>(keys_in.size()) - 1; }
  i64 keys() const;
};

// Counts the keys of a sample. Not thread safe. If there are more than kMostKeys keys, it counts
// only some of them, chosen by their hashes, and scales the counts up.
class KeySample {
 public:
  static constexpr size_t kMostKeys = size_t{1} << 16;  // 2 MiB of slots

  KeySample() : slots_(kFirstSlots) {}

  // Begins the next piece: records added from now on belong to it.
  void begin_piece() { ++piece_; }
  // Adds the hashes of the next records' keys, all with the same seed. REQUIRES: begin_piece() was
  // called
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
  int halvings_ = 0;  // only keys with this many low zero bits in the hash count
};

struct Prediction {
  double distinct_total = 0;
  double repeat_factor = 1;  // records per key
};

// Predicts the keys of an input of about `records_total` records, which include the sample.
Prediction predict_distinct(const SampleCounts &sample, double records_total);

}  // namespace mrc
