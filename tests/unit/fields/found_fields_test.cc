#include "fields/found_fields.h"

#include "base/text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mrc {
namespace {

// Has the finder add each record, padded, at positions from `begin` on.
void add_all(const std::vector<std::string> &records, u64 begin, FieldFinder *finder) {
  for (const std::string &record : records) {
    const std::string padded = record + std::string(kPadding, '\0');
    finder->add(Bytes(padded).substr(0, record.size()), begin++);
  }
}

std::unique_ptr<FieldFinder> finder_of(const LineFormat &format) {
  return make_field_finder({.format = &format});
}

// Returns the columns of records, as "name" or "name(path)".
std::vector<std::string> columns_of(const std::vector<std::string> &records,
                                    const LineFormat &format = LineFormat::json) {
  const std::unique_ptr<FieldFinder> finder = finder_of(format);
  add_all(records, 0, finder.get());
  FoundFields fields;
  finder->move_to(&fields);
  const Result<std::vector<FoundField>> columns = fields.columns();
  if (!columns.is_ok()) return {columns.status().message()};
  std::vector<std::string> names;
  for (const FoundField &field : *columns) {
    names.push_back(field.name == field.path ? field.name
                                             : fmt::format("{}({})", field.name, field.path));
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(FoundFields, AreInTheOrderOfTheirFirstRecords) {
  EXPECT_EQ(
      columns_of({R"({"b":1,"a":{"d":[1,{"x":2}]}})", R"({"c":"", "b":2, "a":{"c":1,"d":[]}})"}),
      (Names{"b", "a.d.0", "a.d.1.x", "c", "a.c", "a.d"}));
  EXPECT_EQ(columns_of({"{}", "{ }", R"({"a":{},"b":[ ]})"}), (Names{"a", "b"}));
  EXPECT_EQ(columns_of({}), Names());
}

TEST(FoundFields, AreNullOnlyIfTheyHaveNoMembers) {
  EXPECT_EQ(columns_of({R"({"a":null,"b":null})", R"({"a":{"x":null}})"}), (Names{"b", "a.x"}));
  EXPECT_EQ(columns_of({R"({"a":1})", R"({"a":{"x":1}})"}), (Names{"a", "a.x"}));
}

TEST(FoundFields, CountTheFirstOfEqualMembers) {
  EXPECT_EQ(columns_of({R"({"a":1,"a":{"b":1},"c":{"d":1},"c":2})"}), (Names{"a", "c.d"}));
}

TEST(FoundFields, HaveQuotesInPathsIfNeeded) {
  EXPECT_EQ(columns_of({R"({"a.b":1,"c d":{"x.y":2}})"}),
            (Names{"a.b(\"a.b\")", "c d.x.y(c d.\"x.y\")"}));
  EXPECT_EQ(columns_of({R"({"\u0061\n":1})"}).size(), 1u);
}

TEST(FoundFields, AreToldApart) {
  EXPECT_EQ(columns_of({R"({"a":{"b":1}})", R"({"a.b":2})"}), (Names{"a.b", "\"a.b\""}));
  EXPECT_EQ(columns_of({R"({"a":{"b":1},"a.b":2,"\"a.b\"":3})"}).size(), 1u);  // an error
}

TEST(FoundFields, MergeWhatWorkersFind) {
  const std::unique_ptr<FieldFinder> first = finder_of(LineFormat::json),
                                     second = finder_of(LineFormat::json);
  add_all({R"({"a":1,"b":null})"}, 10, first.get());
  add_all({R"({"c":1,"a":2})", R"({"b":{"x":1}})"}, 5, second.get());
  FoundFields fields;
  first->move_to(&fields);
  second->move_to(&fields);
  Names names;
  for (const FoundField &field : *fields.columns()) names.push_back(field.name);
  EXPECT_EQ(names, (Names{"c", "a", "b.x"}));
}

TEST(FoundFields, AreLimited) {
  const auto records = [](i64 fields) {
    Names all;
    for (i64 i = 0; i < fields; ++i) all.push_back(fmt::format(R"({{"f{}":1,"g":[{{}}]}})", i));
    return all;
  };
  EXPECT_EQ(columns_of(records(FoundFields::kMost - 1)).size(), u64{FoundFields::kMost});
  EXPECT_TRUE(columns_of(records(FoundFields::kMost))[0].starts_with("the records have more than"));
  std::string array = "{\"a\":[0";
  for (i64 i = 0; i < 2 * FoundFields::kMost; ++i) array += ",0";
  EXPECT_TRUE(columns_of({array + "]}"})[0].starts_with("the records have more than"));
}

TEST(FoundFields, AreLabelsWithValues) {
  EXPECT_EQ(columns_of({"a=1 b=2 word", "c=\"x y\" a=3"}, LineFormat::logfmt),
            (Names{"a", "b", "c"}));
  EXPECT_EQ(columns_of({"a:1\tb:2", "c:3"}, LineFormat::ltsv), (Names{"a", "b", "c"}));
}

TEST(FoundFields, AreUnknownInOtherFormats) {
  EXPECT_EQ(finder_of(LineFormat::csv), nullptr);
  Dialect inside{.format = &LineFormat::json};
  inside.around = {Dialect{}};
  EXPECT_EQ(make_field_finder(inside), nullptr);
}

}  // namespace
}  // namespace mrc
