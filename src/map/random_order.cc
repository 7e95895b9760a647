// A key of a random order is the 128 bits of two hashes, of which two values agree in all only by a
// chance of 2^-128.
#include "base/hash.h"
#include "base/sort_field.h"
#include "map/sort_key.h"

namespace mrc {
namespace {

class RandomOrder : public Bucket {
 public:
  RandomOrder(u64 seed, bool ignore_case)
      : seeds_{{kFixedSeed.a ^ seed, kFixedSeed.b}, {kFixedSeed.b, kFixedSeed.a ^ seed}},
        ignore_case_(ignore_case) {}

  bool append(Bytes value, std::string *out) const override {
    thread_local std::string folded;
    if (ignore_case_) {
      folded.clear();
      append_sort_field({.ignore_case = true}, value, &folded);
      value = folded;
    }
    for (const Seed &seed : seeds_) append_position(hash_bytes(value, seed), out);
    return true;
  }

 private:
  const Seed seeds_[2];
  const bool ignore_case_;
};

}  // namespace

std::shared_ptr<const Bucket> make_random_order(u64 seed, bool ignore_case) {
  return std::make_shared<RandomOrder>(seed, ignore_case);
}

}  // namespace mrc
