#include "base/spelling.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

TEST(Nearest, ForgivesATypingError) {
  const std::vector<std::string> names = {"count", "wordcount", "help", "--threads", "--top"};
  for (auto [word, expected] : {std::pair{"count", "count"},
                                {"cuont", "count"},
                                {"coun", "count"},
                                {"counts", "count"},
                                {"cout", "count"},
                                {"wrodcuont", "wordcount"},
                                {"hepl", "help"},
                                {"--thread", "--threads"},
                                {"--tpo", "--top"}}) {
    EXPECT_EQ(nearest(word, names), expected) << word;
  }
}

TEST(Nearest, LeavesOtherWordsAlone) {
  const std::vector<std::string> names = {"count", "help"};
  for (const char *word : {"sort", "xyz", "co", "heap-dump", "countcount", "ab"}) {
    EXPECT_EQ(nearest(word, names), "") << word;
  }
  EXPECT_EQ(nearest("count", {}), "");
}

TEST(DidYouMean, IsAQuestionOrNothing) {
  EXPECT_EQ(did_you_mean("cuont", {"count"}), " (did you mean \"count\"?)");
  EXPECT_EQ(did_you_mean("sort", {"count"}), "");
}

}  // namespace
}  // namespace mrc
