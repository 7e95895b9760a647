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

TEST(LevelRank, KnowsWordsOfAllLengths) {
  EXPECT_EQ(level_rank("E"), 50);
  EXPECT_EQ(level_rank("w!"), 40);
  EXPECT_EQ(level_rank("60"), 80);
  EXPECT_EQ(level_rank("Warn"), 40);
  EXPECT_EQ(level_rank("CRITICAL"), 60);
  EXPECT_EQ(level_rank("emergency"), 80);
  EXPECT_EQ(level_rank("Informational"), 30);
  EXPECT_EQ(level_rank("DEBUG-4"), 10);
  EXPECT_EQ(level_rank("INFO+2"), 35);
  EXPECT_EQ(level_rank("WARN+1"), 40);
  EXPECT_EQ(level_rank("ERROR+4"), 50);
}

TEST(LevelRank, KnowsNoOtherText) {
  using namespace std::string_view_literals;
  for (const Bytes text : {""sv, "x"sv, "warn "sv, " warn"sv, "e\0"sv, "warn\0"sv, "critical\0"sv,
                           "\x11"sv, "critica"sv, "emergenc"sv, "warn info"sv, "emergencyx"sv}) {
    EXPECT_EQ(level_rank(text), std::nullopt) << text;
  }
}

TEST(LevelRank, HasANameForEachLevel) {
  for (const std::string &name : level_names()) EXPECT_EQ(level_of_rank(*level_rank(name)), name);
}

}  // namespace
}  // namespace mrc
