#include "kinds/level.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

TEST(LevelWords, AreThoseOfTheFormat) {
  EXPECT_EQ(usual_level(LevelWords::syslog, "3"), "error");
  EXPECT_EQ(usual_level(LevelWords::windows, "3"), "warning");
  EXPECT_EQ(usual_level(LevelWords::redis, "#"), "warning");
  EXPECT_EQ(usual_level(LevelWords::websphere, "A"), "info");
  EXPECT_EQ(usual_level(LevelWords::macos, "Fault"), "critical");
  EXPECT_EQ(usual_level(LevelWords::panos, "high"), "error");
  EXPECT_EQ(usual_level(LevelWords::php, "Fatal error"), "error");
}

TEST(LevelWords, LeaveAllOtherWordsAsTheyAre) {
  EXPECT_EQ(usual_level(LevelWords::usual, "3"), "3");
  EXPECT_EQ(usual_level(LevelWords::syslog, "err"), "err");
  EXPECT_EQ(usual_level(LevelWords::syslog, "30"), "30");
  EXPECT_EQ(usual_level(LevelWords::php, ""), "");
}

}  // namespace
}  // namespace mrc
