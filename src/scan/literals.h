// Searches text for several strings at once.
#pragma once

#include "base/int.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

// Rarity of a byte in text and logs, from 0 (blanks, `e`) to 255.
int rarity(char byte);

// A few strings, prepared for searching: a Scanner finds the first occurrence of any of them. If
// two match at the same position, the one listed first wins. Immutable.
class LiteralSet {
 public:
  static constexpr i64 kMost = 8;

  // Two bytes of a literal: the rest is compared only if both match.
  struct Probe {
    i64 at[2];     // offsets in the literal
    char byte[2];  // their values ...
    char blur[2];  // ... after setting these bits: 0x20 for a letter in either case
  };

  LiteralSet() = default;
  // With `fold`, ASCII letters of the text count as lower case. REQUIRES: 1 to kMost literals, none
  // of them empty, and in lower case if `fold` is set
  LiteralSet(std::vector<std::string> literals, bool fold);

  bool empty() const { return literals_.empty(); }
  std::span<const Probe> probes() const { return probes_; }
  i64 shortest() const { return shortest_; }

  // Returns the size of the first literal that matches at `p`, 0 if none does.
  i64 size_at(const char *p, const char *end) const;

 private:
  std::vector<std::string> literals_;
  std::vector<Probe> probes_;
  i64 shortest_ = 0;
  bool fold_ = false;
};

}  // namespace mrc
