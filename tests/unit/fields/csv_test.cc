#include "fields/csv.h"

#include "scan/scan.h"
#include "unit/fields/naive_csv_records.h"
#include "unit/fields/read_batches.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

Dialect csv(std::vector<std::string> names = {}, bool header = false) {
  Dialect dialect;
  dialect.format = &LineFormat::csv;
  dialect.header = header;
  dialect.names = std::move(names);
  return dialect;
}

std::unique_ptr<RecordReader> reader_of(const Dialect &dialect,
                                        const std::vector<std::string> &wanted) {
  Result<std::unique_ptr<RecordReader>> reader = make_csv_reader(dialect, fields_named(wanted));
  EXPECT_TRUE(reader.is_ok());
  return std::move(*reader);
}

// The fields of the only record of a text.
std::vector<MaybeText> fields_of(Bytes text,
                                 const std::vector<std::string> &wanted = {"1", "2", "3"}) {
  const ReadBatches read = read_text(*reader_of(csv(), wanted), text);
  EXPECT_EQ(read.rows.size(), 1u);
  EXPECT_EQ(read.bad.size(), 0u);
  return read.rows.empty() ? std::vector<MaybeText>() : read.rows[0].fields;
}

using Fields = std::vector<MaybeText>;

TEST(Csv, HasFieldsByNumberAndTheWholeRecord) {
  EXPECT_EQ(fields_of("a,b,c\n"), (Fields{"a", "b", "c"}));
  EXPECT_EQ(fields_of("a,b,c\r\n", {"3", "0", "3"}), (Fields{"c", "a,b,c", "c"}));
  EXPECT_EQ(fields_of("a,b,c"), (Fields{"a", "b", "c"}));
}

TEST(Csv, TellsEmptyFieldsFromMissingOnes) {
  EXPECT_EQ(fields_of(",\n"), (Fields{"", "", std::nullopt}));
  EXPECT_EQ(fields_of("\"\",a\n"), (Fields{"", "a", std::nullopt}));
}

TEST(Csv, TakesQuotesOffAndDoublesBack) {
  EXPECT_EQ(fields_of("\"a,b\",\"c\nd\",\"e\"\"f\"\r\n"), (Fields{"a,b", "c\nd", "e\"f"}));
  EXPECT_EQ(fields_of("\"\"\"\",\"\"\"a\"\"\",\"\r\n\""), (Fields{"\"", "\"a\"", "\r\n"}));
}

TEST(Csv, KeepsOtherQuotesAndWhatFollowsAClosingOne) {
  EXPECT_EQ(fields_of("5\" disk,a\"\"b, \"c\"\n"), (Fields{"5\" disk", "a\"\"b", " \"c\""}));
  EXPECT_EQ(fields_of("\"a\"b,\"c\" ,\"d\"e\"f\"\n"), (Fields{"ab", "c ", "de\"f\""}));
}

TEST(Csv, PassesOverEmptyLinesAndAByteOrderMark) {
  const ReadBatches read = read_text(*reader_of(csv({"a", "b"}, true), {"b"}),
                                     "\xEF\xBB\xBF\n\r\n\"a\",b\n\n1,2\r\n\n\n3,4\n\n");
  ASSERT_EQ(read.rows.size(), 2u);
  EXPECT_EQ(read.rows[0], (ReadRow{"1,2", {"2"}}));
  EXPECT_EQ(read.rows[1], (ReadRow{"3,4", {"4"}}));
  EXPECT_TRUE(read.bad.empty());
}

TEST(Csv, PassesOverTheHeaderOfTheInputOnly) {
  const auto reader = reader_of(csv({"a"}, true), {"a"});
  EXPECT_EQ(read_text(*reader, "a\n1\n").rows.size(), 1u);
  EXPECT_EQ(read_text(*reader, "a\n1\n", 100).rows.size(), 2u);
}

TEST(Csv, CallsRecordsWithMoreFieldsThanNamesBad) {
  std::string wide = "1";
  for (int i = 1; i < 300; ++i) wide += ",1";
  const ReadBatches read =
      read_text(*reader_of(csv({"a", "b"}), {"a"}), "1,2\n1,2,3\n1\n" + wide + "\n");
  EXPECT_EQ(read.rows.size(), 2u);
  ASSERT_EQ(read.bad.size(), 2u);
  EXPECT_EQ(read.bad[0],
            std::pair(std::string("1,2,3"), std::string("3 fields, the header has 2")));
  EXPECT_EQ(read.bad[1].second, "more than 101 fields, the header has 2");
}

TEST(Csv, LosesOneLineToAQuoteThatNothingCloses) {
  const ReadBatches read =
      read_text(*reader_of(csv(), {"1"}), "a,b\n\"c\nd\",\"e\nf\ng,\"\"\n\"\"\"\"\n");
  ASSERT_EQ(read.rows.size(), 4u);
  EXPECT_EQ(read.rows[1].record, "f");
  EXPECT_EQ(read.rows[3].fields, (Fields{"\""}));
  ASSERT_EQ(read.bad.size(), 1u);
  EXPECT_EQ(read.bad[0], std::pair(std::string("\"c\nd\",\"e"), std::string("no closing quote")));
}

TEST(Csv, TakesRecordsOfAnyWidthAndLength) {
  for (int fields : {4095, 4096, 4097, 100000}) {
    std::string line = "0";
    for (int i = 1; i < fields; ++i) line += "," + std::to_string(i);
    const std::string last = std::to_string(fields),
                      text = line + "\n" + line + "\n\"" + std::string(1 << 20, ',') + "\"\n";
    const ReadBatches read = read_text(*reader_of(csv(), {"1", last}), text);
    ASSERT_EQ(read.rows.size(), 3u);
    EXPECT_EQ(read.rows[1].fields, (Fields{"0", std::to_string(fields - 1)}));
    EXPECT_EQ(read.rows[2].fields[0]->size(), size_t{1} << 20);
  }
}

TEST(Csv, NamesTheFieldsThatThereAre) {
  const std::vector<FieldName> unknown = {{"city", -1}}, beyond = {{"3", 3}}, quoted = {{"2", -1}};
  EXPECT_EQ(make_csv_reader(csv({"a", "b"}), unknown).status().message(),
            "no field \"city\" in csv; the fields are a, b");
  EXPECT_EQ(make_csv_reader(csv({"a", "b"}), beyond).status().message(),
            "no field 3 in csv; the last field is 2");
  EXPECT_EQ(make_csv_reader(csv(), quoted).status().message(),
            "no field \"2\" in csv; fields have numbers, from 1; columns gives them names");
}

TEST(Csv, IsNotSeparatedByQuotesOrLineEnds) {
  for (char separator : {'"', '\r', '\n'}) {
    Dialect dialect = csv();
    dialect.delimiter = separator;
    EXPECT_EQ(make_csv_reader(dialect, {}).status().message(),
              "fields of CSV are not separated by a quote or by a line end");
  }
}

TEST(Csv, TakesTheFirstOfFieldsOfOneName) {
  const ReadBatches read = read_text(*reader_of(csv({"a", "b", "a"}), {"a", "3"}), "1,2,3\n");
  EXPECT_EQ(read.rows[0].fields, (Fields{"1", "3"}));
}

TEST(Csv, AllocatesNothingInSteadyState) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "a,\"b\"\"" + std::to_string(i) + "\",c\n";
  const PaddedText padded(text);
  const auto reader = reader_of(csv(), {"2", "3"});
  RecordBatch batch;
  const Chunk chunk{padded.text(), 0, 0};
  i64 size = -1;
  for (int round = 0; round < 3; ++round) {
    for (const char *next = chunk.bytes.data(); next < &*chunk.bytes.end();) {
      batch.clear();
      reader->read(chunk, &next, &batch);
    }
    EXPECT_TRUE(round == 0 || batch.unescaped.size() == size);
    size = batch.unescaped.size();
  }
}

// Whatever the text: the same as the naive reader, for all fields.
void expect_as_naive(const std::string &text, CsvBytes bytes) {
  Dialect dialect = csv();
  dialect.delimiter = bytes.separator;
  dialect.terminator = bytes.terminator;
  const ReadBatches read = read_text(*reader_of(dialect, {"1", "2", "3", "4", "5"}), text);
  size_t row = 0, bad = 0;
  for (const NaiveRecord &naive : naive_records(text, bytes)) {
    if (naive.unclosed) {
      ASSERT_LT(bad, read.bad.size());
      ASSERT_EQ(read.bad[bad++].first, naive.text);
      continue;
    }
    ASSERT_LT(row, read.rows.size());
    ASSERT_EQ(read.rows[row].record, naive.text);
    for (size_t k = 0; k < 5; ++k) {
      const MaybeText expected = k < naive.fields.size() ? MaybeText(naive.fields[k]) : MaybeText();
      ASSERT_EQ(read.rows[row].fields[k], expected) << naive.text;
    }
    ++row;
  }
  EXPECT_EQ(row, read.rows.size());
  EXPECT_EQ(bad, read.bad.size());
}

TEST(Csv, IsReadAsByTheNaiveReader) {
  const std::vector<std::string> wild = {"\"", ",",   "\n",  "a",    "\"\"",       "\r\n",
                                         ";",  ",\"", "\",", "text", "\"quoted\"", "\r"};
  const std::vector<std::string> calm = {"\n",        ",",    ",",           "some",
                                         "\"a,\nb\"", "\"\"", ",\"x\"\"y\","};
  for (u64 round = 0; round < 600; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    const size_t bytes = 1 + random() % (round % 10 == 0 ? 60000 : 300);
    const std::string text = random_text(&random, round % 2 == 0 ? calm : wild, bytes);
    expect_as_naive(text, round % 3 == 0 ? CsvBytes{';', '\n'} : CsvBytes{});
    ASSERT_FALSE(HasFailure()) << testing::PrintToString(text.substr(0, 500));
  }
}

}  // namespace
}  // namespace mrc
