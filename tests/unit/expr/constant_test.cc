#include "expr/inner/constant.h"

#include "expr/inner/clock.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

const TimeContext kUtc = make_time_context({});
constexpr i64 kNowOfConstants = 1'793'700'000'123'456'789;  // 2026-11-03T10:00:00.123456789Z

std::string constant_text(std::string_view word) {
  const Result<Constant> constant = read_constant(word, kUtc, kNowOfConstants);
  if (!constant.is_ok()) return "error: " + constant.status().message();
  return std::string(kind_name(constant->kind)) + " " + constant->text;
}

// From its begin to its end, in seconds.
std::string span_of(std::string_view word, const Clock &clock = {}) {
  const Result<Constant> constant = read_constant(word, make_time_context(clock), kNowOfConstants);
  if (!constant.is_ok() || constant->kind != ValueKind::time) return "none";
  std::string begin;
  append_time(constant->span.begin, kUtc, &begin);
  const i64 length = constant->span.end - constant->span.begin;
  return begin + " " + std::to_string(length / kSecond) +
         (length % kSecond == 0 ? "" : "." + std::to_string(length % kSecond));
}

TEST(Constant, IsANumberWithAUnitOrNot) {
  EXPECT_EQ(constant_text("10"), "number 10");
  EXPECT_EQ(constant_text("1.5"), "number 1.5");
  EXPECT_EQ(constant_text("1e3"), "number 1e3");
  EXPECT_EQ(constant_text("0x1f"), "number 31");
  EXPECT_EQ(constant_text("1_000_000"), "number 1000000");
  EXPECT_EQ(constant_text("10k"), "number 10000");
  EXPECT_EQ(constant_text("10KB"), "number 10000");
  EXPECT_EQ(constant_text("10Ki"), "number 10240");
  EXPECT_EQ(constant_text("1.5MiB"), "number 1572864");
  EXPECT_EQ(constant_text("2M"), "number 2000000");
}

TEST(Constant, IsADuration) {
  EXPECT_EQ(constant_text("250ms"), "duration 0.25");
  EXPECT_EQ(constant_text("1.5s"), "duration 1.5");
  EXPECT_EQ(constant_text("1h30m"), "duration 5400");
  EXPECT_EQ(constant_text("2d"), "duration 172800");
  EXPECT_EQ(constant_text("2m"), "duration 120");
}

TEST(Constant, IsATimeAsLongAsItSays) {
  EXPECT_EQ(span_of("2026-11"), "2026-11-01T00:00:00Z 2592000");
  EXPECT_EQ(span_of("2026-12"), "2026-12-01T00:00:00Z 2678400");
  EXPECT_EQ(span_of("2026-11-03"), "2026-11-03T00:00:00Z 86400");
  EXPECT_EQ(span_of("2026-11-03T10:00"), "2026-11-03T10:00:00Z 60");
  EXPECT_EQ(span_of("2026-11-03T10:00:05"), "2026-11-03T10:00:05Z 1");
  EXPECT_EQ(span_of("2026-11-03T10:00:05.25Z"), "2026-11-03T10:00:05.25Z 0.10000000");
  EXPECT_EQ(span_of("2026-11-03T10:00+02:00"), "2026-11-03T08:00:00Z 60");
  EXPECT_EQ(span_of("2026-11-03T10:00-0530"), "2026-11-03T15:30:00Z 60");
  EXPECT_EQ(span_of("2026-11-03", {.zone = "+01:00"}), "2026-11-02T23:00:00Z 86400");
  EXPECT_EQ(span_of("2026-10-25", {.zone = "Europe/Berlin"}), "2026-10-24T22:00:00Z 90000");
  EXPECT_EQ(span_of("now"), "2026-11-03T10:00:00.123456789Z 0");
  EXPECT_EQ(span_of("today"), "2026-11-03T00:00:00Z 86400");
  EXPECT_EQ(span_of("yesterday", {.zone = "+15:00"}), "2026-11-02T09:00:00Z 86400");
  for (const char *word : {"2026-02-30", "2026-13", "2026-11-03T24:00", "2026-11-03T10",
                           "2026-11-03T10:00:60", "2026-11-03T10:00+25:00"}) {
    EXPECT_EQ(span_of(word), "none") << word;
  }
}

TEST(Constant, IsAnAddressOrANetwork) {
  EXPECT_EQ(constant_text("192.0.2.1"), "address 192.0.2.1");
  EXPECT_EQ(constant_text("192.0.2.0/24"), "address 192.0.2.0/24");
  EXPECT_EQ(constant_text("2001:db8::/32"), "address 2001:db8::/32");
  EXPECT_NE(constant_text("10.0.0.0/33").find("no network"), std::string::npos);
}

TEST(Constant, SaysWhyAWordIsNone) {
  for (const char *word :
       {"5xx", "007", "1.10.0", "14:00", "3/11/2026", "2026/11/03", "5-3", "1a"}) {
    EXPECT_TRUE(constant_text(word).starts_with("error: ")) << word;
  }
  EXPECT_NE(constant_text("007").find("text: '007'"), std::string::npos);
}

TEST(Constant, OfARelativeTimeIsTheSameTomorrow) {
  EXPECT_EQ(literal_of_relative_time("now", kUtc, kNowOfConstants),
            "2026-11-03T10:00:00.123456789Z");
  EXPECT_EQ(literal_of_relative_time("today", kUtc, kNowOfConstants), "2026-11-03");
  EXPECT_EQ(literal_of_relative_time("yesterday", kUtc, kNowOfConstants), "2026-11-02");
}

TEST(Constant, InQuotesIsWhatItLooksLikeWhereAnOrderIsAskedFor) {
  const auto look = [](const std::string &text) { return constant_by_look(text, kUtc).kind; };
  EXPECT_EQ(look("1000"), ValueKind::number);
  EXPECT_EQ(look("2026-11-03"), ValueKind::time);
  EXPECT_EQ(look("03/Nov/2026:10:00:00 +0000"), ValueKind::time);
  EXPECT_EQ(look("192.0.2.1"), ValueKind::address);
  EXPECT_EQ(look("abc"), ValueKind::text);
  EXPECT_EQ(look(""), ValueKind::text);
}

}  // namespace
}  // namespace mrc
