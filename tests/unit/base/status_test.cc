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

TEST(Status, SaysWhatItIsAbout) {
  const Status reason = Status::input_error("no number");
  EXPECT_EQ(reason.subject(), "");
  const Status status = reason.within("row 2").within("a.csv");
  EXPECT_EQ(status.message(), "a.csv: row 2: no number");
  EXPECT_EQ(status.subject(), "a.csv");
  EXPECT_TRUE(status.is_input_error());
  EXPECT_EQ(Status::from_errno("a.log", ENOENT).subject(), "a.log");
  EXPECT_EQ(Status::about("kmeans", "needs clusters").subject(), "kmeans");
  EXPECT_EQ(Status::about("kmeans", "needs clusters").message(), "kmeans needs clusters");
}

TEST(Status, KnowsThatANameIsUnknown) {
  EXPECT_TRUE(Status::unknown_name("no bucket \"huor\"").within("time:huor").is_unknown_name());
  EXPECT_FALSE(Status::error("").is_unknown_name());
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
