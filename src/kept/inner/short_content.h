// Finds inputs among the kept sources of less than 4 KiB whose own files are gone: an input may be
// one of them, rotated and compressed, or copied and truncated.
#pragma once

#include "base/hash.h"
#include "kept/kept.h"

#include <map>

namespace mrc {

// Each added source is returned at most once.
class ShortContents {
 public:
  explicit ShortContents(const ContentHash &hash) : hash_(hash) {}

  void add(i64 index, const KeptSource &source);
  // Returns a source whose content is `start`, the first 4 KiB of an input; -1: none.
  i64 take_equal(Bytes start);
  // Returns the longest source that the input begins with. Ignores sources that were already gone
  // in the last run: a few lines may be the beginning of many inputs.
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
