#include "cmd/compile.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using Direction = Ask::Direction;

Ask ask_for(const std::string &by, Direction direction, i64 top) {
  Ask ask;
  ask.by = by;
  ask.direction = direction;
  ask.top = top;
  return ask;
}

Compiled words() {
  Compiled compiled;
  compiled.program.shape.key = {{{"word"}}};
  return compiled;
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
    Compiled compiled = words();
    ASSERT_TRUE(
        choose_order(ask_for(example.by, example.direction, example.top), &compiled).is_ok());
    const Order &order = compiled.program.order;
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
    Compiled compiled = words();
    ASSERT_TRUE(choose_order(ask_for(by, direction, -1), &compiled).is_ok());
    EXPECT_EQ(compiled.program.order.column, 0) << by;
    EXPECT_EQ(compiled.program.order.ties_descending, ties) << by;
  }
}

TEST(ChooseOrder, NamesTheColumnsThereAre) {
  Compiled compiled = words();
  const std::string message =
      choose_order(ask_for("cuont", Direction::natural, -1), &compiled).message();
  EXPECT_NE(message.find("no column \"cuont\" (did you mean \"count\"?)"), std::string::npos);
  EXPECT_NE(message.find("word, count"), std::string::npos) << message;
  for (const char *by : {"x", "count,", ",count", "count,x", "Count", "count word", ","}) {
    compiled = words();
    EXPECT_FALSE(choose_order(ask_for(by, Direction::natural, -1), &compiled).is_ok()) << by;
  }
}

// Two parts, the second a number, and three columns, the second text, the third a list.
Order order_of_groups(const std::string &by, Direction direction) {
  Compiled compiled;
  compiled.program.shape.key = {{{"host"}, {"size", true}}};
  Column text = count_column(0), list = count_column(0);
  text.name = "path";
  text.text = list.text = list.list = true;
  list.name = "list";
  compiled.program.aggregation = {{{&kCount}}, {count_column(0), text, list}, {}};
  EXPECT_TRUE(choose_order(ask_for(by, direction, -1), &compiled).is_ok()) << by;
  return compiled.program.order;
}

std::string terms_of(const Order &order) {
  std::string text;
  for (const OrderTerm &term : order.terms) {
    text += (term.part >= 0 ? "part " + std::to_string(term.part)
                            : "column " + std::to_string(term.column)) +
            (term.descending ? " down, " : " up, ");
  }
  return text;
}

TEST(ChooseOrder, LeavesToTheKeyWhatTheKeySays) {
  const Direction natural = Direction::natural, up = Direction::ascending,
                  down = Direction::descending;
  struct {
    const char *by;
    Direction direction;
    i64 column;
    bool descending, ties_descending;
  } examples[] = {
      {"", natural, -1, false, false},          {"", down, -1, true, false},
      {"host", natural, -1, false, false},      {"host,size", up, -1, false, false},
      {"host,size", down, -1, true, false},     {"host,size,path", up, -1, false, false},
      {"count", natural, 0, true, false},       {"count,host", natural, 0, true, false},
      {"count,host,size", down, 0, true, true}, {"count,host,size", up, 0, false, false},
      {"list", natural, 2, true, false},        {"list,host", up, 2, false, false}};
  for (const auto &example : examples) {
    const Order order = order_of_groups(example.by, example.direction);
    EXPECT_EQ(terms_of(order), "") << example.by;
    EXPECT_EQ(order.column, example.column) << example.by;
    EXPECT_EQ(order.descending, example.descending) << example.by;
    EXPECT_EQ(order.ties_descending, example.ties_descending) << example.by;
  }
}

TEST(ChooseOrder, MakesTermsOfWhatTheKeyDoesNotSay) {
  const Direction natural = Direction::natural, up = Direction::ascending,
                  down = Direction::descending;
  for (auto [by, direction, terms] :
       {std::tuple{"size", natural, "part 1 up, "},
        {"size", up, "part 1 up, "},
        {"host", down, "part 0 down, "},
        {"host,size", natural, ""},
        {"path", natural, "column 1 up, "},
        {"path,count", natural, "column 1 up, column 0 down, "},
        {"count,size", natural, "column 0 down, part 1 up, "},
        {"count,host", down, "column 0 down, part 0 down, "},
        {"path,size,host,count", up, "column 1 up, part 1 up, part 0 up, "},
        {"path,path,list", down, "column 1 down, column 2 down, "}}) {
    EXPECT_EQ(terms_of(order_of_groups(by, direction)), terms) << by;
  }
}

}  // namespace
}  // namespace mrc
