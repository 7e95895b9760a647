#include "fields/binary.h"

#include "unit/fields/read_records.h"

namespace mrc {
namespace {

using namespace std::string_literals;
using BinaryRows = std::vector<std::vector<std::string>>;

std::string error_of(const std::string &layout) {
  const Result<BinaryLayout> parsed = BinaryLayout::parse(layout);
  return parsed.is_ok() ? "" : parsed.status().message();
}

Dialect dialect_of(const std::string &layout) {
  const Result<Dialect> dialect = sniff({.binary = layout}, "x", false);
  return dialect.is_ok() ? *dialect : Dialect();
}

BinaryRows read_binary(const std::string &layout, const std::vector<std::string> &names,
                       const std::string &bytes) {
  return read_records(dialect_of(layout), names, bytes).rows;
}

TEST(BinaryLayout, PlacesFieldsOneAfterAnother) {
  const Result<BinaryLayout> layout = BinaryLayout::parse("u32be id, x2,f64 \"a, b\",s3");
  ASSERT_TRUE(layout.is_ok());
  EXPECT_EQ(layout->record_bytes, 17);
  ASSERT_EQ(layout->fields.size(), 3U);
  EXPECT_TRUE(layout->fields[0].is_big_endian);
  EXPECT_EQ(layout->fields[1].name, "a, b");
  EXPECT_EQ(layout->fields[1].place.begin, 6);
  EXPECT_EQ(layout->fields[2].place.begin, 14);
  EXPECT_EQ(layout->fields[2].name, "");
}

TEST(BinaryLayout, RefusesWhatIsNone) {
  EXPECT_NE(error_of("u24 id").find("\"u24\" is no type"), std::string::npos);
  EXPECT_NE(error_of("s id").find("\"s\" is no type"), std::string::npos);
  EXPECT_NE(error_of("s0 id").find("1 to"), std::string::npos);
  EXPECT_NE(error_of("s99999999999999999999").find("1 to"), std::string::npos);
  EXPECT_NE(error_of("s9000000, s9000000").find("1 to"), std::string::npos);
  EXPECT_NE(error_of("x2 pad").find("have no name"), std::string::npos);
  EXPECT_NE(error_of("u8 a, u8 b, u8 a").find("two fields are called a"), std::string::npos);
  EXPECT_NE(error_of("u32 0:4").find("would be bytes of a record, too"), std::string::npos);
  EXPECT_NE(error_of(""), "");
  EXPECT_NE(error_of("u8 a,"), "");
}

TEST(BinaryReader, ReadsNumbersOfAllSizes) {
  EXPECT_EQ(
      read_binary("i8 a, u8 b, i16 c, u16be d", {"a", "b", "c", "d"}, "\xff\xff\xfe\xff\x01\x02"s),
      (BinaryRows{{"-1", "255", "-2", "258"}}));
  EXPECT_EQ(read_binary("i64 a, u64 b", {"b", "a"},
                        "\0\0\0\0\0\0\0\x80\xff\xff\xff\xff\xff\xff\xff\xff"s),
            (BinaryRows{{"18446744073709551615", "-9223372036854775808"}}));
  EXPECT_EQ(read_binary("f32 a, f64be b", {"a", "b"},
                        "\xcd\xcc\xcc\x3d\x3f\xb9\x99\x99\x99\x99\x99\x9a"s),
            (BinaryRows{{"0.1", "0.1"}}));
}

TEST(BinaryReader, LeavesOutWhatFillsText) {
  EXPECT_EQ(read_binary("s4 a, s2 b", {"a", "b"}, "ab \0  c\0d\0\r\n"s),
            (BinaryRows{{"ab", ""}, {"c\0d"s, "\r\n"}}));
}

TEST(BinaryReader, HasRangesOfBytes) {
  EXPECT_EQ(read_binary("x4", {"0:2", "1:4"}, "ab \0"s), (BinaryRows{{"ab", "b \0"s}}));
  EXPECT_EQ(read_binary("u8 n, s3", {"n", "2:4"}, "\7ab "s), (BinaryRows{{"7", "b "}}));
}

TEST(BinaryReader, FindsAnIncompleteRecord) {
  const ReadRecords got = read_records(dialect_of("u8 n, s2 t"), {"n"}, "\1ab\2cd\3"s);
  EXPECT_EQ(got.rows, (BinaryRows{{"1"}, {"2"}}));
  ASSERT_EQ(got.bad.size(), 1U);
  EXPECT_EQ(got.bad[0], "the last record is incomplete: \3");
}

TEST(BinaryReader, KnowsItsFields) {
  const auto error = [](const std::string &layout, const FieldName &name) {
    return make_reader(dialect_of(layout), {&name, 1}).status().message();
  };
  EXPECT_NE(error("u8 n, s2 t", {"m", -1}).find("no field \"m\" in binary"), std::string::npos);
  EXPECT_NE(error("u8 n, s2 t", {"3", 3}).find("the last field is 2"), std::string::npos);
  EXPECT_NE(error("x4", {"1", 1}).find("such as 0:10"), std::string::npos);
  EXPECT_NE(error("x4", {"2:5", -1}).find("extends past the 4 bytes"), std::string::npos);
}

TEST(BinaryLayout, TellsTheKindsOfNumbers) {
  EXPECT_EQ(kind_in_layout("u32 n, u32 time, s2 t", {"n", -1}).kind, ValueKind::number);
  EXPECT_EQ(kind_in_layout("u32 n, u32 time, s2 t", {"2", 2}).kind, ValueKind::unknown);
  EXPECT_EQ(kind_in_layout("u32 n, u32 time, s2 t", {"t", -1}).kind, ValueKind::unknown);
}

TEST(Ranges, BecomeNames) {
  EXPECT_EQ(with_quoted_ranges("0:10"), "\"0:10\"");
  EXPECT_EQ(with_quoted_ranges("0:10:desc,12:14"), "\"0:10\":desc,\"12:14\"");
  EXPECT_EQ(with_quoted_ranges("\"0:10\",n=length(x)"), "\"0:10\",n=length(x)");
}

}  // namespace
}  // namespace mrc
