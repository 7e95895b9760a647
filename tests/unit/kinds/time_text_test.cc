#include "expr/expr.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <ctime>

namespace mrc {
namespace {

constexpr i64 kSecond = 1'000'000'000;
// 2015-09-13 06:25:10 UTC
constexpr i64 kTime = 1442125510 * kSecond;

std::optional<i64> parsed(Bytes text, const Clock &clock = {}) { return parse_time(text, clock); }

TEST(ParseTime, ReadsIso8601) {
  for (Bytes text :
       {"2015-09-13T06:25:10Z", "2015-09-13 06:25:10", "2015-09-13t06:25:10z",
        "2015-09-13T08:25:10+02:00", "2015-09-13T08:25:10+0200", "2015-09-13T08:25:10 +02",
        "2015-09-13T03:25:10-03:00", "2015-09-13 06:25:10 UTC", "2015-09-13T06:25:10.000Z",
        "2015/09/13 06:25:10", "20150913T062510Z", "[2015-09-13T06:25:10Z]",
        " 2015-09-13 06:25:10\r", "2015-09-13T062510Z"}) {
    EXPECT_EQ(parsed(text), kTime) << text;
  }
  for (Bytes text : {"2015-09-13T24:25:10Z", "2015-02-29T06:25:10Z", "2015-13-01T06:25:10Z",
                     "1677-09-13T06:25:10Z", "2015-09-13T06:25:1:Z", "2015-09-1:T06:25:10Z"}) {
    EXPECT_EQ(parsed(text), std::nullopt) << text;
  }
  EXPECT_EQ(parsed("2015-09-13T06:24:60Z"), kTime - 10 * kSecond);
  EXPECT_EQ(parsed("2015-09-13T06:25Z"), kTime - 10 * kSecond);
  EXPECT_EQ(parsed("2015-09-13"), 1442102400 * kSecond);
  EXPECT_EQ(parsed("2015-09"), 1441065600 * kSecond);
}

TEST(ParseTime, ReadsLogs) {
  for (Bytes text :
       {"[13/Sep/2015:06:25:10 +0000]", "13/Sep/2015:06:25:10 +0000", "13/sep/2015:08:25:10 +0200",
        "13/Sep/2015:06:25:10", "Sun Sep 13 06:25:10 2015", "[Sun Sep 13 06:25:10.000000 2015]",
        "Sun Sep 13 06:25:10 UTC 2015", "Sun, 13 Sep 2015 06:25:10 GMT",
        "13 Sep 2015 06:25:10 +0000", "Sep 13 2015 06:25:10"}) {
    EXPECT_EQ(parsed(text), kTime) << text;
  }
  EXPECT_EQ(parsed("Sun Dec 04 04:47:44 2005"), 1133671664 * kSecond);
  EXPECT_EQ(parsed("Sun Dec  4 04:47:44 2005"), 1133671664 * kSecond);
}

TEST(ParseTime, ReadsShapesOfManyLogs) {
  for (Bytes text :
       {"2015-09-13  6:25:10", "2015.09.13 06:25:10", "15/09/13 06:25:10", "150913 062510",
        "13-Sep-2015 06:25:10", "20150913-06:25:10", "09/13/2015-06:25:10", "13.09.2015 06:25:10",
        "2015-09-13-06.25.10", "2015-Sep-13 06:25:10", "2015-09-13 08:25:10 CEST",
        "2015-09-12 23:25:10 PDT", "[13-Sep-2015 08:25:10 Europe/Berlin]",
        "Sun Sep 13 08:25:10 CEST 2015", "@4000000055f516d000000000",
        "2015-09-13 06:25:10 +0000 UTC", "Sep 13, 2015 6:25:10 AM"}) {
    EXPECT_EQ(parsed(text), kTime) << text;
  }
  EXPECT_EQ(parsed("20150913-6:25:10:77"), kTime + 77'000'000);
  EXPECT_EQ(parsed("[   12.345678]"), 12'345'678'000);
  EXPECT_EQ(parsed("13-Sep-2015 08:25:10 Europe/Nowhere"), std::nullopt);
}

TEST(ParseTime, TakesTheOrderOfDayAndMonthFromTheClock) {
  const Clock by_day = {.dates = DateOrder::day_first},
              by_month = {.dates = DateOrder::month_first};
  for (Bytes text : {"13/09/2015 06:25:10", "[13/9/15 6:25:10 AM]"}) {
    EXPECT_EQ(parsed(text, by_day), kTime) << text;
    EXPECT_EQ(parsed(text, by_month), std::nullopt) << text;
  }
  for (Bytes text : {"09/13/2015 06:25:10", "9/13/2015 6:25:10 AM"}) {
    EXPECT_EQ(parsed(text, by_month), kTime) << text;
    EXPECT_EQ(parsed(text, by_day), std::nullopt) << text;
    EXPECT_EQ(parsed(text), std::nullopt) << text;
  }
}

TEST(ParseTime, TakesTheYearOfAnyTimeFromTheClock) {
  const Clock clock = {.year_of_now = 2015, .month_of_now = 10};
  for (Bytes text : {"09-13 06:25:10", "09.13 06:25:10", "09/13-06:25:10", "0913 06:25:10.0",
                     "13 Sep 06:25:10"}) {
    EXPECT_EQ(parsed(text, clock), kTime) << text;
  }
}

TEST(ParseTime, ReadsFractions) {
  EXPECT_EQ(parsed("2015-09-13T06:25:10.5Z"), kTime + kSecond / 2);
  EXPECT_EQ(parsed("2015-09-13 06:25:10,123"), kTime + 123'000'000);
  EXPECT_EQ(parsed("2015-09-13T06:25:10.1234567899Z"), kTime + 123'456'789);
  EXPECT_EQ(parsed("[Sun Sep 13 06:25:10.123456 2015]"), kTime + 123'456'000);
  EXPECT_EQ(parsed("2015-09-13T06:25:10.Z"), std::nullopt);
}

TEST(ParseTime, TellsUnitsOfNumbersBySize) {
  EXPECT_EQ(parsed("1442125510"), kTime);
  EXPECT_EQ(parsed("1442125510.25"), kTime + kSecond / 4);
  EXPECT_EQ(parsed("1442125510.123456789"), kTime + 123'456'789);
  EXPECT_EQ(parsed("1442125510123"), kTime + 123'000'000);
  EXPECT_EQ(parsed("1442125510123.5"), kTime + 123'500'000);
  EXPECT_EQ(parsed("1442125510123456"), kTime + 123'456'000);
  EXPECT_EQ(parsed("1442125510123456789"), kTime + 123'456'789);
  EXPECT_EQ(parsed("0.0"), 0);
  EXPECT_EQ(parsed("-1.0"), -kSecond);
  EXPECT_EQ(parsed("20150913"), 1442102400 * kSecond);
  for (const char *text : {"0", "-1", "20151399", "144212551", "14421255101"}) {
    EXPECT_EQ(parsed(text), std::nullopt) << text << " is a number of something else";
  }
  EXPECT_EQ(parsed("9999999999999999999"), std::nullopt);
  EXPECT_EQ(parsed("99999999999"), std::nullopt);  // the year 5138
}

TEST(ParseTime, TakesTheYearOfOldSyslogFromTheClock) {
  const Clock june = {.year_of_now = 2005, .month_of_now = 6};
  EXPECT_EQ(parsed("Jun 14 15:16:01", june), 1118762161 * kSecond);
  EXPECT_EQ(parsed("Jun  4 15:16:01", june), (1118762161 - 10 * 86400) * kSecond);
  EXPECT_EQ(parsed("Jul 14 15:16:01", june), (1118762161 + (30 - 365) * 86400) * kSecond);
  EXPECT_EQ(parsed("Feb 29 00:00:00", june), std::nullopt);  // there was none in 2005
  EXPECT_EQ(parsed("Jun 14 15:16:01"), std::nullopt);        // no clock
}

TEST(ParseTime, AppliesTheZoneOnlyWithoutOffset) {
  const Clock berlin = {.zone = "Europe/Berlin"};
  EXPECT_EQ(parsed("2015-09-13T08:25:10", berlin), kTime);
  EXPECT_EQ(parsed("2015-09-13T06:25:10Z", berlin), kTime);
  EXPECT_EQ(parsed("13/Sep/2015:06:25:10 +0000", berlin), kTime);
  EXPECT_EQ(parsed("1442125510", berlin), kTime);
  EXPECT_EQ(parsed("2015-09-13T08:25:10", {.zone = "+02:00"}), kTime);
  // Shown twice: the first. Never shown: as before clocks were put forward.
  EXPECT_EQ(parsed("2015-10-25 02:30:00", berlin), parsed("2015-10-25T02:30:00+02:00"));
  EXPECT_EQ(parsed("2015-03-29 02:30:00", berlin), parsed("2015-03-29T02:30:00+01:00"));
}

TEST(ParseTime, IsStrict) {
  for (Bytes text : {"",
                     "-",
                     "[]",
                     "time",
                     "2015-13-01",
                     "2015-02-30",
                     "2015-02-31T00:00:00Z",
                     "2015-09-13T24:00:00Z",
                     "2015-09-13T06:60:00Z",
                     "2015-09-13T06:25:61Z",
                     "2015-09-13T06:25:10X",
                     "2015-09-13T06:25:10+2",
                     "2015-09-13T06:25:10+24:00",
                     "2015-09-13T",
                     "2015-9-13",
                     "2015-09/13",
                     "31/Feb/2015:06:25:10 +0000",
                     "13/Sop/2015:06:25:10 +0000",
                     "13/Sep/2015:06:25",
                     "13/Sep/2015",
                     "00/Sep/2015:06:25:10 +0000",
                     "13/Sep/2015:06:25:10 +000",
                     "1677-12-31",
                     "2262-01-01",
                     "Sun Sep 13 06:25:10",
                     "Son Sep 13 06:25:10 2015",
                     "12:30:00",
                     "10.1.2.3",
                     "1.2.3",
                     "5.",
                     "2015-09-13T06:25:10ZZ",
                     "404x",
                     "10:30",
                     "13/09/2015 06:25:10",
                     "12/25",
                     "06:25:10.123",
                     "+",
                     "- 1"}) {
    EXPECT_EQ(parsed(text), std::nullopt) << text;
  }
  EXPECT_EQ(parsed("2015"), std::nullopt);
  EXPECT_EQ(parsed("2000-02-29"), 951782400 * kSecond);
  EXPECT_EQ(parsed("1900-02-29"), std::nullopt);
  EXPECT_EQ(parsed(Bytes()), std::nullopt);
}

TEST(ParseTime, CountsALeapSecondAsTheNextMinute) {
  EXPECT_EQ(parsed("2016-12-31T23:59:60Z"), 1483228800 * kSecond);
}

TEST(ParseTime, HasAllYearsOf64Bits) {
  EXPECT_EQ(parsed("1678-01-01T00:00:00Z"), -9214560000 * kSecond);
  EXPECT_EQ(parsed("2261-12-31T23:59:59.999999999Z"), 9214646400 * kSecond - 1);
}

// The C library on random times, in order and not, so that what a thread remembers of the
// last date is right and wrong.
TEST(ParseTime, AgreesWithTheCLibrary) {
  const u64 seed = first_seed();
  SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  time_t time = 0;
  for (int i = 0; i < 20000; ++i) {
    time = random() % 8 != 0 ? time + static_cast<time_t>(random() % 20000)
                             : static_cast<time_t>(random() % 18'000'000'000) - 9'000'000'000;
    if (time > 9'000'000'000) time = 0;
    tm utc;
    gmtime_r(&time, &utc);
    for (const char *format :
         {"%Y-%m-%dT%H:%M:%SZ", "[%d/%b/%Y:%H:%M:%S +0000]", "%a %b %e %H:%M:%S %Y", "%s",
          "%Y/%m/%d %H:%M:%S", "%a, %d %b %Y %H:%M:%S GMT", "%Y%m%dT%H%M%SZ"}) {
      char text[64];
      const size_t size = strftime(text, sizeof text, format, &utc);
      if (Bytes(format) == "%s" && time < 1'000'000'000) continue;
      ASSERT_EQ(parsed(Bytes(text, size)), time * kSecond) << text;
    }
  }
}

// Every byte that is not of the form makes it no time, or another one; nothing is read
// past the text.
TEST(ParseTime, ReadsNothingBehindTheText) {
  for (Bytes text : {"2015-09-13T06:25:10.5+02:00", "[13/Sep/2015:06:25:10 +0000]",
                     "Sun Sep 13 06:25:10.000000 2015", "1442125510.123456789",
                     "Sun, 13 Sep 2015 06:25:10 GMT"}) {
    for (size_t size = 0; size <= text.size(); ++size) {
      const std::vector<char> exact(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
      parsed(Bytes(exact.data(), exact.size()));
    }
  }
}

}  // namespace
}  // namespace mrc
