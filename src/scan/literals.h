// Strings to be found in text, all at once.
#pragma once

#include "base/int.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

// How rare a byte is in text and logs, from 0 (blanks, `e`) to 255.
int rarity(char byte);

// A few strings, prepared for searching: a Scanner finds the first of them. Where two
// begin at the same place it is the one that comes first here. Immutable.
class LiteralSet {
 public:
  static constexpr i64 kMost = 8;

  // Two of the bytes of a literal: the rest is compared only where both stand.
  struct Probe {
    i64 at[2];     // offsets in the literal
    char byte[2];  // what is there ...
    char blur[2];  // ... when these bits are set: 0x20 for a letter of any case
  };

  LiteralSet() = default;
  // `fold`: ASCII letters of the text count as lower case. REQUIRES: 1 to kMost
  // literals, none of them empty, and in lower case if they are folded.
  LiteralSet(std::vector<std::string> literals, bool fold);

  bool empty() const { return literals_.empty(); }
  std::span<const Probe> probes() const { return probes_; }
  i64 shortest() const { return shortest_; }

  // The size of the first literal that stands at `p`, 0 if none does.
  i64 size_at(const char *p, const char *end) const;

 private:
  std::vector<std::string> literals_;
  std::vector<Probe> probes_;
  i64 shortest_ = 0;
  bool fold_ = false;
};

}  // namespace mrc
