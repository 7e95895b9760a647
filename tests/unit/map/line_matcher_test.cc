#include "map/line_matcher.h"

#include "support/random.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using Way = LineMatcher::Way;

std::unique_ptr<LineMatcher> matcher_of(PatternSpec spec) {
  Result<std::unique_ptr<LineMatcher>> made = LineMatcher::make(spec, best_scanner());
  EXPECT_TRUE(made.is_ok());
  return std::move(*made);
}

Way way_of(const std::string &pattern, bool fixed = false) {
  return matcher_of({.patterns = {pattern}, .fixed = fixed})->way();
}

// The matching lines, joined by commas.
std::string lines_of(PatternSpec spec, const std::string &text) {
  const std::unique_ptr<LineMatcher> matcher = matcher_of(std::move(spec));
  const PaddedText padded(text);
  LineSearch search(*matcher, padded.text());
  std::string found;
  for (LineSearch::Line line; search.next(&line);) {
    found += std::string(line.begin, line.end) + ",";
  }
  return found;
}

std::string lines(const std::string &pattern, const std::string &text) {
  return lines_of({.patterns = {pattern}}, text);
}

TEST(LineMatcher, GoesTheFastestWay) {
  EXPECT_EQ(way_of("error"), Way::literals);
  EXPECT_EQ(way_of("a|b"), Way::literals);
  EXPECT_EQ(way_of("a.*b", true), Way::literals);
  EXPECT_EQ(way_of("[0-9]+ ms"), Way::candidates);
  EXPECT_EQ(way_of("[0-9]+"), Way::text);
  EXPECT_EQ(way_of(R"(\A[0-9]+)"), Way::lines);
  EXPECT_EQ(way_of("(?s)[0-9]."), Way::lines);
}

// A search for the places where a match may begin gives up on lines with many of them.
TEST(LineMatcher, FindsMatchesThatBeginWithOneOfSeveralLiterals) {
  EXPECT_EQ(lines("(?:ab|cd).*x", "ab x\nabab\nx cd\nycd-x\n"), "ab x,ycd-x,");
  EXPECT_EQ(lines("^(?:ab|cd)[0-9]", "ab1\nxab1\nab cd1\n"), "ab1,");
  EXPECT_EQ(lines("\\b(?:ab|cd)[0-9]", "xab1\n cd1\nab-ab2\n"), " cd1,ab-ab2,");
  EXPECT_EQ(lines("(?:ab|cd)[^c]$", "ab\xFF\nab\u00fc\nabc abd\n"), "ab\u00fc,abc abd,");
  std::string many;
  for (int i = 0; i < 100; ++i) many += "ab";
  EXPECT_EQ(lines("(?:ab|cd)[0-9]", many + "\n" + many + "7\n"), many + "7,");
}

// A byte that is no character makes no other line slow.
TEST(LineMatcher, GoesTheFastestWayThroughTextThatIsNotUtf8) {
  const PaddedText text(
      "cat\xFF\ncats\n\xFF"
      "a cat\n");
  const auto way = [&](const std::string &pattern, bool word) {
    const std::unique_ptr<LineMatcher> matcher = matcher_of({.patterns = {pattern}, .word = word});
    return LineSearch(*matcher, text.text()).way();
  };
  for (const char *pattern : {"[a-z]+", "[^x][a-z]", "[0-9]|[a-z]"}) {
    EXPECT_EQ(way(pattern, true), Way::text) << pattern;
    EXPECT_EQ(way(pattern, false), Way::text) << pattern;
  }
  for (const char *pattern : {"^[a-z]+", "[a-z]+$", "[a-z]\\b", R"(\[^[a-z])"}) {
    EXPECT_EQ(way(pattern, true), Way::lines) << pattern;
    EXPECT_EQ(way(pattern, false), Way::text) << pattern;
  }
}

TEST(LineMatcher, FindsWordsInTextThatIsNotUtf8AsInEachLine) {
  const std::vector<std::string> pieces = {"cat", "s",  " ",  "\xFF", "\xC3", "\u00e9",
                                           "_",   "\n", "\n", "dog",  ".",    "\xE2\x82"};
  std::mt19937_64 random(first_seed());
  for (const char *pattern : {"[a-z]+", "c.t", "[^x]", "x*", "cat|dog", "[cd].*", "\\w", ".s"}) {
    std::string text;
    for (int i = 0; i < 500; ++i) text += pieces[random() % pieces.size()];
    std::string expected;
    for (size_t at = 0; at < text.size();) {
      const std::string line = text.substr(at, text.find('\n', at) - at);
      // An anchor that always holds leaves no way but that by lines.
      expected += lines_of({.patterns = {"(?:^|)(?:" + std::string(pattern) + ")"}, .word = true},
                           line + "\n");
      at += line.size() + 1;
    }
    EXPECT_EQ(lines_of({.patterns = {pattern}, .word = true}, text), expected) << pattern;
  }
}

TEST(LineMatcher, FindsEachLineOnce) {
  for (const std::string pattern : {"a", "a[b]?", "[a]"}) {
    EXPECT_EQ(lines(pattern, "aa a\nb\nxa\n\na"), "aa a,xa,a,") << pattern;
    EXPECT_EQ(lines(pattern, ""), "");
    EXPECT_EQ(lines(pattern, "\n\n"), "");
  }
}

TEST(LineMatcher, FindsEmptyLines) {
  for (const std::string pattern : {"^$", "", "x*", R"(\A\z)"}) {
    EXPECT_EQ(lines(pattern, "\n"), ",") << pattern;
    EXPECT_EQ(lines(pattern, "\n\n"), ",,") << pattern;
    EXPECT_EQ(lines(pattern, ""), "") << pattern;
  }
  EXPECT_EQ(lines("^$", "a\n\nb\n"), ",");
}

TEST(LineMatcher, NeverMatchesALineEnd) {
  const std::string text = "ab\ncd\r\n";
  for (const std::string pattern :
       {"b[^x]c", R"(b\sc)", R"(b\Wc)", "b\\nc", R"(b\x0ac)", "b(?s:.)c", R"(b\Cc)",
        "b[[:space:]]c", R"(b$\sc)", R"(b\n)", "b[\\n]"}) {
    EXPECT_EQ(lines(pattern, text), "") << pattern;
  }
  EXPECT_EQ(lines(R"(d\s$)", text), "cd\r,");
}

TEST(LineMatcher, AnchorsAtLines) {
  const std::string text = "ab\nba\n";
  EXPECT_EQ(lines("^a", text), "ab,");
  EXPECT_EQ(lines("a$", text), "ba,");
  EXPECT_EQ(lines(R"(\Aa)", text), "ab,");
  EXPECT_EQ(lines(R"(a\z)", text), "ba,");
  EXPECT_EQ(lines("(?-m)^b", text), "ba,");
}

TEST(LineMatcher, TakesCharactersAndPassesOverOtherBytes) {
  const std::string valid = "x\u00fcy\n", invalid = "x\xFFy\n", mixed = valid + invalid;
  EXPECT_EQ(lines("x.y", mixed), "x\u00fcy,");
  EXPECT_EQ(lines("x..y", mixed), "");
  EXPECT_EQ(lines("x\\Cy", mixed), "x\xFFy,");
  EXPECT_EQ(lines("[\u00e9]", "sch\u00f6n\xFF\n"), "");
  EXPECT_EQ(lines("[\u00f6]", "sch\u00f6n\xFF\n"), "sch\u00f6n\xFF,");
  EXPECT_EQ(lines("^[^ab]{3}$", mixed), "x\u00fcy,");
  EXPECT_EQ(lines("^x|y$", invalid), "x\xFFy,");
  EXPECT_EQ(lines_of({.patterns = {"\u00dc"}, .ignore_case = true}, valid), "x\u00fcy,");
  EXPECT_EQ(lines(R"(\x{fc})", mixed), "x\u00fcy,");
  EXPECT_EQ(lines(R"(\pL.\pL)", mixed), "x\u00fcy,");
  EXPECT_EQ(lines(R"(x\x{2019}?.y)", mixed), "x\u00fcy,");
}

// Also where it is a form that RE2 takes for a character.
TEST(LineMatcher, KnowsWhatIsNoCharacter) {
  for (const std::string bytes : {"\xED\xA0\x80", "\xE0\x80\xAF", "\xF0\x80\x80\xAF",
                                  "\xF4\x90\x80\x80", "\xC0\xAF", "\xC3"}) {
    const std::string text = "x" + bytes + "y\nxzy\nx" + bytes + "z y\n";
    for (const std::string pattern : {"x.y", "x[^a]y", "x(?s:.)y", "x\\Dy", R"(\Ax.y)"}) {
      EXPECT_EQ(lines(pattern, text), "xzy,") << pattern << testing::PrintToString(bytes);
    }
    EXPECT_EQ(lines("z.y", text), "x" + bytes + "z y,");
  }
}

TEST(LineMatcher, TakesBytesOfAPatternThatIsNoTextForCharacters) {
  EXPECT_EQ(lines("\u00fc.*\xFF", "a\u00fcb\xFF\n"), "a\u00fcb\xFF,");
  EXPECT_EQ(lines("x.\xFF", "x\xFE\xFF\nx\xFF\n"), "x\xFE\xFF,");
  EXPECT_EQ(lines_of({.patterns = {"\xFF"}, .fixed = true}, "a\xFFz\nb\n"), "a\xFFz,");
  // Each pattern on its own terms.
  EXPECT_EQ(lines_of({.patterns = {"[\u00e9]", "\xFE"}}, "\u00f6\n\u00e9\n\xFE\n"), "\u00e9,\xFE,");
  const auto matcher = matcher_of({.patterns = {"[\u00e9]+", "\xFE."}});
  const PaddedText padded("\u00e9\xFE\u00e9");
  const SearchedLine line(*matcher, padded.text());
  Match match;
  EXPECT_TRUE(line.find(0, &match));
  EXPECT_EQ(match.end, 2);
  EXPECT_TRUE(line.find(2, &match));
  EXPECT_EQ(match.end, 4);
}

TEST(LineMatcher, FoldsByUnicode) {
  EXPECT_EQ(lines_of({.patterns = {"k"}, .ignore_case = true}, "\u212a\nk\nK\nx\n"), "\u212a,k,K,");
  EXPECT_EQ(lines_of({.patterns = {"ask"}, .fixed = true, .ignore_case = true}, "A\u017fK\n"),
            "A\u017fK,");
}

TEST(LineMatcher, KnowsWords) {
  const std::string text = "cat\nscat\ncats cat\n\u00fccat\n_cat\n\u2019cat\u2019\ncat9 -cat-\n";
  const std::string expected = "cat,cats cat,\u2019cat\u2019,cat9 -cat-,";
  EXPECT_EQ(lines_of({.patterns = {"cat"}, .word = true}, text), expected);
  EXPECT_EQ(lines_of({.patterns = {"c[a]t"}, .word = true}, text), expected);
  EXPECT_EQ(lines_of({.patterns = {"[c]at|dog"}, .word = true}, text), expected);
  EXPECT_EQ(lines_of({.patterns = {"-cat"}, .word = true}, text), "cat9 -cat-,");
}

TEST(LineMatcher, EndsWordsWhereABytesIsNoCharacter) {
  const std::string text =
      "cat\xFF\n\xFF\u00fccat\nx\xC3"
      "cat\xFFs\nscat\xFF\n\xFF\n";
  const std::string expected =
      "cat\xFF,x\xC3"
      "cat\xFFs,";
  EXPECT_EQ(lines_of({.patterns = {"cat"}, .word = true}, text), expected);
  EXPECT_EQ(lines_of({.patterns = {"c[a]t"}, .word = true}, text), expected);
  EXPECT_EQ(lines_of({.patterns = {"c[a]t", "c"}, .word = true}, text), expected);
  EXPECT_EQ(lines_of({.patterns = {"^c[a]t|t$"}, .word = true}, text), "cat\xFF,");
  EXPECT_EQ(lines_of({.patterns = {"x?"}, .word = true}, "ab\n\xFF\n"), "\xFF,");
}

TEST(LineMatcher, FindsWordsOneAfterAnotherAmongOtherBytes) {
  const auto matcher = matcher_of({.patterns = {"[a-z]*"}, .word = true});
  const PaddedText padded(
      "ab\xFF"
      "cd ef\xFF\xFFg1h");
  const SearchedLine line(*matcher, padded.text());
  std::string found;
  Match match;
  for (i64 from = 0; line.find(from, &match); from = match.end + (match.begin == match.end)) {
    found += std::to_string(match.begin) + "-" + std::to_string(match.end) + " ";
  }
  EXPECT_EQ(found, "0-2 3-5 6-8 9-9 ");
}

TEST(LineMatcher, TriesAllLiteralsOfAPlaceForWords) {
  EXPECT_EQ(lines_of({.patterns = {"b ", "b"}, .word = true}, "b a\n"), "b a,");
}

TEST(LineMatcher, TakesNulForTheEndOfARecord) {
  const std::string text("a\nb\0c\nd\0", 8);
  EXPECT_EQ(lines_of({.patterns = {"^a.b$"}, .terminator = '\0'}, text), "a\nb,");
  EXPECT_EQ(lines_of({.patterns = {"c"}, .terminator = '\0'}, text), "c\nd,");
}

TEST(LineMatcher, FindsMatchesInALine) {
  Match match;
  const PaddedText line("foo bar");
  auto find = [&](PatternSpec spec, i64 from) {
    return SearchedLine(*matcher_of(std::move(spec)), line.text()).find(from, &match);
  };
  EXPECT_TRUE(find({.patterns = {"o"}}, 2));
  EXPECT_EQ(match.begin, 2);
  EXPECT_EQ(match.end, 3);
  EXPECT_TRUE(find({.patterns = {"[a-z]+"}, .word = true}, 3));
  EXPECT_EQ(match.begin, 4);
  EXPECT_EQ(match.end, 7);
  EXPECT_FALSE(find({.patterns = {"^b"}}, 4));
}

TEST(LineMatcher, NamesABadPattern) {
  for (const std::string pattern : {"(", ")", "a)(b", "[a", "a**", "\\", R"(\1)"}) {
    const auto made = LineMatcher::make({.patterns = {"ok", pattern}}, best_scanner());
    ASSERT_FALSE(made.is_ok()) << pattern;
    EXPECT_TRUE(made.status().message().starts_with("\"" + pattern + "\": "))
        << made.status().message();
  }
}

TEST(LineMatcher, KeepsPatternsApart) {
  EXPECT_EQ(lines_of({.patterns = {R"(\Qa|b)", "(?i)c", "d"}}, "a|b\na\nC\nD\n"), "a|b,C,");
}

}  // namespace
}  // namespace mrc
