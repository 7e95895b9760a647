#include "cmd/messages.h"
#include "cmd/values.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

TEST(FitIn, CutsLinesAtTheWidthOfTheScreen) {
  EXPECT_EQ(fit_in("abcdef\nxy\n", 4, 10), "abcd\nxy\n");
  EXPECT_EQ(fit_in("äöüß\nxy\n", 2, 10), "äö\nxy\n");
  EXPECT_EQ(fit_in("", 4, 10), "");
}

TEST(FitIn, ShowsTheFirstLines) { EXPECT_EQ(fit_in("a\nb\nc\n", 80, 2), "a\nb\n"); }

TEST(FitIn, KeepsWhatEndsAColorThatHasBegun) {
  EXPECT_EQ(fit_in("\x1b[36mabcdef\x1b[0m\n", 3, 5), "\x1b[36mabc\x1b[0m\n");
}

TEST(LinesOn, CountsLinesThatANarrowerScreenHasWrapped) {
  EXPECT_EQ(lines_on("", 80), 0);
  EXPECT_EQ(lines_on("abc\n\nd\n", 80), 3);
  EXPECT_EQ(lines_on("abcdefghij\nabc\n", 4), 4);
  EXPECT_EQ(lines_on("\x1b[1mabcd\x1b[0m\n", 4), 1);
}

LiveSpec parsed(const std::string &value) {
  LiveSpec live;
  const Status status = parse_live(value, &live);
  EXPECT_TRUE(status.is_ok()) << status.message();
  return live;
}

TEST(ParseLive, TakesATimeAShareAndAnOrder) {
  EXPECT_EQ(parsed("").every_seconds, 2);
  EXPECT_EQ(parsed("500ms").every_seconds, 0.5);
  EXPECT_EQ(parsed("1.5s").every_seconds, 1.5);
  EXPECT_EQ(parsed("10%").every_percent, 10);
  EXPECT_EQ(parsed("10%").every_seconds, 0);
  EXPECT_TRUE(parsed("order").in_order);
  EXPECT_EQ(parsed("order").every_seconds, 2);
  EXPECT_TRUE(parsed("1%,order").in_order);
}

TEST(ParseLive, RefusesWhatIsNoSuchThing) {
  LiveSpec live;
  for (const char *value :
       {"2", "0s", "-1s", "101%", "s", "2m", "nan%", "1s,1%", "orders", "1 s"}) {
    EXPECT_FALSE(parse_live(value, &live).is_ok()) << value;
  }
}

TEST(LiveView, WarnsOnceOfAnAnswerThatCannotBeShown) {
  LiveView view("/nowhere/file", false, false);
  testing::internal::CaptureStdout();  // where a logger writes by default
  view.show({.text = "a\n", .of = {}});
  view.show({.text = "b\n", .of = {}});
  const std::string said = testing::internal::GetCapturedStdout();
  EXPECT_NE(said.find("warning"), std::string::npos) << said;
  EXPECT_EQ(said.find("--live-to"), said.rfind("--live-to")) << said;
}

}  // namespace
}  // namespace mrc
