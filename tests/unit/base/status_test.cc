#include "base/status.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <memory>

namespace mrc {
namespace {

TEST(Status, SaysWhatTheSystemSaid) {
  EXPECT_EQ(Status::from_errno("a.log", ENOENT).message(), "a.log: No such file or directory");
  EXPECT_FALSE(Status::from_errno("a.log", ENOENT).is_ok());
}

TEST(Status, WithAnEmptyMessageIsAnErrorToo) {
  EXPECT_FALSE(Status::error("").is_ok());
  EXPECT_TRUE(Status::ok().is_ok());
}

TEST(Result, IsAValueOrTheReasonWhyThereIsNone) {
  Result<std::unique_ptr<int>> value = std::make_unique<int>(7);
  ASSERT_TRUE(value.is_ok());
  EXPECT_EQ(**value, 7);
  Result<std::unique_ptr<int>> none = Status::error("because");
  EXPECT_FALSE(none.is_ok());
  EXPECT_EQ(none.status().message(), "because");
}

}  // namespace
}  // namespace mrc
