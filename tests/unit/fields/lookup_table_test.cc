#include "fields/input_readers.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

using std::string;
using std::vector;

Result<std::shared_ptr<const LookupTable>> table_of(const string &rows, size_t columns,
                                                    i64 workers = 2) {
  WorkerPool pool(workers);
  Pages text(std::ssize(rows) + kPadding);
  std::ranges::copy(rows, reinterpret_cast<char *>(text.data()));
  return LookupTable::make(std::move(text), std::ssize(rows), columns, kFixedSeed, &pool);
}

string value_of(const LookupTable &table, Bytes key, size_t column) {
  u32 row = 0;
  table.find({&key, 1}, &row);
  const Bytes value = table.value(row, column);
  return value.data() == nullptr ? "missing" : string(value);
}

TEST(LookupTable, HasAValueOfEachColumnForEachKey) {
  const auto table = table_of("a\t1\tx\nb\t\t\\N\n\\t\\\\\ttab\\tbed\ty\n", 2);
  ASSERT_TRUE(table.is_ok());
  EXPECT_EQ((*table)->rows(), 3);
  EXPECT_EQ(value_of(**table, "a", 0), "1");
  EXPECT_EQ(value_of(**table, "a", 1), "x");
  EXPECT_EQ(value_of(**table, "b", 0), "");
  EXPECT_EQ(value_of(**table, "b", 1), "missing");
  EXPECT_EQ(value_of(**table, "\t\\", 0), "tab\tbed");
  EXPECT_EQ(value_of(**table, "c", 0), "missing");
}

TEST(LookupTable, MissingAndEmptyKeysMatchNothing) {
  const auto table = table_of("\\N\t1\n\t2\n\\N\t3\n", 1);
  ASSERT_TRUE(table.is_ok());
  EXPECT_EQ((*table)->rows(), 0);
  EXPECT_EQ(value_of(**table, "", 0), "missing");
  EXPECT_EQ(value_of(**table, Bytes(), 0), "missing");
}

TEST(LookupTable, MayBeEmpty) {
  const auto table = table_of("", 1);
  ASSERT_TRUE(table.is_ok());
  EXPECT_EQ(value_of(**table, "a", 0), "missing");
}

TEST(LookupTable, RefusesAKeyThatStandsTwice) {
  const auto table = table_of("a\t1\n\t0\nb\t1\na\t2\n", 1);
  ASSERT_FALSE(table.is_ok());
  EXPECT_TRUE(table.status().message().starts_with("records 1 and 4 both have the key \"a\""))
      << table.status().message();
}

TEST(LookupTable, FindsKeysOfManyBatchesForAnyNumberOfWorkers) {
  string rows;
  for (int i = 0; i < 3000; ++i) {
    if (i % 7 == 0) rows += "\\N\tnone\n";
    rows += std::to_string(i) + "\tv\\t" + std::to_string(i) + "\n";
  }
  for (const i64 workers : {1, 2, 3, 8, 64}) {
    const auto table = table_of(rows, 1, workers);
    ASSERT_TRUE(table.is_ok());
    EXPECT_EQ((*table)->rows(), 3000);
    for (int i = 0; i < 3000; ++i) {
      EXPECT_EQ(value_of(**table, std::to_string(i), 0), "v\t" + std::to_string(i));
    }
    EXPECT_EQ(value_of(**table, "3000", 0), "missing");
  }
}

// More workers than slots leave each key to the end, and small shares leave many.
TEST(LookupTable, NamesTheFirstKeyThatStandsTwiceForAnyNumberOfWorkers) {
  string rows;
  for (int i = 0; i < 500; ++i) rows += (i == 20 ? "" : std::to_string(i)) + "\tv\n";
  rows += "77\tw\n3\tw\n77\tw\n";
  for (const i64 workers : {1, 2, 3, 8, 200}) {
    const auto table = table_of(rows, 1, workers);
    ASSERT_FALSE(table.is_ok());
    EXPECT_TRUE(table.status().message().starts_with("records 78 and 501 both have the key \"77\""))
        << workers << ": " << table.status().message();
  }
}

TEST(LookupTable, DigestsTellContentsApart) {
  EXPECT_EQ((*table_of("a\t1\n", 1))->digest(), (*table_of("a\t1\n", 1))->digest());
  EXPECT_NE((*table_of("a\t1\n", 1))->digest(), (*table_of("a\t2\n", 1))->digest());
}

TEST(Lookup, OfFieldsThatBeginWithItsName) {
  const Lookup lookup{.name = "user", .field = {"id", -1}};
  EXPECT_TRUE(lookup.has({"user.country", -1}));
  EXPECT_EQ(lookup.column_of({"user.\"a b\"", -1}), "\"a b\"");
  EXPECT_FALSE(lookup.has({"user.", -1}));
  EXPECT_FALSE(lookup.has({"user", -1}));
  EXPECT_FALSE(lookup.has({"users.country", -1}));
  EXPECT_FALSE(lookup.has({"user.country", -1, true}));
  EXPECT_FALSE(lookup.has({"user.country", kComputedNumber}));
}

// Records of tabs with fields looked up in two tables, of which the second is looked up by the
// first.
TEST(LookupReader, PutsValuesInThePlacesOfFields) {
  const vector<Lookup> lookups = {
      {"user", {"id", -1}, {"land", "name"}, *table_of("1\tfr\tann\n2\tno\tbob\n", 2)},
      {"land", {"user.land", -1}, {"title"}, *table_of("fr\tFrance\n", 1)}};
  const vector<FieldName> wanted = {
      {"land.title", -1}, {"v", -1}, {"user.name", -1}, {"id", -1}, {"user.land", -1}};
  EXPECT_EQ(read_fields(wanted, lookups),
            (vector<FieldName>{{"id", -1}, {"v", -1}, {"id", -1}, {"id", -1}, {"id", -1}}));
  const Dialect dialect{.format = &LineFormat::tsv, .names = {"id", "v"}};
  const auto reader = make_lookup_reader(dialect, wanted, lookups);
  ASSERT_TRUE(reader.is_ok());
  const string padded = "1\tx\n2\ty\n3\tz\n" + string(kPadding, '\0');
  const Chunk chunk{.bytes = Bytes(padded).substr(0, padded.size() - kPadding)};
  const char *next = chunk.bytes.data();
  RecordBatch batch;
  batch.fields.resize(wanted.size());
  (*reader)->read(chunk, &next, &batch);
  string all;
  for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
    for (const auto &column : batch.fields) {
      all += column[i].data() == nullptr ? "-" : string(column[i]);
      all += ' ';
    }
  }
  EXPECT_EQ(all, "France x ann 1 fr - y bob 2 no - z - 3 - ");
}

TEST(LookupReader, RecordsWithoutTheKeyAreRefused) {
  const vector<Lookup> lookups = {{"user", {"uid", -1}, {"name"}, *table_of("1\tann\n", 1)}};
  const Dialect dialect{.format = &LineFormat::tsv, .names = {"id", "v"}};
  EXPECT_FALSE(make_lookup_reader(dialect, {{"user.name", -1}}, lookups).is_ok());
}

}  // namespace
}  // namespace mrc
