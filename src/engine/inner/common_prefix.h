// The common prefix of the keys in a sample.
#pragma once

#include "base/int.h"

#include <algorithm>
#include <string>

namespace mrc {

// The longest common prefix of some keys, up to kLongest bytes. Rows are sorted by the eight bytes
// after it (rows.h), because keys such as paths and times often share their first eight bytes.
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
  // Empty if there are no keys.
  const std::string &bytes() const { return prefix_; }

 private:
  std::string prefix_;
  bool any_ = false;
};

}  // namespace mrc
