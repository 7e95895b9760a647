#include "base/name_index.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

TEST(NameIndex, FindsFewNamesAndMany) {
  for (i64 count : {0, 1, 7, 8, 9, 16, 17, 18, 1000}) {
    NameIndex index;
    for (i64 i = 0; i < count; ++i) EXPECT_TRUE(index.add("name" + std::to_string(i), 3 * i));
    for (i64 i = 0; i < count; ++i) {
      EXPECT_EQ(index.find("name" + std::to_string(i)), 3 * i);
      EXPECT_FALSE(index.add("name" + std::to_string(i), 7));
    }
    for (i64 i = 0; i < count; ++i) EXPECT_EQ(index.find("name" + std::to_string(i)), 3 * i);
    EXPECT_EQ(index.find("name"), -1);
    EXPECT_EQ(index.find(""), -1);
  }
}

TEST(NameIndex, HasThePlacesOfAList) {
  std::vector<std::string> names = {"a", "", "a", "b"};
  for (int i = 0; i < 20; ++i) names.push_back("a"), names.push_back(std::to_string(i));
  const NameIndex index(names);
  EXPECT_EQ(index.find("a"), 0);
  EXPECT_EQ(index.find(""), 1);
  EXPECT_EQ(index.find("b"), 3);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(index.find(std::to_string(i)), 5 + 2 * i);
}

}  // namespace
}  // namespace mrc
