#include "cmd/values.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using Direction = Request::Direction;

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
    EXPECT_NE(status.message().find(text), std::string::npos) << status.message();
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
       {"", "K", "0", "0K", "-1", "-1K", "1KB", "1KK", "1.5M", "1 K", "x", "1P", "\x0B", "1\x0B",
        "8388608T", "9007199254740992K", "9223372036854775808"}) {
    i64 bytes = 0;
    Status status = parse_size(text, &bytes);
    ASSERT_FALSE(status.is_ok()) << text;
    EXPECT_EQ(status.message(),
              "\"" + std::string(text) + "\" is not a size such as 4096, 64K or 2M");
  }
}

TEST(ParseWhen, KnowsItsThreeAnswers) {
  EXPECT_EQ(parse_when("auto", "yes"), Request::When::automatic);
  EXPECT_EQ(parse_when("yes", "yes"), Request::When::always);
  EXPECT_EQ(parse_when("no", "yes"), Request::When::never);
  EXPECT_EQ(parse_when("always", "always"), Request::When::always);
  EXPECT_EQ(parse_when("never", "always"), Request::When::never);
}

TEST(SetDirection, AllowsOneOnly) {
  Request request;
  EXPECT_TRUE(set_direction(&request, Direction::descending).is_ok());
  EXPECT_TRUE(set_direction(&request, Direction::descending).is_ok());
  EXPECT_FALSE(set_direction(&request, Direction::ascending).is_ok());
}

Request request_for(const std::string &by, Direction direction, i64 top) {
  Request request;
  request.job.shape.key_name = "word";
  request.by = by;
  request.direction = direction;
  request.job.order.limit = top;
  return request;
}

TEST(ChooseOrder, SortsNumbersDownAndTextUpUnlessToldOtherwise) {
  const Direction natural = Direction::natural, up = Direction::ascending,
                  down = Direction::descending;
  struct {
    const char *by;
    Direction direction;
    i64 top;
    i64 column;
    bool descending;
  } examples[] = {{"", natural, -1, -1, false},     {"", up, -1, -1, false},
                  {"", down, -1, -1, true},         {"", natural, 10, 0, true},
                  {"", natural, 0, 0, true},        {"", up, 10, 0, false},
                  {"", down, 10, 0, true},          {"count", natural, -1, 0, true},
                  {"count", up, -1, 0, false},      {"count", down, -1, 0, true},
                  {"count", natural, 10, 0, true},  {"word", natural, -1, -1, false},
                  {"word", up, -1, -1, false},      {"word", down, -1, -1, true},
                  {"word", natural, 10, -1, false}, {"word,count", natural, -1, -1, false},
                  {"word,count", down, 5, -1, true}};
  for (const auto &example : examples) {
    Request request = request_for(example.by, example.direction, example.top);
    ASSERT_TRUE(choose_order(&request).is_ok());
    const Order &order = request.job.order;
    EXPECT_EQ(order.column, example.column) << example.by << " " << example.top;
    EXPECT_EQ(order.descending, example.descending) << example.by << " " << example.top;
    EXPECT_EQ(order.limit, example.top);
    EXPECT_FALSE(order.column >= 0 && order.ties_descending) << example.by;
  }
}

TEST(ChooseOrder, TurnsTiesRoundOnlyWhereTheKeyIsNamed) {
  for (auto [by, direction, ties] : {std::tuple{"count", Direction::descending, false},
                                     {"count,word", Direction::descending, true},
                                     {"count,word", Direction::natural, false},
                                     {"count,word", Direction::ascending, false},
                                     {"count,count,word", Direction::descending, true}}) {
    Request request = request_for(by, direction, -1);
    ASSERT_TRUE(choose_order(&request).is_ok());
    EXPECT_EQ(request.job.order.column, 0) << by;
    EXPECT_EQ(request.job.order.ties_descending, ties) << by;
  }
}

TEST(ChooseOrder, NamesTheColumnsThereAre) {
  Request request = request_for("cuont", Direction::natural, -1);
  const std::string message = choose_order(&request).message();
  EXPECT_NE(message.find("no column \"cuont\" (did you mean \"count\"?)"), std::string::npos);
  EXPECT_NE(message.find("word, count"), std::string::npos) << message;
  for (const char *by : {"x", "count,", ",count", "count,x", "Count", "count word", ","}) {
    request = request_for(by, Direction::natural, -1);
    EXPECT_FALSE(choose_order(&request).is_ok()) << by;
  }
}

}  // namespace
}  // namespace mrc
