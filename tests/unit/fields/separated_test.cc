#include "fields/fields.h"
#include "unit/fields/read_records.h"

namespace mrc {
namespace {

using SeparatedRows = std::vector<std::vector<std::string>>;

FormatSpec separated(std::optional<char> delimiter = std::nullopt) {
  return {.format = &LineFormat::fields, .delimiter = delimiter};
}

TEST(Lines, AreTheirOnlyField) {
  const FormatSpec lines{.format = &LineFormat::lines};
  EXPECT_EQ(read_records(lines, {"1", "0"}, "a b\n\n\tc\r\nd").rows,
            (SeparatedRows{{"a b", "a b"}, {"", ""}, {"\tc", "\tc"}, {"d", "d"}}));
  EXPECT_EQ(why_not(lines, {"2"}), "no field 2 in lines; the last field is 1");
}

TEST(Lines, MayHaveANameFromTheUserOrTheHeader) {
  const FormatSpec named{.format = &LineFormat::lines, .columns = {"word"}};
  EXPECT_EQ(read_records(named, {"word"}, "a\nb\n").rows, (SeparatedRows{{"a"}, {"b"}}));
  const FormatSpec header{.format = &LineFormat::lines, .header = true};
  EXPECT_EQ(read_records(header, {"a"},
                         "\xEF\xBB\xBF"
                         "a\r\nb\n")
                .rows,
            (SeparatedRows{{"b"}}));
}

TEST(Lines, EndInNulIfAsked) {
  const FormatSpec lines{.format = &LineFormat::lines, .terminator = '\0'};
  EXPECT_EQ(read_records(lines, {"1"}, Bytes("a\r\0b\nc\0d", 8)).rows,
            (SeparatedRows{{"a\r"}, {"b\nc"}, {"d"}}));
}

TEST(Fields, AreSeparatedByEveryDelimiter) {
  EXPECT_EQ(read_records(separated(';'), {"1", "2", "3"}, ";a;\n\nb;c;d;e\r\n x ;y").rows,
            (SeparatedRows{
                {"", "a", ""}, {"", kMissing, kMissing}, {"b", "c", "d"}, {" x ", "y", kMissing}}));
}

TEST(Fields, AreSeparatedByRunsOfBlanksAsInAwk) {
  EXPECT_EQ(read_records(separated(), {"1", "2", "3"}, "  a \t b\tc \r\n\n \t\nd e\n").rows,
            (SeparatedRows{{"a", "b", "c"},
                           {kMissing, kMissing, kMissing},
                           {kMissing, kMissing, kMissing},
                           {"d", "e", kMissing}}));
}

TEST(Fields, AreWantedInAnyOrderAndTwice) {
  EXPECT_EQ(read_records(separated(';'), {"3", "1", "0", "3"}, "a;b;c\n").rows,
            (SeparatedRows{{"c", "a", "a;b;c", "c"}}));
  EXPECT_EQ(read_records(separated(';'), {}, "a;b\nc\n").records,
            (std::vector<std::string>{"a;b", "c"}));
}

TEST(Fields, HaveNamesFromTheHeaderOrTheUser) {
  FormatSpec header = separated();
  header.header = true;
  EXPECT_EQ(read_records(header, {"city", "2"}, "name  city\nann ulm\nbob bonn").rows,
            (SeparatedRows{{"ulm", "ulm"}, {"bonn", "bonn"}}));
  FormatSpec columns = separated(':');
  columns.columns = {"user", "", "uid"};
  EXPECT_EQ(read_records(columns, {"uid", "4"}, "root:x:0:1\n").rows, (SeparatedRows{{"0", "1"}}));
}

TEST(Fields, OfUnknownNamesAreErrorsThatNameTheNearest) {
  FormatSpec spec = separated();
  EXPECT_EQ(why_not(spec, {"city"}),
            "no field \"city\" in fields; fields have numbers, from 1; columns gives them names");
  spec.columns = {"name", "city"};
  EXPECT_EQ(why_not(spec, {"ctiy"}),
            "no field \"ctiy\" in fields (did you mean \"city\"?); the fields are name, city");
}

TEST(Fields, CannotEndAsRecordsDo) {
  EXPECT_EQ(why_not(separated('\n'), {}),
            "delimiter: fields and records cannot end in the same byte");
}

TEST(Fields, OfBytesThatAreNoTextAreFields) {
  EXPECT_EQ(read_records(separated(';'), {"1", "2"}, Bytes("\0\xFF;\x80\n", 5)).rows,
            (SeparatedRows{{std::string("\0\xFF", 2), "\x80"}}));
}

// As cut(1) and awk(1) have it, without their code.
SeparatedRows naive_fields(const std::string &text, std::optional<char> delimiter, size_t most) {
  SeparatedRows rows;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (end < text.size() && !line.empty() && line.back() == '\r') line.pop_back();
    std::vector<std::string> row = {""};
    for (char c : line) {
      const bool separates = delimiter ? c == *delimiter : c == ' ' || c == '\t';
      if (!separates) {
        row.back() += c;
      } else if (delimiter || !row.back().empty()) {
        row.emplace_back();
      }
    }
    if (!delimiter && row.back().empty()) row.pop_back();
    row.resize(most, kMissing);
    rows.push_back(row);
    begin = end + 1;
  }
  return rows;
}

TEST(Fields, AreThoseOfTheNaiveProgramOnRandomText) {
  for (u64 round = 0; round < 300; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::string text =
        random_text(&random, {"a", "bcd", " ", "\t", ";", ";", "\n", "\r\n", "\r", "a long word"},
                    random() % (round % 10 == 0 ? 20000 : 400));
    const std::optional<char> delimiter = round % 2 == 0 ? std::optional<char>(';') : std::nullopt;
    ASSERT_EQ(read_records(separated(delimiter), {"1", "2", "3", "4"}, text).rows,
              naive_fields(text, delimiter, 4));
  }
}

}  // namespace
}  // namespace mrc
