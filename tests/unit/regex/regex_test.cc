#include "regex/regex.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

std::unique_ptr<Regex> regex_of(const std::string &pattern, const RegexOptions &options = {}) {
  Result<std::unique_ptr<Regex>> regex = Regex::compile(pattern, options);
  EXPECT_TRUE(regex.is_ok()) << pattern;
  return std::move(*regex);
}

bool matches(const std::string &pattern, Bytes text) { return regex_of(pattern)->matches(text); }

TEST(Regex, MatchesCharactersAndNoOtherBytes) {
  EXPECT_TRUE(matches("^x.y$", "x\u00fcy"));
  EXPECT_FALSE(matches("x.y", "x\xFFy"));
  EXPECT_FALSE(matches("x..?y", "x\xED\xA0\x80y"));  // a surrogate
  EXPECT_FALSE(matches("[^x]y", "\xE0\x80\x80y"));
  EXPECT_TRUE(matches("y", "\xFFy"));
  EXPECT_TRUE(matches("x\\Cy", "x\xFFy"));
}

// What follows from that is a look at all of the text.
TEST(Regex, WantsNoMaskedTextForNarrowClasses) {
  for (const std::string pattern : {"a|b", "(?:[0-9]+[a-z])", "(?i)k{2}", "M\u00fcller"}) {
    EXPECT_FALSE(regex_of(pattern)->wants_masked()) << pattern;
  }
  for (const std::string pattern : {".", "[^a]", "[[:^alpha:]]", "\\W", "[\u00fc-\uffff]"}) {
    EXPECT_TRUE(regex_of(pattern)->wants_masked()) << pattern;
  }
}

TEST(Regex, TakesAPatternOfBytesByBytes) {
  EXPECT_TRUE(matches("x\xFFy", "x\xFFy"));
  EXPECT_TRUE(matches("^..\xFF$", "\u00fc\xFF"));
  EXPECT_FALSE(regex_of("\xFF.")->wants_masked());
}

TEST(Regex, CapturesPartsOfTheTextItself) {
  const std::string text = "\xED\xA0\x80 a=b";
  std::array<Bytes, 4> groups;
  ASSERT_TRUE(regex_of("(.)=(?<right>.)(c)?")->capture(text, groups));
  EXPECT_EQ(groups[0].data(), text.data() + 4);
  EXPECT_EQ(groups[1], "a");
  EXPECT_EQ(groups[2], "b");
  EXPECT_EQ(groups[3].data(), nullptr);
  EXPECT_FALSE(regex_of("^(.)")->capture(text, groups));
}

TEST(Regex, KnowsTheNamesOfGroups) {
  EXPECT_EQ(regex_of("(?<a>x)(y)(?P<b>z)")->groups(), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(regex_of(R"(\(?<a>)")->groups(), std::vector<std::string>());
}

TEST(Regex, MasksWhatIsNoCharacter) {
  EXPECT_EQ(masked(""), "");
  EXPECT_EQ(masked("a\u00fc\U0001F600"), "a\u00fc\U0001F600");
  EXPECT_EQ(masked("\xC3"
                   "a\xED\xA0\x80\xC3\xBC"),
            "\xFF"
            "a\xFF\xFF\xFF\xC3\xBC");
}

TEST(Regex, FindsWithinBordersThatAssertionsLookBeyond) {
  const Bytes text = "ab cd";
  Match match;
  EXPECT_TRUE(regex_of("(?:b )?(c)")->find_within(text, 1, 4, &match));
  EXPECT_EQ(match.begin, 3);
  EXPECT_FALSE(regex_of("^(c)")->find_within(text, 3, 4, &match));
  EXPECT_FALSE(regex_of("(c)$")->find_within(text, 3, 4, &match));
  EXPECT_FALSE(regex_of("(c)")->find_within(text, 3, 5, &match));
}

TEST(Regex, MatchesAtAPlaceWithWhatIsBeforeIt) {
  const Bytes text = "ab ab\xFF";
  EXPECT_TRUE(regex_of("ab")->matches_at(text, 0));
  EXPECT_TRUE(regex_of("ab")->matches_at(text, 3));
  EXPECT_FALSE(regex_of("ab")->matches_at(text, 1));
  EXPECT_FALSE(regex_of("^ab")->matches_at(text, 3));
  EXPECT_FALSE(regex_of("\\bb")->matches_at(text, 1));
  EXPECT_TRUE(regex_of("ab.")->matches_at(text, 0));
  EXPECT_FALSE(regex_of("ab.")->matches_at(text, 3));
  EXPECT_TRUE(regex_of("$")->matches_at("ab", 2));
}

TEST(Regex, SaysWhatIsWrongWithAPattern) {
  const auto regex = Regex::compile("a(", {});
  ASSERT_FALSE(regex.is_ok());
  EXPECT_EQ(regex.status().message(), "missing ): a(");
}

}  // namespace
}  // namespace mrc
