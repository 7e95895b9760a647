#include "map/line_matcher.h"
#include "regex/regex.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

// "exact: a|b", "a|b", "a & b", or "": nothing.
std::string required(Bytes pattern, bool ignore_case = false) {
  const RequiredLiterals found = required_literals(pattern, ignore_case);
  std::string text = found.exact ? "exact: " : "";
  for (size_t set = 0; set < found.sets.size(); ++set) {
    if (set > 0) text += " & ";
    for (size_t i = 0; i < found.sets[set].size(); ++i) {
      text += (i > 0 ? "|" : "") + found.sets[set][i];
    }
  }
  return text;
}

// What a match begins with: "a|b", or "": unknown.
std::string first(Bytes pattern, bool ignore_case = false) {
  std::string text;
  for (const std::string &one : required_literals(pattern, ignore_case).first) {
    text += (text.empty() ? "" : "|") + one;
  }
  return text;
}

TEST(RequiredLiterals, TellWhatAMatchBeginsWith) {
  EXPECT_EQ(first("GET /[a-z]+/[0-9]+/show"), "GET /");
  EXPECT_EQ(first("(GET|POST) /[a-z]+"), "GET|POST");
  EXPECT_EQ(first("GET .|POST ."), "GET |POST ");
  EXPECT_EQ(first(R"(^\bfoo[0-9])"), "foo");
  EXPECT_EQ(first("(?:ab|cd)+x."), "ab|cd");
  EXPECT_EQ(first("abc+d"), "ab");
  EXPECT_EQ(first("Errors .", true), "error");
  EXPECT_EQ(first("(ab)?cd."), "");
  EXPECT_EQ(first("[a]bcd"), "");
  EXPECT_EQ(first("(a|bc)d."), "");
  EXPECT_EQ(first("a?bcd"), "");
  EXPECT_EQ(first("ab?cde"), "");
  EXPECT_EQ(first("ab.|cd|[0-9]xyz"), "");
}

TEST(RequiredLiterals, AreThePatternItself) {
  EXPECT_EQ(required("error"), "exact: error");
  EXPECT_EQ(required("e"), "exact: e");
  EXPECT_EQ(required("a|bc|d"), "exact: a|bc|d");
  EXPECT_EQ(required("(?:foo|bar)"), "exact: foo|bar");
  EXPECT_EQ(required("(?P<name>foo)"), "exact: foo");
  EXPECT_EQ(required(R"(a\.b\\\[)"), R"(exact: a.b\[)");
  EXPECT_EQ(required("\u00fcber"), "exact: \u00fcber");
}

TEST(RequiredLiterals, AreTheBestOfASequence) {
  EXPECT_EQ(required("GET .* HTTP/2"), " HTTP/2 & GET ");
  EXPECT_EQ(required("^foo[0-9]+quux$"), "quux & foo");
  EXPECT_EQ(required("x(foo|bar)+y"), "foo|bar");
  EXPECT_EQ(required("(foo|bar)baz"), "baz & foo|bar");
  EXPECT_EQ(required(R"(\bword\b)"), "word");
  EXPECT_EQ(required("abc+de"), "abc & de");
  EXPECT_EQ(required("qzab{2,3}ce"), "qzab & ce");
}

TEST(RequiredLiterals, LeaveOutWhatMayBeMissing) {
  EXPECT_EQ(required("abcd?"), "abc");
  EXPECT_EQ(required("abcd*?"), "abc");
  EXPECT_EQ(required("abcd{0,3}"), "abc");
  EXPECT_EQ(required("ab\u00fc?"), "ab");
  EXPECT_EQ(required("(abc)?de"), "de");
  EXPECT_EQ(required("(abc)*"), "");
  EXPECT_EQ(required("abc|"), "");
  EXPECT_EQ(required("abc|[xyz]"), "");
  EXPECT_EQ(required("[abc]def"), "def");
  EXPECT_EQ(required("[]abc]def"), "def");
  EXPECT_EQ(required("[^]abc]def"), "def");
  EXPECT_EQ(required(R"([[:alpha:]\]x]def)"), "def");
}

TEST(RequiredLiterals, AreUnknownWhereTheParserIsNotSure) {
  for (Bytes pattern : {"", ".", ".*", "[a-z]+", "(?i)abc", "a(?i:bc)d", R"(\x41bc)", R"(\Qa.b\E)",
                        R"(\pLabc)", "abc{", "abc{x}", "(", "abc)", "[a", "a\\", R"(\141bc)"}) {
    EXPECT_EQ(required(pattern), "") << pattern;
  }
}

TEST(RequiredLiterals, FoldOnlyWhatUnicodeFoldsToOneLetter) {
  EXPECT_EQ(required("Error", true), "exact: error");
  EXPECT_EQ(required("Sherlock", true), "herloc");
  EXPECT_EQ(required("ss", true), "");
  EXPECT_EQ(required("\u00fcber", true), "ber");
}

TEST(RequiredLiterals, OfMoreThanTheSearchTakesAreUnknown) {
  std::string all = "a0";
  for (i64 i = 1; i < LiteralSet::kMost; ++i) all += "|a" + std::to_string(i);
  EXPECT_EQ(required(all), "exact: " + all);
  EXPECT_EQ(required(all + "|bb"), "");
}

// Whatever a pattern matches has one of its literals; what is exact matches wherever they
// are.
TEST(RequiredLiterals, AreInEveryMatchOfRandomPatterns) {
  std::mt19937_64 random(first_seed());
  const std::vector<std::string> pieces = {
      "a",   "b",   "c",    "ab",   "bc",  "a|", "(a", "(?:b", "(",      ")",    ")*",    ")?",
      "+",   "?",   "*",    "{2}",  "{0}", "|",  "^",  "$",    ".",      "[ab]", "[^a]",  "\\b",
      "\\.", "\\w", "{1,}", "[]a]", "{",   "}",  "k",  "S",    "\u00fc", "(?i)", "\\Qab", "\\x61"};
  i64 known = 0;
  for (int round = 0; round < 20000; ++round) {
    SCOPED_TRACE(testing::Message() << "MRC_SEED=" << first_seed() << " round " << round);
    const std::string pattern = random_text(&random, pieces, 1 + random() % 12);
    const bool fold = random() % 4 == 0;
    Result<std::unique_ptr<Regex>> regex =
        Regex::compile(pattern, {.ignore_case = fold, .lines = true});
    if (!regex.is_ok()) continue;
    const RequiredLiterals found = required_literals(pattern, fold);
    if (found.sets.empty()) continue;
    ++known;
    for (int i = 0; i < 5; ++i) {
      std::string text =
          random_text(&random, {"a", "b", "c", ".", "A", "K", "s", "\u212a", "\u017f", "\u00fc"},
                      random() % 12);
      const bool matches = (*regex)->matches(text);
      if (fold) {
        for (char &c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
      }
      const bool has = std::all_of(found.sets.begin(), found.sets.end(), [&](const AnyOf &set) {
        return std::any_of(set.begin(), set.end(), [&](const std::string &one) {
          return text.find(one) != std::string::npos;
        });
      });
      EXPECT_TRUE(found.exact ? has == matches : has || !matches) << pattern << " in " << text;
      for (size_t at = 0; !found.first.empty() && at <= text.size(); ++at) {
        const auto stands = [&](const std::string &one) {
          return Bytes(text).substr(at).starts_with(one);
        };
        EXPECT_TRUE(std::ranges::any_of(found.first, stands) ||
                    !(*regex)->matches_at(text, static_cast<i64>(at)))
            << pattern << " at " << at << " of " << text;
      }
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(known, 1000);
}

}  // namespace
}  // namespace mrc
