#include "fields/stage_rows.h"

#include "support/read_batches.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using StageValues = std::vector<std::string>;

const Dialect kDialect = {.format = &LineFormat::rows, .names = {"a", "b:day", "c"}};

std::string row(const std::vector<Bytes> &values) {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += '\t';
    append_row_value(values[i], &text);
  }
  return text + "\n";
}

std::vector<StageValues> read_rows(const Dialect &dialect, const std::string &text,
                                   const std::vector<FieldName> &wanted) {
  const Result<std::unique_ptr<RecordReader>> reader = make_reader(dialect, wanted);
  if (!reader.is_ok()) return {{reader.status().message()}};
  ReadRecords records;
  read_chunk_before('\t', **reader, text, 0, &records);
  return records.rows;
}

TEST(StageRows, AreReadAsTheyWereWritten) {
  const StageValues odd = {"", "\t\n\r\\", "\\N", "N", "\xEF\xBB\xBF", "\xFF", "a\\tb", "-"};
  for (const std::string &one : odd) {
    for (const std::string &other : odd) {
      const std::string text = row({one, other, Bytes()}) + row({Bytes(), one, other});
      const std::vector<StageValues> expected = {{kMissing, other, one}, {other, one, kMissing}};
      EXPECT_EQ(read_rows(kDialect, text, {{"c"}, {"b:day"}, {"a"}}), expected);
    }
  }
}

TEST(StageRows, HaveColumnsByNameAndByPlace) {
  const std::string text = row({"x", "y", "z"});
  EXPECT_EQ(read_rows(kDialect, text, {{"3", 3}, {"a"}, {"3", 3}}),
            (std::vector<StageValues>{{"z", "x", "z"}}));
  EXPECT_EQ(read_rows(kDialect, text, {{"other"}})[0][0],
            "no field \"other\" in rows; the fields are a, b:day, c");
  EXPECT_EQ(read_rows(kDialect, text, {{"4", 4}})[0][0], "no field 4 in rows; the last field is 3");
}

TEST(StageRows, MayBeObjects) {
  Dialect objects = kDialect;
  objects.format = &LineFormat::row_objects;
  const std::string text = "{\"a\":\"x\",\"b:day\":null,\"c\":1.50}\n";
  EXPECT_EQ(read_rows(objects, text, {{"3", 3}, {"b:day"}, {"a"}, {"0", 0}}),
            (std::vector<StageValues>{{"1.50", kMissing, "x", text.substr(0, text.size() - 1)}}));
  EXPECT_EQ(read_rows(objects, text, {{"other"}})[0][0],
            "no field \"other\" in rows; the fields are a, b:day, c");
  EXPECT_EQ(read_rows(objects, text, {{"4", 4}})[0][0], "no field 4 in rows; the last field is 3");
}

}  // namespace
}  // namespace mrc
