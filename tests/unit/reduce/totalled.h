// Groups as tests of reduce make them and look at them.
#pragma once

#include "reduce/reduce.h"
#include "unit/group/numbered_keys.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace mrc {

using Totals = std::map<std::string, u64>;

inline u64 spread(i64 number) {
  return fold_multiply(static_cast<u64>(number) + 1, 0x9E3779B97F4A7C15);
}

// Takes counts, of each key once.
class Totalled : public GroupSink {
 public:
  void take(Bytes key, const State *state) override {
    EXPECT_TRUE(totals.emplace(key, counter(state)).second) << "twice: " << key;
  }
  Totals totals;
};

}  // namespace mrc
