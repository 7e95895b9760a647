// Among contents of at least 4 KiB: which are equal, begin another, or go on from a kept source.
#pragma once

#include "base/content_hash.h"
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
  // The kept source that it is by its file. It is there to be compared with strangers, which
  // have none.
  i64 kept = -1;

  // What compare_contents() finds:
  std::optional<Contents> contents;  // if it had to be read
  i64 part_of = -1;                  // index of a member that begins with all of it, or equals it
  std::vector<i64> goes_on;          // kept sources that it begins with, the longest first
  i64 begins = -1;                   // a kept source that seems to begin with all of it
  std::string fault;                 // why it cannot be read
  bool is_stranger() const { return kept < 0; }
};

// The members of one group begin with the same 4 KiB, and so do the kept sources at these
// indices, which are all of such sources.
void compare_contents(const Manifest &manifest, const ContentHash &hash,
                      const std::vector<i64> &kept, std::vector<Member> *members);

}  // namespace mrc
