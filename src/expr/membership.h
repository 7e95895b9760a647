// in (VALUE, ...): a look-up, however many values there are.
#pragma once

#include "base/hash.h"
#include "expr/constant.h"
#include "expr/evaluate.h"

#include <string>
#include <unordered_set>
#include <vector>

namespace mrc {

// Seeded, so that no input can be made of values that collide.
struct SeededHash {
  using is_transparent = void;
  Seed seed = Seed::random();
  size_t operator()(Bytes text) const { return hash_bytes(text, seed); }
  size_t operator()(Number number) const { return fold_multiply(number ^ seed.a, seed.b | 1); }
};

// Constants that a value may be equal to.
class ValueSet {
 public:
  // Takes a number, text or an address. False: it is of another kind.
  bool add(const Constant &constant);
  bool empty() const {
    return texts_.empty() && numbers_.empty() && wide_.empty() && ranges_.empty();
  }
  // Once all have been added.
  void complete();
  // May over-read the value by kPadding.
  bool contains(Bytes value) const;

 private:
  void add_number(const std::string &digits);
  bool contains_number(Bytes value) const;
  bool contains_address(Bytes value) const;

  std::unordered_set<std::string, SeededHash, std::equal_to<>> texts_;
  std::unordered_set<Number, SeededHash> numbers_;  // in their one form
  std::vector<std::string> wide_;                   // numbers of more digits than a word has
  std::vector<AddressRange> ranges_;                // complete: in order, and apart
};

ConditionPtr make_membership(TextsPtr value, ValueSet constants);

}  // namespace mrc
