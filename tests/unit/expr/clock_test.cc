#include "expr/inner/clock.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// 2015-10-26 00:30 in Berlin, a day after clocks were put back there.
constexpr i64 kNow = 1445815800;

i64 seconds(std::string_view text, const char *zone) {
  const auto context = make_time_context({.zone = zone});
  const auto when = parse_when(text, context, kNow * kSecond + 5);
  EXPECT_TRUE(when.is_ok()) << text;
  return when.is_ok() ? *when / kSecond : 0;
}

TEST(ParseWhen, BeginsDaysAtMidnightOfTheZone) {
  EXPECT_EQ(seconds("today", "Europe/Berlin"), kNow - 1800);
  EXPECT_EQ(seconds("yesterday", "Europe/Berlin"), kNow - 1800 - 25 * 3600);
  EXPECT_EQ(seconds("today", ""), 1445731200);
  EXPECT_EQ(seconds("yesterday", ""), 1445731200 - 86400);
}

TEST(ParseWhen, TakesTimesOfTodayAndYesterday) {
  EXPECT_EQ(seconds("14:00", "Europe/Berlin"), kNow - 1800 + 14 * 3600);
  EXPECT_EQ(seconds("today 00:30:05", "Europe/Berlin"), kNow + 5);
  EXPECT_EQ(seconds("yesterday 14:00", "Europe/Berlin"), kNow - 1800 - 10 * 3600);
  EXPECT_EQ(seconds("yesterday  01:59:59", "Europe/Berlin"), kNow - 1800 - 25 * 3600 + 7199);
  EXPECT_EQ(seconds("23:59:59", ""), 1445731200 + 86399);
}

TEST(ParseWhen, RefusesWhatIsNoTime) {
  const auto context = make_time_context({.zone = ""});
  for (const char *text : {"24:00", "14:60", "14:00:60", "1:00", "14:0", "-4:00", "14:00:0",
                           "today14:00", "today 14", "yesterday x", "todayish", "14:00 today"}) {
    EXPECT_FALSE(parse_when(text, context, kNow * kSecond).is_ok()) << text;
  }
}

TEST(ParseWhen, CountsBackFromNow) {
  EXPECT_EQ(seconds("now", ""), kNow);
  EXPECT_EQ(seconds("-1h", ""), kNow - 3600);
  EXPECT_EQ(seconds("-90 min", ""), kNow - 5400);
  EXPECT_EQ(seconds(" 2 days ago ", "Europe/Berlin"), kNow - 2 * 86400);
  EXPECT_EQ(seconds("1 week ago", ""), kNow - 7 * 86400);
  EXPECT_EQ(seconds("30s ago", ""), kNow - 30);
}

TEST(ParseWhen, TakesTimesOfLogs) {
  EXPECT_EQ(seconds("2015-10-26", "Europe/Berlin"), kNow - 1800);
  EXPECT_EQ(seconds("1445815800", "Europe/Berlin"), kNow);
  EXPECT_EQ(seconds("25/Oct/2015:23:30:00 +0000", "Europe/Berlin"), kNow);
}

}  // namespace
}  // namespace mrc
