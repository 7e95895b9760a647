#include "base/names.h"

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
    EXPECT_EQ(nearest(word, names), std::vector<std::string>{expected}) << word;
  }
}

TEST(Nearest, LeavesOtherWordsAlone) {
  const std::vector<std::string> names = {"count", "help"};
  for (const char *word : {"sort", "xyz", "co", "heap-dump", "countcount", "ab"}) {
    EXPECT_TRUE(nearest(word, names).empty()) << word;
  }
  EXPECT_TRUE(nearest("count", {}).empty());
}

TEST(DidYouMean, IsAQuestionOrNothing) {
  EXPECT_EQ(did_you_mean("cuont", {"count"}), " (did you mean \"count\"?)");
  EXPECT_EQ(did_you_mean("sort", {"count"}), "");
  EXPECT_EQ(did_you_mean("stat", {"sort", "state", "stats"}),
            " (did you mean \"state\" or \"stats\"?)");
  EXPECT_EQ(did_you_mean("word", {"sort", "wordcount"}), " (did you mean \"wordcount\"?)");
}

}  // namespace
}  // namespace mrc
