#include "output/encode.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using List = std::vector<std::string>;

TEST(JsonLabels, PrecedeValues) {
  EXPECT_EQ(json_labels(List{}), List{});
  EXPECT_EQ(json_labels(List{"a", "b\"c"}), (List{"{\"a\":", ",\"b\\\"c\":"}));
}

TEST(JsonLabels, AreDifferent) {
  EXPECT_EQ(json_labels(List{"a", "a", "a"}), (List{"{\"a\":", ",\"a_2\":", ",\"a_3\":"}));
  EXPECT_EQ(json_labels(List{"a", "a", "a_2"}), (List{"{\"a\":", ",\"a_3\":", ",\"a_2\":"}));
  EXPECT_EQ(json_labels(List{"a_2", "a_2", "a", "a"}),
            (List{"{\"a_2\":", ",\"a_2_2\":", ",\"a\":", ",\"a_3\":"}));
}

TEST(JsonLabels, AreText) { EXPECT_EQ(json_labels(List{"n\xFF"}), List{R"({"n\\xff":)"}); }

}  // namespace
}  // namespace mrc
