#include "cmd/values.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using Direction = Ask::Direction;

TEST(ParseInteger, TakesWholeNumbersInItsRange) {
  i64 value = 0;
  EXPECT_TRUE(parse_integer("1", 1, 1024, &value).is_ok());
  EXPECT_EQ(value, 1);
  EXPECT_TRUE(parse_integer("1024", 1, 1024, &value).is_ok());
  EXPECT_EQ(value, 1024);
  EXPECT_TRUE(parse_integer("-5", -10, 10, &value).is_ok());
  EXPECT_EQ(value, -5);
  EXPECT_TRUE(parse_integer("9223372036854775806", 0, INT64_MAX, &value).is_ok());
  EXPECT_EQ(value, INT64_MAX - 1);
}

TEST(ParseInteger, RefusesWhatIsNone) {
  i64 value = 0;
  for (const char *text :
       {"", " ", "x", "1x", "1 ", " 1", "1.5", "0x10", "+1", "--1", "-", "9223372036854775808x"}) {
    Status status = parse_integer(text, INT64_MIN, INT64_MAX, &value);
    ASSERT_FALSE(status.is_ok()) << text;
    EXPECT_EQ(status.message(), "\"" + std::string(text) + "\" is not a whole number");
  }
}

TEST(ParseInteger, SaysWhichRange) {
  i64 value = 0;
  EXPECT_EQ(parse_integer("0", 1, 1024, &value).message(), "0 is not between 1 and 1024");
  EXPECT_EQ(parse_integer("1025", 1, 1024, &value).message(), "1025 is not between 1 and 1024");
  for (const char *text :
       {"-1", "9223372036854775808", "-9223372036854775809", "99999999999999999999"}) {
    Status status = parse_integer(text, 0, INT64_MAX, &value);
    ASSERT_FALSE(status.is_ok()) << text;
    EXPECT_EQ(status.message(),
              std::string(text) + " is not between 0 and " + std::to_string(INT64_MAX));
  }
}

TEST(ParseSize, TakesPowersOf1024) {
  struct {
    const char *text;
    i64 bytes;
  } examples[] = {{"1", 1},
                  {"4096", 4096},
                  {"64K", 64 << 10},
                  {"64k", 64 << 10},
                  {"2M", 2 << 20},
                  {"2m", 2 << 20},
                  {"3G", i64{3} << 30},
                  {"5T", i64{5} << 40},
                  {"8388607T", i64{8388607} << 40},
                  {"9007199254740991K", i64{9007199254740991} << 10},
                  {"9223372036854775807", INT64_MAX}};
  for (const auto &example : examples) {
    i64 bytes = 0;
    EXPECT_TRUE(parse_size(example.text, &bytes).is_ok()) << example.text;
    EXPECT_EQ(bytes, example.bytes) << example.text;
  }
}

TEST(ParseSize, RefusesWhatIsNone) {
  for (const char *text :
       {"", "K", "0", "0K", "-1", "-1K", "1KB", "1KK", "1.5M", "1 K", "x", "1P", "\x0B", "1\x0B"}) {
    i64 bytes = 0;
    Status status = parse_size(text, &bytes);
    ASSERT_FALSE(status.is_ok()) << text;
    EXPECT_EQ(status.message(),
              "\"" + std::string(text) + "\" is not a size such as 4096, 64K or 2M");
  }
}

TEST(ParseSize, SaysWhatIsTheMost) {
  for (const char *text : {"8388608T", "9007199254740992K", "9223372036854775808"}) {
    i64 bytes = 0;
    EXPECT_EQ(parse_size(text, &bytes).message(), std::string(text) + " is more than 8388607T");
  }
}

TEST(ParseWhen, KnowsItsThreeAnswers) {
  EXPECT_EQ(parse_when("auto", "yes"), When::automatic);
  EXPECT_EQ(parse_when("yes", "yes"), When::always);
  EXPECT_EQ(parse_when("no", "yes"), When::never);
  EXPECT_EQ(parse_when("always", "always"), When::always);
  EXPECT_EQ(parse_when("never", "always"), When::never);
}

TEST(SetDirection, AllowsOneOnly) {
  Ask ask;
  EXPECT_TRUE(set_direction(&ask, Direction::descending).is_ok());
  EXPECT_TRUE(set_direction(&ask, Direction::descending).is_ok());
  EXPECT_FALSE(set_direction(&ask, Direction::ascending).is_ok());
}

}  // namespace
}  // namespace mrc
