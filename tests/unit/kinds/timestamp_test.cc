#include "kinds/timestamp.h"

#include "kinds/timestamp_reader.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mrc {
namespace {

// 2015-09-13 06:25:10
constexpr i64 kLocal = 1442125510;

struct Shaped {
  TimeShape shape;
  Bytes text;
};
// All of them show that time, or that of day if the year is missing.
constexpr Shaped kShapes[] = {
    {TimeShape::year_first, "2015-09-13T06:25:10"},
    {TimeShape::year_first, "2015-09-13 06:25:10"},
    {TimeShape::year_first, "2015-09-13  6:25:10"},
    {TimeShape::year_first, "2015-09-13 06:25:10,123"},
    {TimeShape::year_first, "2015/09/13 06:25:10.123456"},
    {TimeShape::year_first, "2015-09-13T06:25:10.123456789Z"},
    {TimeShape::year_first, "2015-09-13 06:25:10 UTC"},
    {TimeShape::year_first, "2015-09-13 06:25:10 +0000 UTC"},
    {TimeShape::year_first, "2015-09-13-06.25.10.675872"},
    {TimeShape::year_first, "2015.09.13 06:25:10"},
    {TimeShape::year_first, "2015-9-13 6:25:10"},
    {TimeShape::year_first, "2015-09-13_06:25:10"},
    {TimeShape::year_first, "2015-09-13, 06:25:10"},
    {TimeShape::year_first, "2015/09/13 - 06:25:10"},
    {TimeShape::year_first, "2015-09-13\t06:25:10:123"},
    {TimeShape::year_first, "2015:09:13-06:25:10"},
    {TimeShape::compact, "20150913T062510Z"},
    {TimeShape::compact, "20150913-06:25:10:606"},
    {TimeShape::compact, "20150913-6:25:10:6"},
    {TimeShape::compact, "20150913 062510"},
    {TimeShape::compact, "20150913 06:25:10.123"},
    {TimeShape::short_year, "15/09/13 06:25:10"},
    {TimeShape::short_year, "15-09-13 06:25:10,5"},
    {TimeShape::short_compact, "150913 062510"},
    {TimeShape::short_compact, "150913  6:25:10"},
    {TimeShape::day_month_name, "13/Sep/2015:06:25:10 +0000"},
    {TimeShape::day_month_name, "13-Sep-2015 06:25:10"},
    {TimeShape::day_month_name, "13-SEP-2015 06:25:10.123"},
    {TimeShape::day_month_name, "13-Sep-15 06:25:10"},
    {TimeShape::day_month_name, "13-Sep-2015::06:25:10"},
    {TimeShape::day_month_name, "13 Sep 2015 06:25:10.123"},
    {TimeShape::day_month_name, "13 Sep 06:25:10.123"},
    {TimeShape::year_month_name, "2015-Sep-13 06:25:10.123456"},
    {TimeShape::year_month_name, "2015 Sep 13 06:25:10"},
    {TimeShape::month_name, "Sep 13 06:25:10"},
    {TimeShape::month_name, "Sep 13 06:25:10.123456"},
    {TimeShape::month_name, "UTC Sep 13 06:25:10"},
    {TimeShape::month_name, "Sep-13-15 06:25:10"},
    {TimeShape::month_name, "Sep/13/2015 06:25:10"},
    {TimeShape::month_name, "September 13, 2015 06:25:10"},
    {TimeShape::month_name, "Sep 13 2015 06:25:10"},
    {TimeShape::month_name, "Sep 13, 2015 6:25:10 AM"},
    {TimeShape::month_name, "Sept. 13, 2015 06:25:10"},
    {TimeShape::day_month_name, "13 September 2015 06:25:10"},
    {TimeShape::day_month_name, "13. Sep. 2015 06:25:10"},
    {TimeShape::day_month_name, "13 sept. 2015 06:25:10"},
    {TimeShape::day_month_name, "13/sept./2015:06:25:10 +0000"},
    {TimeShape::year_first, "2015-09-13T08:25:10+02:00[Europe/Berlin]"},
    {TimeShape::year_first, "2015-09-13 06:25:10 [UTC]"},
    {TimeShape::year_first, "2015-09-13 06:25:10,123 (UTC)"},
    {TimeShape::weekday, "Sun, 13 Sep 2015 08:25:10 +0200 (CEST)"},
    {TimeShape::weekday, "Sun Sep 13 2015 08:25:10 GMT+0200 (Central European Summer Time)"},
    {TimeShape::weekday, "Sun Sep 13 06:25:10 2015"},
    {TimeShape::weekday, "Sun Sep 13 06:25:10.123456 2015"},
    {TimeShape::weekday, "Sun Sep 13 06:25:10 UTC 2015"},
    {TimeShape::weekday, "Sun, 13 Sep 2015 06:25:10 GMT"},
    {TimeShape::weekday, "Sun 2015-09-13 06:25:10 UTC"},
    {TimeShape::month_day_year, "09/13/2015-06:25:10.123456"},
    {TimeShape::month_day_year, "9/13/2015 6:25:10 AM"},
    {TimeShape::month_day_year, "9/13/15 6:25:10:123 UTC"},
    {TimeShape::day_month_year, "13.09.2015 06:25:10"},
    {TimeShape::slashed_day_first, "13-09-2015 06:25:10,123"},
    {TimeShape::month_day_year, "09-13-2015 06:25:10.123"},
    {TimeShape::slashed_day_first, "13/09/2015 06:25:10"},
    {TimeShape::month_day, "09-13 06:25:10.123"},
    {TimeShape::month_day, "09.13 06:25:10"},
    {TimeShape::month_day, "09/13-06:25:10.123456"},
    {TimeShape::month_day, "09-13|06:25:10.123"},
    {TimeShape::joined_month_day, "0913 06:25:10.123456"},
    {TimeShape::tai64n, "@4000000055f516d0075bca0c"},
};

// Returns the time in UTC, or that of the clock if there is no offset.
i64 shown(const Timestamp &time) {
  return (time.has_year ? time.local : time.local + 1442102400) - time.offset;
}

// The number of a process looks like a year.
TEST(Timestamp, TakesNoNumberAfterAClockForAYear) {
  for (const char *text : {"Feb 27 06:43:17 1992 9623 INFO n: started",
                           "Feb 27 06:43:17 2012 INFO n", "Oct  6 18:07:42 2018 [main] x"}) {
    EXPECT_EQ(find_timestamp(text).size, 15) << text;
  }
}

TEST(Timestamp, MayHaveAYearAfterTheClock) {
  const auto year = [](Bytes text) { return year_after_clock(text, find_timestamp(text)).year; };
  EXPECT_EQ(year("Oct  6 18:07:42 2018"), 2018);
  EXPECT_EQ(year("6 Oct 18:07:42.123  2018 x"), 2018);
  for (const char *text :
       {"Oct  6 18:07:42 2018x", "Oct  6 18:07:42 2018.5", "Oct  6 18:07:42 201", "Oct  6 18:07:42",
        "Oct  6 18:07:42 20180", "Oct  6 18:07:42 3018 x", "Oct  6 18:07:42 1969 x",
        "2018-10-06 18:07:42 2018", "10-06 18:07:42.123 2018", "Sat Oct  6 18:07:42 2018 2018"}) {
    EXPECT_EQ(year(text), 0) << text;
  }
  EXPECT_EQ(dated_size("Oct  6 18:07:42 2018 x"), 20);
  EXPECT_EQ(dated_size("2018-10-06 18:07:42 2018"), 19);
  EXPECT_EQ(dated_size("Oct  6 18:07:42 x"), 0);
  EXPECT_EQ(read_timestamp("6 Oct 18:07:42 2018")->local,
            read_timestamp("2018-10-06 18:07:42")->local);
  EXPECT_EQ(read_timestamp("6 Oct 18:07:42 x"), std::nullopt);
}

TEST(Timestamp, HasOneForm) {
  const auto has_form_of = [](Bytes text, Bytes other) {
    const i64 size = timestamp_size(text, form_of(other, find_timestamp(other)));
    return size > 0 && size == timestamp_size(text);
  };
  for (const Shaped &one : kShapes) EXPECT_TRUE(has_form_of(one.text, one.text)) << one.text;
  EXPECT_TRUE(has_form_of("2015-9-3 06:25:10", "2015-10-13 06:25:10,123"));
  EXPECT_TRUE(has_form_of("01/02/26 06:25:10 x", "11/28/26 06:25:10"));
  EXPECT_TRUE(has_form_of("11/28/26 06:25:10 x", "01/02/26 06:25:10"));
  EXPECT_FALSE(has_form_of("2015-09-13T06:25:10", "2015-09-13 06:25:10"));
  EXPECT_FALSE(has_form_of("2015/09/13 06:25:10", "2015-09-13 06:25:10"));
  EXPECT_FALSE(has_form_of("1442125510 x", "2015-09-13 06:25:10"));
}

TEST(Timestamp, HasItsShapeAndSize) {
  for (const Shaped &one : kShapes) {
    const Timestamp whole = find_timestamp(one.text);
    EXPECT_EQ(whole.shape, one.shape) << one.text;
    EXPECT_EQ(whole.size, std::ssize(one.text)) << one.text;
    EXPECT_EQ(shown(whole), kLocal) << one.text;
    EXPECT_EQ(timestamp_size(one.text), whole.size) << one.text;
    const bool is_slashed =
        one.shape == TimeShape::slashed_day_first || one.shape == TimeShape::month_day_year;
    const bool has_dash_after_date = one.text.find('/') < one.text.find('-');
    const bool is_instant =
        !is_slashed || (has_dash_after_date && one.text.find('-') != Bytes::npos);
    EXPECT_EQ(read_timestamp(one.text).has_value(), is_instant) << one.text;
    for (Bytes after : {" INFO main", "] message", ": a", "|b|c", " - x", ", Info", "\tx"}) {
      const std::string line = std::string(one.text) + std::string(after);
      EXPECT_EQ(find_timestamp(line).size, whole.size) << line;
      EXPECT_EQ(timestamp_size(line), whole.size) << line;
    }
  }
}

// Every month is read in English, German and French, in full and short, in any case.
TEST(Timestamp, HasMonthsInThreeLanguages) {
  const std::vector<std::vector<const char *>> all = {
      {"Jan", "January", "Januar", "janv.", "janvier"},
      {"Feb.", "February", "Februar", "févr.", "FÉVRIER"},
      {"Mar", "March", "Mär", "März", "MÄRZ", "Mrz", "mars"},
      {"Apr", "April", "avr.", "avril"},
      {"May", "Mai", "mai"},
      {"Jun", "June", "Juni", "juin"},
      {"Jul", "July", "Juli", "juil.", "juillet"},
      {"Aug", "August", "août", "AOÛT"},
      {"Sep", "Sept.", "September", "septembre"},
      {"Oct", "October", "Okt.", "Oktober", "octobre"},
      {"Nov", "nov.", "November", "novembre"},
      {"Dec", "December", "Dez.", "Dezember", "déc.", "décembre"}};
  for (size_t month = 1; month <= all.size(); ++month) {
    const i64 day = *days_since_1970(2015, static_cast<i64>(month), 13);
    for (const std::string name : all[month - 1]) {
      for (const std::string &text :
           {"13 " + name + " 2015 06:25:10", "13. " + name + " 2015 06:25:10",
            "13-" + name + "-2015 06:25:10", name + " 13, 2015 6:25:10 AM"}) {
        const Timestamp found = find_timestamp(text);
        EXPECT_EQ(found.size, std::ssize(text)) << text;
        EXPECT_EQ(found.local, day * 86400 + 23110) << text;
      }
    }
  }
  for (Bytes text : {"13 Juillot 2015 06:25:10", "13 juilletx 2015 06:25:10", "Marx 13 06:25:10",
                     "13 dé 2015 06:25:10", "Maiglöckchen 13 06:25:10", "13 Mä"}) {
    EXPECT_EQ(find_timestamp(text).size, 0) << text;
  }
}

TEST(Timestamp, HasWeekdaysInThreeLanguages) {
  for (const char *day : {"Sun", "Sunday", "So", "Sonntag", "dim.", "Dimanche", "mar.", "Di",
                          "mer.", "MI.", "Do", "jeu.", "Fr", "vendredi", "Sa", "sam", "lun."}) {
    for (const char *date : {" 13 Sep 2015 06:25:10", ", 13. September 2015 06:25:10",
                             " 13 septembre 2015 06:25:10", " 13. Sep 06:25:10 CEST 2015"}) {
      const std::string text = std::string(day) + date;
      const Timestamp found = find_timestamp(text);
      EXPECT_EQ(found.size, std::ssize(text)) << text;
      EXPECT_EQ(found.local, kLocal) << text;
      EXPECT_TRUE(found.has_year) << text;
    }
  }
  for (Bytes text : {"Dix 13 Sep 2015 06:25:10", "dim 06:25:10", "So it goes", "Mo 13 Sep"}) {
    EXPECT_EQ(find_timestamp(text).size, 0) << text;
  }
  EXPECT_EQ(find_timestamp("mar 13 06:25:10").shape, TimeShape::month_name);
}

// A comma alone separates date and clock only in a whole value, which is no two columns of CSV.
TEST(Timestamp, HasCommasBeforeClocks) {
  for (Bytes text : {"2015-09-13,06:25:10", "13.09.2015,06:25:10", "20150913,06:25:10"}) {
    EXPECT_EQ(find_timestamp(text).size, 0) << text;
    ASSERT_TRUE(read_timestamp(text)) << text;
    EXPECT_EQ(read_timestamp(text)->local, kLocal) << text;
  }
  EXPECT_EQ(read_timestamp("09/13/15,06:25:10", DateOrder::month_first)->local, kLocal);
}

// Brackets after a time are its zone only if a zone is in them.
TEST(Timestamp, HasZonesInBrackets) {
  const auto zone = [](Bytes text) {
    const Timestamp found = find_timestamp(text);
    return std::tuple(found.size, found.zone, found.offset, std::string(found.zone_name));
  };
  using Zone = Timestamp::Zone;
  EXPECT_EQ(zone("2015-09-13 06:25:10 [Europe/Berlin] x"),
            std::tuple(35, Zone::name, 0, "Europe/Berlin"));
  EXPECT_EQ(zone("2015-09-13T06:25:10-04:00[America/New_York]"),
            std::tuple(43, Zone::offset, -14400, "America/New_York"));
  EXPECT_EQ(zone("2015-09-13 06:25:10 (CEST) x"), std::tuple(26, Zone::offset, 7200, ""));
  for (const std::string rest : {"[main]", "[MAIN]", "[EST", "[ESTX]", "(EST]", "[Europe]", "[US]",
                                 "[Europe/Berlin", "(Central European Summer Time)", "[UTC]x"}) {
    EXPECT_EQ(zone("2015-09-13 06:25:10 " + rest), std::tuple(19, Zone::unsaid, 0, "")) << rest;
  }
}

// RFC 9557: a name in brackets need not be known, as the offset counts.
TEST(Timestamp, HasSuffixesAfterAnOffset) {
  for (const std::string suffix : {"[Foo/Bar]", "[Europe/Foo]", "[!Europe/Paris]", "[+02:00]",
                                   "[Europe/Paris][u-ca=gregory]", "[u-ca=gregory]", "[main]"}) {
    for (const auto &[zone, offset] : {std::pair("+02:00", 7200), std::pair("Z", 0)}) {
      const std::string text = "2015-09-13T06:25:10" + std::string(zone) + suffix;
      const std::optional<Timestamp> time = read_timestamp(text);
      ASSERT_TRUE(time) << text;
      EXPECT_EQ(time->zone, Timestamp::Zone::offset) << text;
      EXPECT_EQ(time->offset, offset) << text;
    }
  }
  for (const std::string other : {"[Foo/Bar]", "+02:00[]", "+02:00[[x]]", "+02:00[x", "Z[x]y"}) {
    EXPECT_FALSE(read_timestamp("2015-09-13T06:25:10" + other)) << other;
  }
  EXPECT_EQ(find_timestamp("2015-09-13T06:25:10Z[UTC] x").size, 25);
  EXPECT_EQ(find_timestamp("2015-09-13T06:25:10Z[main] x").size, 20);
}

// What clocks show, as days since 1970; nothing if the text is no date in this order.
std::optional<i64> day_in(Bytes text, DateOrder order) {
  const std::optional<Timestamp> time = read_timestamp(text, order);
  return time ? std::optional<i64>(time->local / 86400) : std::nullopt;
}

TEST(Timestamp, HasDayAndMonthInTheOrderThatIsSettled) {
  const i64 november = *days_since_1970(2026, 11, 3), march = *days_since_1970(2026, 3, 11);
  for (Bytes text :
       {"03/11/2026", "3/11/2026", "03/11/2026 10:00:00", "03/11/26 10:00:00", "3/11/26",
        "3/11/2026 10:00 AM", "3/11/2026 9:00 AM", "03-11-2026", "3-11-2026 10:00:00"}) {
    EXPECT_EQ(day_in(text, DateOrder::day_first), november) << text;
    EXPECT_EQ(day_in(text, DateOrder::month_first), march) << text;
  }
  EXPECT_EQ(day_in("25/11/2026", DateOrder::day_first), *days_since_1970(2026, 11, 25));
  EXPECT_EQ(day_in("25/11/2026", DateOrder::month_first), std::nullopt);
  EXPECT_EQ(day_in("11/25/2026", DateOrder::day_first), std::nullopt);
  EXPECT_EQ(day_in("31/02/2026", DateOrder::day_first), std::nullopt);
}

TEST(Timestamp, IsNoInstantWithoutTheOrderOfDayAndMonth) {
  for (const DateOrder order : {DateOrder::unknown, DateOrder::unsettled}) {
    for (Bytes text : {"03/11/2026", "25/11/2026 10:00:00", "11/25/2026", "3/11/26 10:00 AM",
                       "03-11-2026", "25-11-2026 10:00:00"}) {
      EXPECT_EQ(day_in(text, order), std::nullopt) << text;
    }
    EXPECT_EQ(day_in("15/09/13 06:25:10", order), *days_since_1970(2015, 9, 13)) << "year first";
  }
  EXPECT_EQ(day_in("15/09/13 06:25:10", DateOrder::day_first), *days_since_1970(2013, 9, 15));
}

TEST(Timestamp, HasTheMonthFirstBeforeADash) {
  for (const DateOrder order : {DateOrder::unknown, DateOrder::day_first, DateOrder::month_first}) {
    EXPECT_EQ(day_in("03/11/2026-10:00:00.5", order), *days_since_1970(2026, 3, 11));
    EXPECT_EQ(day_in("25/11/2026-10:00:00.5", order), std::nullopt);
  }
}

TEST(Timestamp, HasOneOrderWithOtherSigns) {
  for (const DateOrder order : {DateOrder::unknown, DateOrder::month_first}) {
    for (Bytes text : {"13.09.2015", "13.09.2015 06:25:10", "2015/09/13"}) {
      EXPECT_EQ(day_in(text, order), kLocal / 86400) << text;
    }
    EXPECT_EQ(day_in("13.09.15", order), std::nullopt) << "any three numbers";
  }
}

TEST(Timestamp, HasTheDayFirstWithoutAYearIfThatIsSettled) {
  const auto day = [](DateOrder order) { return read_timestamp("03/11 10:00:00", order)->day; };
  EXPECT_EQ(day(DateOrder::unknown), 11);
  EXPECT_EQ(day(DateOrder::month_first), 11);
  EXPECT_EQ(day(DateOrder::day_first), 3);
}

TEST(Timestamp, HasShapesThatAreNoInstants) {
  EXPECT_EQ(find_timestamp("1442125510 x").shape, TimeShape::epoch);
  EXPECT_EQ(find_timestamp("1442125510.123 x").size, 14);
  EXPECT_EQ(find_timestamp("1442125510123,").size, 13);
  EXPECT_EQ(find_timestamp("1442125510123456789").size, 19);
  EXPECT_EQ(find_timestamp("12.345678] usb").shape, TimeShape::uptime);
  EXPECT_EQ(find_timestamp("123456.345678]").size, 13);
  EXPECT_EQ(find_timestamp("06:25:10.123 [main]").shape, TimeShape::clock);
}

TEST(Timestamp, EndsBeforeOtherWords) {
  struct Case {
    Bytes text;
    i64 size;
  };
  for (const Case &one : std::initializer_list<Case>{
           {"2015-09-13 06:25:10 GET /x", 19},
           {"2015-09-13 06:25:10 -5 degrees", 19},
           {"2015-09-13 06:25:10 +02 x", 19},
           {"2015-09-13 06:25:10+02 x", 22},
           {"2015-09-13 06:25:10 CEST: x", 24},
           {"2015-09-13 06:25:10 CESTA x", 19},
           {"2015-09-13 06:25:10 Europe/Berlin] x", 33},
           {"2015-09-13 06:25:10 Europe x", 19},
           {"2015-09-13 06:25:10.123456 PDT [1]", 30},
           {"2015-09-13 06:25:10.", 19},
           {"2015-09-13 06:25:10: x", 19},
           {"2015-09-13 06:25:10 am x", 22},
           {"2015-09-13 06:25:10 amber", 19},
           {"2015-09-13T06:25 x", 16},
           {"Sep 13 06:25:10 2015 x", 15},
           {"Sep 13 06:25:10 2015x y", 15},
           {"Sep 13 06:25:10 2048 bytes", 15},
           {"2015-09-13 06:25:10 UTC+0200 x", 28},
       }) {
    EXPECT_EQ(find_timestamp(one.text).size, one.size) << one.text;
  }
}

TEST(Timestamp, IsNoPartOfAWord) {
  for (Bytes text : {"",
                     "2",
                     "2015-09-13 06:25:10x",
                     "2015-09-13T06:25:10Zulu",
                     "10.1.2.3 - -",
                     "2015-09-13 10.29.01.5 GET",
                     "06:25:10:44:3a:b7",
                     "06:25:10.1.2",
                     "1.2.3",
                     "Mon",
                     "May",
                     "May the 4th",
                     "1442125510x",
                     "144212551",
                     "14421255101",
                     "12.345678 x",
                     "2015-09-13",
                     "150913 999999",
                     "1234 05:00:00.0",
                     "@4000",
                     "31.02.2015 06:25:10",
                     "0000-00-00 00:00:00",
                     "2015-09-13 25:00:00"}) {
    EXPECT_EQ(find_timestamp(text).size, 0) << text;
  }
}

TEST(Timestamp, ReadsZones) {
  EXPECT_EQ(find_timestamp("2015-09-13 06:25:10 CEST").offset, 7200);
  EXPECT_EQ(find_timestamp("2015-09-13 06:25:10 PDT").offset, -25200);
  EXPECT_EQ(find_timestamp("2015-09-13 06:25:10 GMT+0530").offset, 19800);
  EXPECT_EQ(find_timestamp("2015-09-13-06.25.10.675872-300").offset, -18000);
  EXPECT_EQ(find_timestamp("[13-Sep-2015").size, 0);
  EXPECT_EQ(find_timestamp("13-Sep-2015 06:25:10 Asia/Tokyo").zone_name, "Asia/Tokyo");
}

TEST(Timestamp, ReadsFractions) {
  EXPECT_EQ(find_timestamp("20150913-06:25:10:606|").nanosecond, 606'000'000);
  EXPECT_EQ(find_timestamp("20150913-6:25:10:77|").nanosecond, 77'000'000);
  EXPECT_EQ(find_timestamp("2015-09-13 06:25:10,5").nanosecond, 500'000'000);
  EXPECT_EQ(find_timestamp("2015-09-13-06.25.10.675872").nanosecond, 675'872'000);
  EXPECT_EQ(find_timestamp("@4000000055f516d0075bca0c").nanosecond, 123'456'012);
  EXPECT_EQ(find_timestamp("9/13/2015 12:00:00 AM").local, 1442102400);
  EXPECT_EQ(find_timestamp("9/13/2015 12:00:00 PM").local, 1442145600);
}

// Bytes of a date that is remembered do not stand for another date.
TEST(Timestamp, RemembersDates) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(find_timestamp("2015-09-13 06:25:10").local, kLocal);
    EXPECT_EQ(find_timestamp("13/Sep/2015:06:25:10").local, kLocal);
    EXPECT_EQ(find_timestamp("2015-09-14 06:25:10").local, kLocal + 86400);
  }
}

TEST(Timestamp, ReadsNothingPastTheText) {
  for (const Shaped &one : kShapes) {
    for (size_t size = 0; size <= one.text.size(); ++size) {
      const std::vector<char> exact(one.text.begin(), one.text.begin() + std::ptrdiff_t(size));
      const Bytes text(exact.data(), exact.size());
      find_timestamp(text);
      timestamp_size(text);
      read_timestamp(text);
    }
  }
}

}  // namespace
}  // namespace mrc
