#include "map/inner/mappers.h"
#include "unit/map/collected_keys.h"
#include "unit/map/padded_text.h"
#include "unit/scan/naive_edges.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using Keys = std::vector<std::string>;

// Sorted keys, the same from all scanners.
Keys map_words(Bytes text, Words words, bool ignore_case = false, i64 offset = 0,
               char padding = 'a') {
  const PaddedText padded(text, padding);
  Keys keys;
  for (const Scanner *scanner : runnable_scanners()) {
    if (scanner == nullptr) continue;
    CollectedKeys sink;
    Emitter emitter(&sink, sink.seed());
    MapSpec spec{.words = words, .ignore_case = ignore_case};
    i64 count = make_word_mapper(spec, *scanner)->map({padded.text(), 0, offset}, &emitter);
    EXPECT_EQ(count, static_cast<i64>(sink.keys().size()));
    if (scanner != runnable_scanners()[0]) {
      EXPECT_EQ(sink.sorted(), keys) << scanner->name;
    }
    keys = sink.sorted();
  }
  return keys;
}

Keys naive_words(Bytes text, Words words) {
  Keys keys;
  const std::vector<i64> edges = naive_edges(text, words);
  for (size_t i = 0; i < edges.size(); i += 2) {
    const size_t at = static_cast<size_t>(edges[i]);
    keys.push_back(std::string(text.substr(at, static_cast<size_t>(edges[i + 1]) - at)));
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

TEST(WordMapper, EmitsTheWordsOfEachKind) {
  const Bytes text = "It's 9 o\u2019clock, don't_x \u00fcber-1 'q' \u00d7";
  EXPECT_EQ(map_words(text, Words::alpha),
            (Keys{"It", "ber", "clock", "don", "o", "q", "s", "t", "x"}));
  EXPECT_EQ(map_words(text, Words::word),
            (Keys{"1", "9", "It's", "don't_x", "o\u2019clock", "q", "\u00fcber"}));
  EXPECT_EQ(map_words(text, Words::blank),
            (Keys{"'q'", "9", "It's", "don't_x", "o\u2019clock,", "\u00d7", "\u00fcber-1"}));
}

TEST(WordMapper, EmitsNothingForNoWords) {
  for (Words words : {Words::alpha, Words::word, Words::blank}) {
    EXPECT_EQ(map_words("", words), Keys{});
    EXPECT_EQ(map_words(" \t\r\n\v\f ", words), Keys{});
  }
}

TEST(WordMapper, FoldsLettersOfAllScripts) {
  EXPECT_EQ(map_words("Abc ABC \u00c9TE x@Z[", Words::word, true),
            (Keys{"abc", "abc", "x", "z", "\u00e9te"}));
  EXPECT_EQ(map_words("@A[ `a{ \xC1", Words::blank, true), (Keys{"@a[", "`a{", "\xC1"}));
  EXPECT_EQ(map_words("ABCdefGHIjklMNOpqrSTUvwxYZabcdEFGHIJKLMNOP", Words::alpha, true),
            (Keys{"abcdefghijklmnopqrstuvwxyzabcdefghijklmnop"}));
}

TEST(WordMapper, EmitsWordsOfAllLengthsWhateverFollows) {
  for (char padding : {'\0', ' ', 'a', 'Z', '\xFF'}) {
    for (size_t size : {1, 7, 8, 14, 15, 16, 17, 23, 24, 25, 30, 31, 32, 33, 63, 64, 65, 1000}) {
      for (bool fold : {false, true}) {
        const std::string word(size, 'w');
        ASSERT_EQ(map_words(word, Words::word, fold, 0, padding), Keys{word});
        ASSERT_EQ(map_words(word + " " + word + "\n", Words::alpha, fold, 0, padding),
                  (Keys{word, word}));
      }
    }
  }
}

TEST(WordMapper, SkipsAByteOrderMarkOnlyInFrontOfTheInput) {
  const Bytes text = "\xEF\xBB\xBFone two";
  for (Words words : {Words::alpha, Words::word, Words::blank}) {
    EXPECT_EQ(map_words(text, words), (Keys{"one", "two"}));
    EXPECT_EQ(map_words("\xEF\xBB\xBF", words), Keys{});
  }
  EXPECT_EQ(map_words(text, Words::blank, false, 7), (Keys{"two", "\xEF\xBB\xBFone"}));
  EXPECT_EQ(map_words("\xEF\xBB", Words::blank), Keys{"\xEF\xBB"});
}

TEST(WordMapper, KeepsNulsInBlankSeparatedKeys) {
  EXPECT_EQ(map_words(Bytes("a\0 a a\0\0", 8), Words::blank),
            (Keys{"a", std::string("a\0", 2), std::string("a\0\0", 3)}));
}

// Words stay open across the scans that one chunk takes.
TEST(WordMapper, EmitsEveryWordOfLongTexts) {
  for (u64 round = 0; round < 20; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::string text = random_text(
        &random, {"a", "b ", "c\n", "it's", "\u00e9", "\u2019", " ", "1", std::string(70, 'w')},
        12000);
    for (Words words : {Words::alpha, Words::word, Words::blank}) {
      ASSERT_EQ(map_words(text, words), naive_words(text, words));
    }
  }
}

TEST(WordMapper, EmitsThousandsOfTheShortestWords) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "x ";
  EXPECT_EQ(map_words(text, Words::word), Keys(3000, "x"));
  EXPECT_EQ(map_words(text.substr(1), Words::word), Keys(2999, "x"));
}

}  // namespace
}  // namespace mrc
