#include "sched/sched.h"

#include <gtest/gtest.h>

#include <thread>

namespace mrc {
namespace {

TEST(Priority, IsThatOfOneThread) {
  const i64 before = nice_value();
  i64 lowered = 0;
  std::thread([&] {
    lower_priority();
    lowered = nice_value();
  }).join();
  EXPECT_EQ(lowered, 19);
  EXPECT_EQ(nice_value(), before);
}

}  // namespace
}  // namespace mrc
