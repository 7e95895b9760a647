// Kept sources of less than 4 KiB whose own files are not there any more: an input may be one of
// them, rotated and compressed or copied and truncated.
#pragma once

#include "base/content_hash.h"
#include "kept/kept.h"

#include <map>

namespace mrc {

// Each is taken once.
class ShortContents {
 public:
  explicit ShortContents(const ContentHash &hash) : hash_(hash) {}

  void add(i64 index, const KeptSource &source);
  // The one whose content is that of an input that begins with `start`, its first 4 KiB; -1: none.
  i64 take_equal(Bytes start);
  // The longest that the input begins with. Not one that has been gone for some time: few lines
  // are the beginning of many inputs.
  i64 take_beginning(Bytes start);

 private:
  struct Entry {
    i64 index;
    bool was_there;
  };
  using AtEnd = std::map<u64, std::vector<Entry>>;  // by content

  const ContentHash &hash_;
  std::map<i64, AtEnd> by_end_;
};

}  // namespace mrc
