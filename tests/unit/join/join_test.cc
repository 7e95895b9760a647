#include "join/join.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

Dialect with_names(std::vector<std::string> names) {
  Dialect dialect;
  dialect.format = &LineFormat::csv;
  dialect.names = std::move(names);
  return dialect;
}

std::string names_of(const std::vector<FieldExpr> &exprs) {
  std::string names;
  for (const FieldExpr &expr : exprs) names += expr.column() + ";";
  return names;
}

JoinSpec spec_of(const std::string &keys) {
  JoinSpec spec;
  EXPECT_TRUE(parse_join_keys(keys, {}, &spec).is_ok());
  return spec;
}

TEST(Join, AKeyHasOneNameOrTwo) {
  const JoinSpec spec = spec_of("a, b=c:lower,\"x=y\"=\"z,z\"");
  EXPECT_EQ(names_of(spec.inputs[kLeft].keys), "a;b;x=y;");
  EXPECT_EQ(names_of(spec.inputs[kRight].keys), "a;c:lower;z,z;");
  JoinSpec other;
  EXPECT_FALSE(parse_join_keys("a=", {}, &other).is_ok());
  EXPECT_FALSE(parse_join_keys("a,,b", {}, &other).is_ok());
}

TEST(Join, AllFieldsButTheKeyArePrinted) {
  const JoinSpec spec = spec_of("b=2,a:lower=x");
  const Dialect left = with_names({"a", "b", "c,d"}), right = with_names({"x", "y", "z"});
  EXPECT_EQ(names_of(join_side(spec, kLeft, &left, "l")->fields), "a;c,d;");
  EXPECT_EQ(names_of(join_side(spec, kRight, &right, "r")->fields), "z;");
}

TEST(Join, NothingOfRightIsPrintedWhereItOnlySelects) {
  JoinSpec spec = spec_of("a");
  spec.kind = JoinKind::semi;
  EXPECT_TRUE(join_side(spec, kRight, nullptr, "r")->fields.empty());
}

TEST(Join, FieldsThatAreNotKnownHaveToBeNamed) {
  JoinSpec spec = spec_of("a");
  Dialect open = with_names({"a", "b", "c d"});
  open.open = true;
  const Result<JoinSide> side = join_side(spec, kLeft, &open, "in.json");
  ASSERT_FALSE(side.is_ok());
  EXPECT_TRUE(side.status().message().starts_with("in.json: ")) << side.status().message();
  EXPECT_TRUE(side.status().message().ends_with(" b,c d")) << side.status().message();
  const Dialect nameless = with_names({});
  EXPECT_FALSE(join_side(spec, kLeft, &nameless, "in").is_ok()) << "how many is not known";
  spec.inputs[kLeft].fields = *parse_fields("2,b:lower", {});
  EXPECT_EQ(names_of(join_side(spec, kLeft, nullptr, "in")->fields), "2;b:lower;");
}

TEST(Join, FieldsWithoutNamesAreAsManyAsTheFirstRecordsHave) {
  Dialect nameless = with_names({});
  nameless.format = &LineFormat::fields;
  nameless.most_fields = 4;
  EXPECT_EQ(names_of(join_side(spec_of("3=1"), kLeft, &nameless, "l")->fields), "1;2;4;");
  EXPECT_EQ(names_of(join_side(spec_of("3=1"), kRight, &nameless, "r")->fields), "2;3;4;");
  EXPECT_EQ(names_of(join_side(spec_of("3:lower"), kLeft, &nameless, "l")->fields), "1;2;3;4;");
  nameless.format = &LineFormat::lines;
  nameless.most_fields = 1;
  for (const char *key : {"1", "line"}) {
    EXPECT_EQ(names_of(join_side(spec_of(key), kLeft, &nameless, "l")->fields), "") << key;
  }
}

}  // namespace
}  // namespace mrc
