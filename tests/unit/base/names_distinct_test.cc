#include "base/names.h"

#include <gtest/gtest.h>

#include <set>

namespace mrc {
namespace {

using Names = std::vector<std::string>;

TEST(DistinctNames, NumbersWhatIsRepeated) {
  EXPECT_EQ(distinct_names(Names{}), Names{});
  EXPECT_EQ(distinct_names(Names{"a", "b"}), (Names{"a", "b"}));
  EXPECT_EQ(distinct_names(Names{"a", "a", "b", "a"}), (Names{"a", "a_2", "b", "a_3"}));
}

TEST(DistinctNames, LeavesNamesAloneThatLookNumbered) {
  EXPECT_EQ(distinct_names(Names{"a", "a", "a_2"}), (Names{"a", "a_3", "a_2"}));
  EXPECT_EQ(distinct_names(Names{"a_2", "a", "a", "a_2"}), (Names{"a_2", "a", "a_3", "a_2_2"}));
}

TEST(DistinctNames, TakesManyOfOneName) {
  const Names names(20000, "same");
  const Names distinct = distinct_names(names);
  EXPECT_EQ(distinct.back(), "same_20000");
  EXPECT_EQ(std::set(distinct.begin(), distinct.end()).size(), names.size());
}

}  // namespace
}  // namespace mrc
