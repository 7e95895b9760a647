#include "map/sort_key.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// The field in words, or what is wrong with it.
std::string parsed(std::string_view text) {
  const Result<SortField> field = parse_sort_field(text);
  if (!field.is_ok()) return field.status().message();
  return std::to_string(field->field) +
         (field->type == SortField::Type::number ? " number" : " bytes") +
         (field->descending ? " descending" : "");
}

TEST(ParseSortField, TakesSuffixesInAnyOrder) {
  EXPECT_EQ(parsed("2"), "2 bytes");
  EXPECT_EQ(parsed("2:asc"), "2 bytes");
  EXPECT_EQ(parsed("2:desc"), "2 bytes descending");
  EXPECT_EQ(parsed("2:num"), "2 number");
  EXPECT_EQ(parsed("2:num:desc"), "2 number descending");
  EXPECT_EQ(parsed("2:desc:num"), "2 number descending");
  EXPECT_EQ(parsed("0:num:asc"), "0 number");
  EXPECT_EQ(parsed("12"), "12 bytes");
}

TEST(ParseSortField, SaysWhatIsAllowed) {
  const std::string not_a_field =
      " is not a field: a number from 1, or 0 for the whole record, as in 2 or 2:num:desc";
  for (const std::string text : {"", "x", "-1", "+1", "1 ", "2nx", "k", "n2", "2,n"}) {
    EXPECT_EQ(parsed(text), "\"" + text + "\"" + not_a_field);
  }
  EXPECT_EQ(parsed(":num"), "\"\"" + not_a_field);
  EXPECT_EQ(parsed("2:"), "\"2:\": \"\" is not num, asc or desc");
  EXPECT_EQ(parsed("2:n"), "\"2:n\": \"n\" is not num, asc or desc");
  EXPECT_EQ(parsed("2:num:x"), "\"2:num:x\": \"x\" is not num, asc or desc");
  EXPECT_EQ(parsed("2:num:num"), "\"2:num:num\": num once at most");
  EXPECT_EQ(parsed("2:asc:num:desc"), "\"2:asc:num:desc\": asc or desc once at most");
  EXPECT_EQ(parsed("9223372036854775808"), "field 9223372036854775808 is out of range");
}

TEST(ParseSortField, TranslatesKeysOfSort) {
  EXPECT_EQ(parsed("2n"), "\"2n\" is for sort(1); write 2:num");
  EXPECT_EQ(parsed("2r"), "\"2r\" is for sort(1); write 2:desc");
  EXPECT_EQ(parsed("k2nr"), "\"k2nr\" is for sort(1); write 2:num:desc");
  EXPECT_EQ(parsed("-k2,2rn"), "\"-k2,2rn\" is for sort(1); write 2:num:desc");
  EXPECT_EQ(parsed("2,2"), "\"2,2\" is for sort(1); write 2");
  EXPECT_EQ(parsed("2b,2"), "\"2b,2\" is for sort(1); write 2");
  EXPECT_EQ(parsed("2f,2"), "\"2f,2\" is for sort(1); write 2 with --ignore-case");
  EXPECT_EQ(parsed("2n,3"), "\"2n,3\" is for sort(1); write 2:num,3:num, one after another");
  EXPECT_EQ(parsed("2.3"), "\"2.3\": a key is a whole field; write 2");
  EXPECT_EQ(parsed("2.1,2.5n"), "\"2.1,2.5n\": a key is a whole field; write 2");
  EXPECT_EQ(parsed("2nh"),
            "\"2nh\": there is no \"h\" of sort(1); allowed are :num, :asc and :desc");
}

TEST(ParseSortFields, TakesSeveral) {
  const Result<std::vector<SortField>> fields = parse_sort_fields("1,2:num,3:desc,2");
  ASSERT_TRUE(fields.is_ok());
  ASSERT_EQ(fields->size(), 4u);
  EXPECT_EQ((*fields)[0].field, 1);
  EXPECT_EQ((*fields)[1].type, SortField::Type::number);
  EXPECT_TRUE((*fields)[2].descending);
  EXPECT_EQ((*fields)[3].field, 2);
}

TEST(ParseSortFields, RefusesOneThatDecidesNothing) {
  EXPECT_EQ(parse_sort_fields("2,2").status().message(),
            "field 2 is there twice; what sort(1) calls 2,2 is 2 here");
  EXPECT_FALSE(parse_sort_fields("1,2:num,2:num:desc").is_ok());
  EXPECT_FALSE(parse_sort_fields("2,2:num").is_ok());
  EXPECT_TRUE(parse_sort_fields("2:num,2").is_ok());
  EXPECT_FALSE(parse_sort_fields("").is_ok());
  EXPECT_FALSE(parse_sort_fields("1,").is_ok());
  EXPECT_EQ(parse_sort_fields("1,2n").status().message(), "\"2n\" is for sort(1); write 2:num");
}

TEST(ByteRange, CutsWhatTheRecordHas) {
  const Result<ByteRange> range = parse_byte_range("2:5");
  ASSERT_TRUE(range.is_ok());
  EXPECT_EQ(range->begin, 2);
  EXPECT_EQ(range->end, 5);
  EXPECT_EQ(range->of("0123456789"), "234");
  EXPECT_EQ(range->of("0123"), "23");
  EXPECT_EQ(range->of("01"), "");
  EXPECT_EQ(range->of(""), "");
}

TEST(ByteRange, SaysWhatIsWrong) {
  for (const std::string text : {"", ":", "0", "0:", ":10", "0:1:2", "a:b", "-1:2", "0-10"}) {
    EXPECT_EQ(parse_byte_range(text).status().message(),
              "\"" + text + "\" is not BEGIN:END, as in 0:10 for the first ten bytes");
  }
  EXPECT_EQ(parse_byte_range("5:5").status().message(),
            "\"5:5\" has no bytes: END is the first byte that is not in it");
  EXPECT_EQ(parse_byte_range("0:9223372036854775808").status().message(),
            "\"0:9223372036854775808\" is out of range");
}

}  // namespace
}  // namespace mrc
