// What the keys of a sample begin with.
#pragma once

#include "base/int.h"

#include <algorithm>
#include <string>

namespace mrc {

// The longest common prefix of some keys, up to kLongest bytes. Rows are sorted by the
// eight bytes after it (rows.h). They decide for keys such as paths and times, which all
// have the same first eight.
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
  // Empty without keys.
  const std::string &bytes() const { return prefix_; }

 private:
  std::string prefix_;
  bool any_ = false;
};

}  // namespace mrc
