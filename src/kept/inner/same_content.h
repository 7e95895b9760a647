// Finds which contents of at least 4 KiB are equal, begin another, or continue a kept source.
#pragma once

#include "base/hash.h"
#include "kept/contents.h"

#include <optional>
#include <string>
#include <vector>

namespace mrc {

// An input that is compared by its content.
struct Member {
  const Source *source = nullptr;
  i64 input = 0;  // its index
  Heads heads;
  // The kept source of its file; -1: a stranger. Known sources are compared with strangers only.
  i64 kept = -1;

  // Results of compare_contents():
  std::optional<Contents> contents;  // set if it had to be read
  i64 part_of = -1;                  // index of a member that equals it or begins with it; -1: none
  std::vector<i64> goes_on;          // kept sources that it begins with, the longest first
  i64 begins = -1;                   // a kept source that seems to begin with it; -1: none
  std::string fault;                 // why it cannot be read
  bool is_stranger() const { return kept < 0; }
};

// Compares members that all begin with the same 4 KiB. `kept` are the indices of all kept sources
// that begin with them, too.
void compare_contents(const Manifest &manifest, const ContentHash &hash,
                      const std::vector<i64> &kept, std::vector<Member> *members);

}  // namespace mrc
