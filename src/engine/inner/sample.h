// engine: a small part of the input, which is read before the run to predict the rest.
#pragma once

#include "base/int.h"
#include "engine/engine.h"
#include "engine/inner/program.h"
#include "split/chunk_source.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// The longest common prefix of some keys, up to kLongest
// bytes. Rows are sorted by the eight bytes after it (rows.h), because keys such as paths and times
// often share their first eight bytes.
class CommonPrefix {
 public:
  static constexpr size_t kLongest = size_t{64} << 10;

  void add(Bytes key) {
    if (any_ && prefix_.empty()) return;
    if (!any_) prefix_ = key.substr(0, kLongest);
    any_ = true;
    const auto end = std::ranges::mismatch(prefix_, key).in1;
    prefix_.erase(end, prefix_.end());
  }
  // Empty if there are no keys.
  const std::string &bytes() const { return prefix_; }

 private:
  std::string prefix_;
  bool any_ = false;
};

// To predict how many distinct keys there are in all, a sample consists of pieces from all over the
// input. Each piece has some thousand consecutive records. 64 pieces work well; below 16, the
// prediction is little more than a guess. Distances between pieces should differ: if input repeats
// itself, pieces at equal distances may all show the same records.
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

// Results of a sample. All zero if none was taken.
struct Sample {
  i64 pieces = 0, piece_bytes = 0;  // planned number and size
  i64 bytes = 0, records = 0;       // in whole records
  i64 key_bytes = 0;                // total size of their keys
  std::array<i64, 3> of_class{};    // records by class of key: up to 15 bytes, up to 31, longer
  i64 indexes = 0;                  // records with keys that index an array
  double share = 0;                 // bytes / those of all input
  SampleCounts counts;              // of keys; empty if the stage puts records in order
  std::string common_prefix;        // of keys or sort keys
  std::optional<std::vector<std::string>> splitters;  // of rows (KeyRanges); unset: none
  bool disorder = false;  // an input of a join is not in the order of its keys
};

// True if a sample pays: there are more than 32 MiB of files, and no streams, whose length is
// unknown.
bool worth_sampling(const Program &program, const Plan &plan);

// Reads pieces of the plan's sources and has the stage look at their whole records. The sample is
// the same for the same input. Skips pieces that cannot be read; the run reports them. REQUIRES:
// sources, input_bytes and scanner of the plan are set
Sample take_sample(const Program &program, const Stage &stage, const Plan &plan);

// Predicts the number of keys of the whole input and of each of the workers.
Forecast foretell(const Program &program, const Sample &sample, i64 workers);

// The pieces of the input that a sample reads. Makes the source of pieces that the switches ask
// for, for one worker. Each unit is one chunk, or none if the piece has no whole record or could
// not be read. Sets the number and the size of pieces in the sample. The plan must outlive the
// source.
std::unique_ptr<ChunkSource> make_pieces(const Switches &switches, const Plan &plan, CutBytes cuts,
                                         Sample *sample);

}  // namespace mrc
