// in (VALUE, ...): one lookup for any number of values.
#pragma once

#include "base/hash.h"
#include "base/number.h"
#include "expr/field_bounds.h"
#include "expr/inner/constant.h"

#include <string>
#include <unordered_set>
#include <vector>

namespace mrc {

// Seeded, so that no input can be crafted to collide.
struct SeededHash {
  using is_transparent = void;
  Seed seed = Seed::random();
  size_t operator()(Bytes text) const { return hash_bytes(text, seed); }
  size_t operator()(Number number) const { return fold_multiply(number ^ seed.a, seed.b | 1); }
};

// The constants of a list that a value may equal.
class ValueSet {
 public:
  // Adds a number, text or an address. Returns false for other kinds.
  bool add(const Constant &constant);
  bool empty() const {
    return texts_.empty() && numbers_.empty() && wide_.empty() && ranges_.empty();
  }
  // Called once, after all constants have been added.
  void complete();
  // REQUIRES: the value may be over-read by kPadding bytes
  bool contains(Bytes value) const;
  // True if one of the constants may be a value within the bounds.
  bool may_contain(const FieldBounds &bounds) const;

 private:
  void add_number(const std::string &digits);
  bool contains_number(Bytes value) const;
  bool contains_address(Bytes value) const;

  std::unordered_set<std::string, SeededHash, std::equal_to<>> texts_;
  std::unordered_set<Number, SeededHash> numbers_;  // in normal form
  std::vector<std::string> wide_;                   // numbers with more digits than fit in a word
  std::vector<AddressRange> ranges_;                // after complete(): sorted and disjoint
};

}  // namespace mrc
