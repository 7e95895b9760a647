#include "fields/inner/json_index.h"

#include "unit/fields/json_tokens.h"

#include <gtest/gtest.h>

namespace mrc {

JsonTokens tokens_of_this_build(Bytes text) {
  JsonIndex index;
  return find_tokens(&index, text);
}

namespace {

TEST(JsonIndex, ListsTokensAndWhatStringsMean) {
  const std::string padded = R"({"a\n": [1, "b"]})" + std::string(64, ' ');
  const JsonTokens found = tokens_of_this_build(Bytes(padded).substr(0, padded.size() - 64));
  EXPECT_EQ(found.failure, "");
  EXPECT_EQ(found.places, (std::vector<u32>{0, 1, 6, 8, 9, 10, 12, 15, 16}));
  ASSERT_EQ(found.strings.size(), 2u);
  EXPECT_EQ(found.strings[0], "a\n");
  EXPECT_EQ(found.strings[1], "b");
}

}  // namespace
}  // namespace mrc
