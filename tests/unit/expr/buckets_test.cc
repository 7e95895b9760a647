#include "expr/expr.h"
#include "kinds/inner/zone.h"
#include "unit/map/padded_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

namespace mrc {
namespace {

std::string name_of(std::string_view bucket, Bytes value, const Clock &clock = {}) {
  const auto made = parse_bucket(bucket, clock);
  if (!made.is_ok()) return made.status().message();
  std::string out = "<";
  if (!(*made)->append(value, &out)) {
    EXPECT_EQ(out, "<");
    return "none";
  }
  EXPECT_TRUE(out.starts_with("<"));
  return out.substr(1);
}

TEST(TimeBucket, IsCalledByItsBegin) {
  const Bytes time = "13/Sep/2015:06:25:10 +0000";
  EXPECT_EQ(name_of("second", time), "2015-09-13T06:25:10Z");
  EXPECT_EQ(name_of("minute", time), "2015-09-13T06:25Z");
  EXPECT_EQ(name_of("hour", time), "2015-09-13T06:00Z");
  EXPECT_EQ(name_of("day", time), "2015-09-13");
  EXPECT_EQ(name_of("week", time), "2015-W37");
  EXPECT_EQ(name_of("month", time), "2015-09");
  EXPECT_EQ(name_of("quarter", time), "2015-Q3");
  EXPECT_EQ(name_of("year", time), "2015");
  EXPECT_EQ(name_of("hourofday", time), "06");
  EXPECT_EQ(name_of("weekday", time), "7-Sun");
}

TEST(TimeBucket, HasAnyWidth) {
  EXPECT_EQ(name_of("5m", "2015-09-13T06:29:59.999Z"), "2015-09-13T06:25Z");
  EXPECT_EQ(name_of("15m", "2015-09-13T06:29:59Z"), "2015-09-13T06:15Z");
  EXPECT_EQ(name_of("6h", "2015-09-13T06:29:59Z"), "2015-09-13T06:00Z");
  EXPECT_EQ(name_of("30s", "2015-09-13T06:29:59Z"), "2015-09-13T06:29:30Z");
  EXPECT_EQ(name_of("1d", "2015-09-13T06:29:59Z"), "2015-09-13");
  EXPECT_EQ(name_of("7d", "1970-01-09"), "1970-01-08");
  EXPECT_EQ(name_of("6h", "1969-12-31T23:00:00Z"), "1969-12-31T18:00Z");
}

TEST(TimeBucket, ShowsTheZone) {
  const Clock berlin = {.zone = "Europe/Berlin"};
  EXPECT_EQ(name_of("hour", "2015-09-13T23:25:10Z", berlin), "2015-09-14T01:00+02:00");
  EXPECT_EQ(name_of("day", "2015-09-13T23:25:10Z", berlin), "2015-09-14");
  EXPECT_EQ(name_of("hour", "2015-01-13 12:25:10", berlin), "2015-01-13T12:00+01:00");
  EXPECT_EQ(name_of("minute", "2015-01-13T00:10Z", {.zone = "-03:30"}), "2015-01-12T20:40-03:30");
  EXPECT_EQ(name_of("hourofday", "2015-09-13T23:25:10Z", berlin), "01");
}

// Clocks went from 03:00 back to 02:00 at 01:00 UTC.
TEST(TimeBucket, KeepsTheHourThatComesTwiceApart) {
  const Clock berlin = {.zone = "Europe/Berlin"};
  EXPECT_EQ(name_of("hour", "2015-10-25T00:30Z", berlin), "2015-10-25T02:00+02:00");
  EXPECT_EQ(name_of("hour", "2015-10-25T01:30Z", berlin), "2015-10-25T02:00+01:00");
  // Longer ones stay one, called by when they began.
  EXPECT_EQ(name_of("6h", "2015-10-25T00:30Z", berlin), "2015-10-25T00:00+02:00");
  EXPECT_EQ(name_of("6h", "2015-10-25T02:30Z", berlin), "2015-10-25T00:00+02:00");
  EXPECT_EQ(name_of("day", "2015-10-25T22:30Z", berlin), "2015-10-25");
}

// In Chatham clocks went from 02:45 to 03:45 at 14:00 UTC, and back from 03:45 to 02:45.
TEST(TimeBucket, BeginsWhenClocksAreChangedWithinAnHour) {
  const Clock chatham = {.zone = "Pacific/Chatham"};
  EXPECT_EQ(name_of("hour", "2015-09-26T13:59Z", chatham), "2015-09-27T02:00+12:45");
  EXPECT_EQ(name_of("hour", "2015-09-26T14:05Z", chatham), "2015-09-27T03:45+13:45");
  EXPECT_EQ(name_of("hour", "2015-09-26T14:15Z", chatham), "2015-09-27T04:00+13:45");
  EXPECT_EQ(name_of("2h", "2015-09-26T14:05Z", chatham), "2015-09-27T02:00+12:45");
  EXPECT_EQ(name_of("hour", "2015-04-04T13:59Z", chatham), "2015-04-05T03:00+13:45");
  EXPECT_EQ(name_of("hour", "2015-04-04T14:05Z", chatham), "2015-04-05T02:45+12:45");
  EXPECT_EQ(name_of("hour", "2015-04-04T14:15Z", chatham), "2015-04-05T03:00+12:45");
  EXPECT_EQ(name_of("day", "2015-09-26T14:05Z", chatham), "2015-09-27");
  // From 02:00 to 02:30, and back from 02:00 to 01:30.
  const Clock lord_howe = {.zone = "Australia/Lord_Howe"};
  EXPECT_EQ(name_of("hour", "2015-10-03T15:45Z", lord_howe), "2015-10-04T02:30+11:00");
  EXPECT_EQ(name_of("hour", "2015-04-04T14:59Z", lord_howe), "2015-04-05T01:00+11:00");
  EXPECT_EQ(name_of("hour", "2015-04-04T15:15Z", lord_howe), "2015-04-05T01:30+10:30");
  EXPECT_EQ(name_of("2h", "2015-04-04T15:15Z", lord_howe), "2015-04-05T00:00+11:00");
}

// A bucket begins where clocks show another multiple of its width than a quarter of an hour
// before, or that multiple itself. If it is no longer than an hour, it also begins where clocks are
// changed. It is called as the minute is.
TEST(TimeBucket, BeginsAsWalkingThroughTheYearShows) {
  constexpr i64 kYear = 1420070400, kStep = 15, kSteps = 366 * 24 * 60 / kStep;
  for (const char *zone : {"Pacific/Chatham", "Australia/Lord_Howe", "Europe/Berlin",
                           "America/St_Johns", "Asia/Kathmandu", "America/Sao_Paulo"}) {
    const Zone &clocks = **find_zone(zone);
    for (const auto &[text, minutes] : {std::pair{"hour", 60}, {"15m", 15}, {"6h", 360}}) {
      const auto bucket = *parse_bucket(text, {.zone = zone});
      const auto minute = *parse_bucket("minute", {.zone = zone});
      i64 before = -1, offset_before = 0;
      std::string expected;
      for (i64 i = 0; i < kSteps; ++i) {
        const i64 utc = kYear + i * kStep * 60, offset = clocks.around(utc).offset;
        const i64 local = (utc + offset) / 60;
        const bool is_changed = minutes <= 60 && offset != offset_before;
        if (local / minutes != before || local % minutes == 0 || is_changed) {
          expected.clear();
          ASSERT_TRUE(minute->append(std::to_string(utc), &expected));
        }
        before = local / minutes;
        offset_before = offset;
        std::string got;
        ASSERT_TRUE(bucket->append(std::to_string(utc), &got));
        const bool has_begun = i * kStep >= minutes;
        ASSERT_TRUE(got == expected || !has_begun) << zone << " " << text << " " << got;
      }
    }
  }
}

TEST(TimeBucket, CountsWeeksOfIso8601) {
  EXPECT_EQ(name_of("week", "2021-01-03"), "2020-W53");
  EXPECT_EQ(name_of("week", "2021-01-04"), "2021-W01");
  EXPECT_EQ(name_of("week", "2018-12-31"), "2019-W01");
  EXPECT_EQ(name_of("week", "1969-12-28"), "1969-W52");
}

TEST(TimeBucket, HasQuartersOfThreeMonths) {
  for (int month = 1; month <= 12; ++month) {
    const std::string time = fmt::format("1969-{:02}-01", month);
    EXPECT_EQ(name_of("quarter", time), fmt::format("1969-Q{}", (month + 2) / 3));
  }
  EXPECT_EQ(name_of("quarter", "2024-03-31T23:59:59"), "2024-Q1");
  EXPECT_EQ(name_of("quarter", "2024-12-31T23:59:59"), "2024-Q4");
}

TEST(TimeBucket, IsNoneWithoutTime) {
  for (Bytes value : {"", "-", "404x", "2015-02-30"}) EXPECT_EQ(name_of("hour", value), "none");
  EXPECT_EQ(name_of("hour", Bytes()), "none");
}

// Order by bytes is order by time, whatever the thread remembers.
TEST(TimeBucket, OrdersAsTimeDoes) {
  const u64 seed = first_seed();
  SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  std::vector<std::shared_ptr<const Bucket>> buckets;
  for (const char *text :
       {"second", "5m", "hour", "6h", "day", "week", "month", "quarter", "year", "1d"}) {
    for (const char *zone : {"", "America/New_York", "+05:30"}) {
      buckets.push_back(*parse_bucket(text, {.zone = zone}));
    }
  }
  for (int i = 0; i < 3000; ++i) {
    const u64 a = random() % 9'000'000'000, b = a + random() % 10'000'000;
    for (const auto &bucket : buckets) {
      std::string first, second;
      ASSERT_TRUE(bucket->append(std::to_string(b) + ".0", &second));
      ASSERT_TRUE(bucket->append(std::to_string(a) + ".0", &first));
      ASSERT_LE(first, second) << a << " " << b;
    }
  }
}

TEST(NumberBucket, StepsDownToTheLowerBound) {
  EXPECT_EQ(name_of("100", "0"), "0");
  EXPECT_EQ(name_of("100", "99.999"), "0");
  EXPECT_EQ(name_of("100", "100"), "100");
  EXPECT_EQ(name_of("100", "-1"), "-100");
  EXPECT_EQ(name_of("100", "-100"), "-100");
  EXPECT_EQ(name_of("1k", "12345"), "12000");
  EXPECT_EQ(name_of("4Ki", "12345"), "12288");
  EXPECT_EQ(name_of("1M", "2.5e6"), "2000000");
  EXPECT_EQ(name_of("0.5", "0.3"), "0");
  EXPECT_EQ(name_of("0.1", "0.3"), "0.3");  // no double would say so
  EXPECT_EQ(name_of("0.25", "-0.3"), "-0.5");
  EXPECT_EQ(name_of("0.5k", "1499"), "1000");
  EXPECT_EQ(name_of("1", "12345678901234567890123.9"), "12345678901234567890123");
  EXPECT_EQ(name_of("0.1", "12345678901234567890123456789012345678"),
            "12345678901234567890123456789012345678");
  EXPECT_EQ(name_of("100", "1e300"), "none");
}

TEST(NumberBucket, HasLogarithms) {
  EXPECT_EQ(name_of("log2", "1"), "1");
  EXPECT_EQ(name_of("log2", "1023"), "512");
  EXPECT_EQ(name_of("log2", "1024"), "1024");
  EXPECT_EQ(name_of("log2", "0.3"), "0.25");
  EXPECT_EQ(name_of("log2", "0"), "0");
  EXPECT_EQ(name_of("log2", "-5"), "none");
  EXPECT_EQ(name_of("log2", "99999999999999999999999999999999999999"),
            "85070591730234615865843651857942052864");
  EXPECT_EQ(name_of("log10", "9.99"), "1");
  EXPECT_EQ(name_of("log10", "10"), "10");
  EXPECT_EQ(name_of("log10", "12345"), "10000");
  EXPECT_EQ(name_of("log10", "0.0123"), "0.01");
  EXPECT_EQ(name_of("log10", "0"), "0");
  EXPECT_EQ(name_of("log10", "-1"), "none");
}

TEST(NumberBucket, IsNoneForWhatIsNoNumber) {
  for (const char *bucket : {"100", "log2", "log10"}) {
    for (Bytes value : {"", "-", "abc", "1,000"}) EXPECT_EQ(name_of(bucket, value), "none");
    EXPECT_TRUE((*parse_bucket(bucket, {}))->is_number());
  }
}

// The partitions of a directory that was loaded by another version are called alike.
TEST(HashBucket, IsTheSameInAllVersions) {
  EXPECT_EQ(name_of("hash/64", "a"), "31");
  EXPECT_EQ(name_of("hash/64", "203.0.113.7"), "36");
  EXPECT_EQ(name_of("hash/1000", "a"), "719");
  EXPECT_EQ(name_of("hash/65536", std::string(1000, 'x')), "47746");
  EXPECT_EQ(name_of("hash/1", "a"), "0");
}

TEST(HashBucket, IsNoneForWhatIsMissing) {
  EXPECT_EQ(name_of("hash/64", ""), "none");
  EXPECT_EQ(name_of("hash/64", Bytes()), "none");
}

TEST(HashBucket, HasSomePartitions) {
  for (const char *bucket : {"hash", "hash/", "hash/0", "hash/65537", "hash/-1", "hash/4x"}) {
    EXPECT_NE(name_of(bucket, "a").find("a hash has from 1 to 65536 partitions"), Bytes::npos);
  }
}

TEST(AddressBucket, KeepsTheFirstBits) {
  EXPECT_EQ(name_of("/24", "10.1.2.3"), "10.1.2.0/24");
  EXPECT_EQ(name_of("/32", "10.1.2.3"), "10.1.2.3/32");
  EXPECT_EQ(name_of("/9", "10.255.2.3"), "10.128.0.0/9");
  EXPECT_EQ(name_of("/48", "10.1.2.3"), "10.1.2.3/32");
  EXPECT_EQ(name_of("/48", "2001:db8:1:2::1"), "2001:db8:1::/48");
  EXPECT_EQ(name_of("/24/64", "2001:DB8:1:2:3::1"), "2001:db8:1:2::/64");
  EXPECT_EQ(name_of("/24/64", "::ffff:10.1.2.3"), "10.1.2.0/24");
  EXPECT_EQ(name_of("/128", "::1"), "::1/128");
}

TEST(AddressBucket, IsNoneForWhatIsNoAddress) {
  for (Bytes value : {"", "-", "10.1.2", "10.1.2.3.4", "10.1.2.256", "10.01.2.3", "10.1.2.3 ",
                      "host", "1.2.3.", "::1::", "10.1.2.3:80", "10.1..3"}) {
    EXPECT_EQ(name_of("/24", value), "none") << value;
  }
}

TEST(TextBucket, TakesPartsOfPaths) {
  EXPECT_EQ(name_of("dir", "/a/b/c.png?x=/y"), "/a/b");
  EXPECT_EQ(name_of("dir", "/a/b/"), "/a/b");
  EXPECT_EQ(name_of("dir", "/c"), "/");
  EXPECT_EQ(name_of("dir", "/"), "/");
  EXPECT_EQ(name_of("dir", "https://host:80/a/b?c"), "/a");
  EXPECT_EQ(name_of("dir", "//a/b"), "//a");
  EXPECT_EQ(name_of("dir", "*"), "none");
  EXPECT_EQ(name_of("ext", "/a/b/c.tar.GZ?x.y"), "gz");
  EXPECT_EQ(name_of("ext", "/a.b/c"), "-");
  EXPECT_EQ(name_of("ext", "/.env"), "-");
  EXPECT_EQ(name_of("ext", "/a."), "-");
}

TEST(TextBucket, TakesHosts) {
  EXPECT_EQ(name_of("host", "https://user@Example.ORG:8080/a?b"), "example.org");
  EXPECT_EQ(name_of("host", "http://[2001:db8::1]:80/"), "2001:db8::1");
  EXPECT_EQ(name_of("host", "//cdn/x"), "cdn");
  for (Bytes value : {"", "-", "/a//b", "example.org/a", "http:///a", "http://[::1", "a b://c"}) {
    EXPECT_EQ(name_of("host", value), "none") << value;
  }
}

TEST(TextBucket, ChangesLettersOfAllScripts) {
  EXPECT_EQ(name_of("lower", "GET /Ä@["), "get /ä@[");
  EXPECT_EQ(name_of("upper", "get /ä`{"), "GET /Ä`{");
  EXPECT_EQ(name_of("lower", ""), "");
  EXPECT_EQ(name_of("lower", Bytes()), "none");
}

TEST(ParseBucket, SaysWhatThereIs) {
  EXPECT_TRUE(name_of("fortnight", "").starts_with("no bucket \"fortnight\"; there are second,"));
  EXPECT_EQ(
      name_of("/200", ""),
      "bucket \"/200\": a prefix is /1 to /128, or one for IPv4 and one for IPv6, as in /24/64");
  EXPECT_EQ(name_of("0m", ""), "bucket \"0m\": a width of time is 1s to 36500d, as in 15m");
  EXPECT_EQ(name_of("99999999999999999999d", ""),
            "bucket \"99999999999999999999d\": a width of time is 1s to 36500d, as in 15m");
  const std::string width =
      ": a width is a number greater than 0, of up to 17 digits, as in 100, 0.5, 1k or 4Ki";
  for (const std::string text : {"0", "-5", "1.2.3", "123456789012345678901234567890"}) {
    EXPECT_EQ(name_of(text, ""), "bucket \"" + text + "\"" + width);
  }
}

TEST(KindBucket, IsTheOneFormOfEqualValues) {
  for (const Bytes one : {"1", "1.0", "+1", "01", "1e0", "100e-2"}) {
    EXPECT_EQ(name_of("num", one), "1") << one;
  }
  for (const Bytes none : {"", "-", "x", "1k", "0x1"}) EXPECT_EQ(name_of("num", none), "none");
  EXPECT_EQ(name_of("text", "1.0"), "1.0");
  EXPECT_EQ(name_of("address", "::ffff:10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(name_of("address", "2001:DB8:0:0::1"), "2001:db8::1");
  EXPECT_EQ(name_of("address", "10.0.0.1/24"), "none");
}

TEST(KindBucket, ReadsTimesOfAnyForm) {
  for (const Bytes time : {"13/Sep/2015:06:25:10 +0000", "2015-09-13 06:25:10", "1442125510",
                           "2015-09-13T08:25:10.000+02:00"}) {
    EXPECT_EQ(name_of("time", time), "2015-09-13T06:25:10Z") << time;
  }
  EXPECT_EQ(name_of("time", "2015-09-13T06:25:10.250Z"), "2015-09-13T06:25:10.25Z");
  EXPECT_EQ(name_of("time", "2015-09-13T06:25:10.000000001Z"), "2015-09-13T06:25:10.000000001Z");
  EXPECT_EQ(name_of("time", "1969-12-31T23:59:59.5Z"), "1969-12-31T23:59:59.5Z");
  EXPECT_EQ(name_of("time", "2015-09-13T06:25:10Z", {.zone = "Europe/Berlin"}),
            "2015-09-13T08:25:10+02:00");
  EXPECT_EQ(name_of("time", "soon"), "none");
}

TEST(KindBucket, NamesLevelsByTheirUsualNames) {
  const std::pair<Bytes, const char *> kLevels[] = {
      {"W", "warn"},        {"WARNING", "warn"}, {"err", "error"},     {"SEVERE", "error"},
      {"Info", "info"},     {"I!", "info"},      {"emerg", "fatal"},   {"CRIT", "critical"},
      {"notice", "notice"}, {"50", "error"},     {"verbose", "trace"}, {"alert", "alert"}};
  for (const auto &[word, name] : kLevels) EXPECT_EQ(name_of("level", word), name) << word;
  for (const Bytes none : {"", "-", "up", "200", "warn ", "in fo"}) {
    EXPECT_EQ(name_of("level", none), "none") << none;
  }
}

TEST(KindBucket, ReadsSizesAndDurationsWithUnits) {
  const std::pair<Bytes, const char *> kSizes[] = {
      {"10k", "10000"},   {"10Ki", "10240"}, {"10 KB", "10000"}, {"1.5MiB", "1572864"},
      {"512B", "512"},    {"7", "7"},        {"-2k", "-2000"},   {"1.1G", "1100000000"},
      {"0.1Ki", "102.4"}, {"1.", "1"},       {"1e3", "1000"}};
  for (const auto &[text, number] : kSizes) EXPECT_EQ(name_of("size", text), number) << text;
  for (const Bytes none : {"", "-", "k", "10x", ".5k", "10kk", "ten"}) {
    EXPECT_EQ(name_of("size", none), "none") << none;
  }
  const std::pair<Bytes, const char *> kDurations[] = {
      {"250ms", "0.25"},  {"1.5s", "1.5"}, {"1h30m", "5400"},    {"2d", "172800"}, {"-1m", "-60"},
      {"1m2.5s", "62.5"}, {"3 s", "3"},    {"15us", "0.000015"}, {"9", "9"}};
  for (const auto &[text, seconds] : kDurations) {
    EXPECT_EQ(name_of("duration", text), seconds) << text;
  }
  for (const Bytes none : {"", "-", "ms", "1x", "1h30", "1M", "1:30"}) {
    EXPECT_EQ(name_of("duration", none), "none") << none;
  }
}

TEST(Bucket, IsSharedByThreads) {
  const auto bucket = *parse_bucket("hour", {.zone = "Europe/Berlin"});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        std::string out;
        bucket->append(std::to_string(1442125510 + t * 1000 + i * 60), &out);
        ASSERT_TRUE(out.ends_with("+02:00") || out.ends_with("+01:00"));
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
}

}  // namespace
}  // namespace mrc
