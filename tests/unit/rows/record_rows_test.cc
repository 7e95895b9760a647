#include "rows/record_rows.h"

#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

using TextRecords = std::vector<std::string>;

// What a record is compared by, as obvious as it can be.
using KeyOf = i64 (*)(const std::string &record);

i64 no_key(const std::string &) { return 0; }
// Of "name,number": the number.
i64 second_field(const std::string &record) {
  return std::stoll(record.substr(record.find(',') + 1));
}
// Bytes 1 and 2.
i64 middle(const std::string &record) {
  return static_cast<unsigned char>(record[1]) << 8 | static_cast<unsigned char>(record[2]);
}

TextRecords sorted_naively(TextRecords records, const SortSpec &spec, KeyOf key_of) {
  const bool in_turn = spec.stable || spec.unique;
  auto before = [&](const std::string &a, const std::string &b) {
    const i64 x = key_of(a), y = key_of(b);
    if (x != y) return spec.reverse ? x > y : x < y;
    if (in_turn && key_of != no_key) return false;
    return spec.reverse ? a > b : a < b;
  };
  std::stable_sort(records.begin(), records.end(), before);
  auto same = [&](const std::string &a, const std::string &b) {
    return key_of == no_key ? a == b : key_of(a) == key_of(b);
  };
  if (spec.unique) records.erase(std::unique(records.begin(), records.end(), same), records.end());
  return records;
}

class RecordRowsTest : public testing::Test {
 protected:
  // Adds the records in chunks that do not live longer than the call, and sorts.
  TextRecords sorted(const TextRecords &records, const SortSpec &spec, bool last_ends = true) {
    const RowLayout layout = spec.layout();
    const Order order = spec.order();
    RowStore store(layout, KeyBytes::copied), other(layout, KeyBytes::copied);
    RecordRows rows(spec, best_scanner(), order);
    i64 added = 0, offset = 0;
    for (size_t at = 0, size; at < records.size(); at += size) {
      size = std::min<size_t>(1 + random_() % 50, records.size() - at);
      std::string bytes;
      for (size_t i = at; i < at + size; ++i) {
        bytes += records[i];
        if (spec.record_bytes == 0) bytes += spec.terminator;
      }
      if (at + size == records.size() && !last_ends) bytes.pop_back();
      const PaddedText chunk(bytes, spec.terminator);
      added += rows.add({chunk.text(), 0, offset}, random_() % 2 == 0 ? &store : &other);
      offset += std::ssize(bytes);
    }
    EXPECT_EQ(added, std::ssize(records));
    return in_order({&other, &store}, order, layout);
  }

  TextRecords in_order(const std::vector<RowStore *> &stores, const Order &order,
                       const RowLayout &layout) {
    Result<Rows> rows = sort_rows(stores, order, layout, &pool_);
    EXPECT_TRUE(rows.is_ok());
    TextRecords payloads;
    for (const Row &row : *rows) payloads.push_back(std::string(layout.payload(row)));
    return payloads;
  }

  void expect_sorted(const TextRecords &records, SortSpec spec, KeyOf key_of) {
    for (int flags = 0; flags < 8; ++flags) {
      spec.reverse = (flags & 1) != 0;
      spec.stable = (flags & 2) != 0;
      spec.unique = (flags & 4) != 0;
      ASSERT_TRUE(sorted(records, spec) == sorted_naively(records, spec, key_of))
          << "reverse " << spec.reverse << " stable " << spec.stable << " unique " << spec.unique;
    }
  }

  std::mt19937_64 random_{first_seed()};
  WorkerPool pool_{2};
};

TEST_F(RecordRowsTest, AreWholeLines) {
  TextRecords lines = {
      "", "b", "a", "", "a\r", std::string("a\0", 2), "\xFF", std::string(100, 'a')};
  for (i64 i = 0; i < 2000; ++i) lines.push_back("line " + std::to_string(random_() % 700));
  expect_sorted(lines, {}, no_key);
  std::replace(lines.begin(), lines.end(), std::string("a\0", 2), std::string("a\nb"));
  expect_sorted(lines, {.terminator = '\0'}, no_key);
}

TEST_F(RecordRowsTest, AreLinesOfAnyLength) {
  TextRecords lines;
  for (size_t size : {65536, 0, 65534, 200000, 65535, 1, 65533}) {
    lines.push_back(std::string(size, 'l'));
    lines.push_back(std::string(size, 'l') + "m");
  }
  expect_sorted(lines, {}, no_key);
}

TEST_F(RecordRowsTest, NeedNoTerminatorBehindTheLast) {
  for (const std::string &last : {std::string("a"), std::string(70000, 'b')}) {
    for (bool with_key : {false, true}) {
      SortSpec spec;
      if (with_key) spec.key.fields = {{.field = 1}};
      EXPECT_EQ(sorted({"c", last}, spec, false), (TextRecords{last, "c"}));
    }
  }
}

TEST_F(RecordRowsTest, AreOrderedByTheirFields) {
  SortSpec spec;
  spec.key.fields = {{.field = 2, .type = SortField::Type::number}};
  spec.key.delimiter = ',';
  ASSERT_FALSE(spec.is_plain());
  TextRecords lines;
  for (i64 i = 0; i < 1500; ++i) {
    const std::string name(random_() % 40, static_cast<char>('a' + random_() % 3));
    lines.push_back(name + "," + std::to_string(static_cast<i64>(random_() % 200) - 100));
  }
  expect_sorted(lines, spec, second_field);
}

TEST_F(RecordRowsTest, AreOrderedByABytesRange) {
  for (i64 size : {3, 10, 100}) {
    TextRecords records;
    for (i64 i = 0; i < 1500; ++i) {
      std::string record(static_cast<size_t>(size), '\0');
      for (char &byte : record) byte = static_cast<char>(random_() % 4 * 85);
      records.push_back(record);
    }
    expect_sorted(records, {.record_bytes = size, .range = ByteRange{1, 3}}, middle);
    expect_sorted(records, {.record_bytes = size}, no_key);
  }
}

TEST_F(RecordRowsTest, LeaveOutAPieceOfARecord) {
  const SortSpec spec{.record_bytes = 4};
  const Order order = spec.order();
  const RowLayout layout = spec.layout();
  RowStore store(layout, KeyBytes::copied);
  RecordRows rows(spec, best_scanner(), order);
  const PaddedText chunk("bbbbaaaaccc");
  EXPECT_EQ(rows.add({chunk.text()}, &store), 2);
  EXPECT_EQ(in_order({&store}, order, layout), (TextRecords{"aaaa", "bbbb"}));
}

// Inputs in turn: the one that was named first comes first, even if it is read last.
TEST_F(RecordRowsTest, AreStableOverInputs) {
  SortSpec spec{.stable = true};
  spec.key.fields = {{.field = 1}};
  const Order order = spec.order();
  const RowLayout layout = spec.layout();
  RowStore store(layout, KeyBytes::copied);
  RecordRows rows(spec, best_scanner(), order);
  const PaddedText second("k in the second, near the start\n"),
      first("k in the first, far behind\n");
  rows.add({second.text(), 1, 0}, &store);
  rows.add({first.text(), 0, i64{1} << 43}, &store);
  EXPECT_EQ(in_order({&store}, order, layout),
            (TextRecords{"k in the first, far behind", "k in the second, near the start"}));
}

TEST(Positions, AreSourcesAndOffsets) {
  for (i64 source : {0, 1, 70000}) {
    for (i64 offset : {i64{0}, i64{1}, (i64{1} << 44) - 1}) {
      EXPECT_EQ(source_of(position_of(source, offset)), source);
      EXPECT_EQ(offset_of(position_of(source, offset)), offset);
    }
  }
  EXPECT_LT(position_of(0, (i64{1} << 44) - 1), position_of(1, 0));
}

}  // namespace
}  // namespace mrc
