// plugin: collects the splits that a plugin makes.
#pragma once

#include "mrc_plugin.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace mrc {

struct SplitsOfPlugin : mrc_splits {
  explicit SplitsOfPlugin(std::vector<mrc_split> *the_splits)
      : mrc_splits{append}, splits(the_splits) {}
  std::vector<mrc_split> *splits;

 private:
  // `bytes` is the size of a split in the header that the plugin was built with.
  static void append(mrc_splits *self, const mrc_split *split, size_t bytes) {
    mrc_split whole{};
    std::memcpy(&whole, split, std::min(bytes, sizeof whole));
    static_cast<SplitsOfPlugin *>(self)->splits->push_back(whole);
  }
};

}  // namespace mrc
