#include "map/inner/mappers.h"
#include "unit/map/collected_keys.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using Keys = std::vector<std::string>;

// Sorted keys, the same from all scanners.
Keys map_lines(Bytes text, char terminator = '\n', bool ignore_case = false, i64 offset = 0,
               char padding = '\n') {
  const PaddedText padded(text, padding);
  Keys keys;
  for (const Scanner *scanner : runnable_scanners()) {
    if (scanner == nullptr) continue;
    CollectedKeys sink;
    Emitter emitter(&sink, sink.seed());
    MapSpec spec{
        .records = MapSpec::Records::lines, .terminator = terminator, .ignore_case = ignore_case};
    i64 count = make_line_mapper(spec, *scanner)->map({padded.text(), 0, offset}, &emitter);
    EXPECT_EQ(count, static_cast<i64>(sink.keys().size()));
    if (scanner != runnable_scanners()[0]) {
      EXPECT_EQ(sink.sorted(), keys) << scanner->name;
    }
    keys = sink.sorted();
  }
  return keys;
}

TEST(LineMapper, EmitsEachLine) {
  EXPECT_EQ(map_lines("b\na b\nb\n"), (Keys{"a b", "b", "b"}));
  EXPECT_EQ(map_lines(""), Keys{});
}

TEST(LineMapper, TakesALastLineWithoutNewline) {
  EXPECT_EQ(map_lines("a\nb"), (Keys{"a", "b"}));
  EXPECT_EQ(map_lines("b"), Keys{"b"});
}

TEST(LineMapper, EmitsEmptyLines) {
  EXPECT_EQ(map_lines("\n"), Keys{""});
  EXPECT_EQ(map_lines("\n\na\n\n"), (Keys{"", "", "", "a"}));
}

TEST(LineMapper, TakesCrLfForTheEndOfALine) {
  EXPECT_EQ(map_lines("a\r\nb\n\r\nc\r\r\nd\re\n"), (Keys{"", "a", "b", "c\r", "d\re"}));
}

TEST(LineMapper, KeepsCarriageReturnsOfNulTerminatedRecords) {
  EXPECT_EQ(map_lines(Bytes("a\r\0b\n\0\0c", 8), '\0'), (Keys{"", "a\r", "b\n", "c"}));
}

TEST(LineMapper, SkipsAByteOrderMarkOnlyInFrontOfTheInput) {
  EXPECT_EQ(map_lines("\xEF\xBB\xBF"
                      "a\n"),
            Keys{"a"});
  EXPECT_EQ(map_lines("\xEF\xBB\xBF\n"), Keys{""});
  EXPECT_EQ(map_lines("\xEF\xBB\xBF"), Keys{});
  EXPECT_EQ(map_lines("\xEF\xBB\n"), Keys{"\xEF\xBB"});
  EXPECT_EQ(map_lines("\xEF\xBB\xBF"
                      "a\n",
                      '\n', false, 5),
            Keys{"\xEF\xBB\xBF"
                 "a"});
  EXPECT_EQ(map_lines("a\n\xEF\xBB\xBF"
                      "a\n"),
            (Keys{"a",
                  "\xEF\xBB\xBF"
                  "a"}));
}

TEST(LineMapper, FoldsLettersOfAllScripts) {
  const std::string lower = "a-long-line-of-more-than-31-letters[@]";
  EXPECT_EQ(map_lines("AbC\nabc\n\u00c9\nA-LONG-line-of-more-than-31-LETTERS[@]\n", '\n', true),
            (Keys{lower, "abc", "abc", "\u00e9"}));
}

TEST(LineMapper, EmitsLinesOfAllLengthsWhateverFollows) {
  for (char padding : {'\0', '\n', 'a', '\xFF'}) {
    for (size_t size : {0, 1, 7, 8, 14, 15, 16, 17, 23, 24, 25, 30, 31, 32, 33, 1000}) {
      std::string line;
      for (size_t i = 0; i < size; ++i) line.push_back(static_cast<char>(i * 11 % 245 + 11));
      for (Bytes next : {"", "\n", "x", "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\n"}) {
        Keys expected = {line};
        if (!next.empty()) expected.push_back(std::string(next.substr(0, next.find('\n'))));
        std::sort(expected.begin(), expected.end());
        ASSERT_EQ(map_lines(line + "\n" + std::string(next), '\n', false, 0, padding), expected);
      }
    }
  }
}

TEST(LineMapper, TellsLinesApartThatDifferInTrailingNuls) {
  std::string text;
  Keys expected;
  for (size_t nuls = 0; nuls < 40; ++nuls) {
    expected.push_back("a" + std::string(nuls, '\0'));
    text += expected.back() + "\n";
  }
  EXPECT_EQ(map_lines(text), expected);
}

TEST(LineMapper, EmitsEveryLineOfLongTexts) {
  for (size_t lines : {958, 959, 960, 1023, 1024, 1025, 4000}) {
    EXPECT_EQ(map_lines(std::string(lines, '\n')), Keys(lines, ""));
    std::string text;
    for (size_t i = 0; i < lines; ++i) text += "x\r\n";
    EXPECT_EQ(map_lines(text), Keys(lines, "x"));
    EXPECT_EQ(map_lines(text + "x"), Keys(lines + 1, "x"));
  }
}

TEST(LineMapper, EmitsALineLongerThanManyScans) {
  const std::string line(300000, 'l');
  EXPECT_EQ(map_lines("a\n" + line + "\nb"), (Keys{"a", "b", line}));
  EXPECT_EQ(map_lines(line), Keys{line});
}

}  // namespace
}  // namespace mrc
