// A random test that fails says how to repeat it. This is part of each test program.
#include "support/seed.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace mrc {
namespace {

class SeedPrinter : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo &) override { is_seed_taken = false; }
  void OnTestEnd(const testing::TestInfo &test) override {
    if (!test.result()->Failed() || !is_seed_taken) return;
    std::printf("MRC_SEED=%llu repeats %s.%s\n", static_cast<unsigned long long>(first_seed()),
                test.test_suite_name(), test.name());
  }
};

// The list of listeners owns it.
[[maybe_unused]] const bool kIsAdded = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new SeedPrinter);
  return true;
}();

}  // namespace
}  // namespace mrc
