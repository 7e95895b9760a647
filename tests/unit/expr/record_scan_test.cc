#include "expr/record_scan.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using Strings = std::vector<std::string>;

FieldName named(const std::string &name) { return {name, -1}; }

// Records that are bad, whole.
class BadRecords : public BadRecordSink {
 public:
  void take(const Chunk &, const BadRecord &bad) override { records.emplace_back(bad.record); }
  Strings records;
};

TEST(WantedFields, HasEachFieldOnceAndThoseOfTheFilter) {
  WantedFields wanted(*make_filter("b == 1 and a == 2", "", "", {}), {named("a"), named("c")});
  wanted.add(named("a"));
  EXPECT_EQ(wanted.column(named("a")), 0U);
  EXPECT_EQ(wanted.column(named("c")), 1U);
  EXPECT_EQ(wanted.names(), (std::vector<FieldName>{named("a"), named("c"), named("b")}));
}

class Scanning : public testing::Test {
 protected:
  // Scans CSV for its field a, and gives the text that take() makes of each batch.
  template <typename Take>
  i64 scan(std::string text, const std::string &where, Take take) {
    const auto size = text.size();
    text.append(kPadding, '\0');
    const WantedFields wanted(*make_filter(where, "", "", {}), {named("a")});
    InputReaders readers(1, wanted.names());
    const FormatSpec csv{.format = &LineFormat::csv, .header = true};
    EXPECT_TRUE(readers.set(0, *sniff(csv, Bytes(text).substr(0, size), true)).is_ok());
    RecordScan records(wanted, readers, &bad_);
    const Chunk chunk{Bytes(text.data(), size), 0, 0};
    return records.each(chunk, [&] { return take(*records.batch()); });
  }

  BadRecords bad_;
};

TEST_F(Scanning, SelectsByTheFilterAndTellsWhatIsBad) {
  Strings values;
  const i64 records = scan("a,b\n1,x\n2,y\n3,\"x\n", "b == 'x'", [&](const SelectedRecords &batch) {
    for (i64 k = 0; k < batch.selected; ++k) {
      values.emplace_back(batch.fields[0][batch.selection[static_cast<size_t>(k)]]);
    }
    return true;
  });
  EXPECT_EQ(records, 3);
  EXPECT_EQ(values, (Strings{"1"}));
  EXPECT_EQ(bad_.records, (Strings{"3,\"x"}));
}

TEST_F(Scanning, SelectsAllWithoutAFilter) {
  i64 selected = 0;
  EXPECT_EQ(scan("a\n1\n2\n", "",
                 [&](const SelectedRecords &batch) {
                   selected += batch.selected;
                   return true;
                 }),
            2);
  EXPECT_EQ(selected, 2);
}

TEST_F(Scanning, EndsWhenNoMoreIsWanted) {
  std::string text = "a\n";
  for (i64 i = 0; i < 3 * RecordBatch::kCapacity; ++i) text += "1\n";
  i64 batches = 0;
  const i64 records = scan(text, "", [&](const SelectedRecords &) { return ++batches < 2; });
  EXPECT_EQ(batches, 2);
  EXPECT_EQ(records, 2 * RecordBatch::kCapacity);
}

TEST_F(Scanning, HasNothingOfAnInputWithoutAReader) {
  const WantedFields wanted(nullptr);
  const InputReaders readers(1, {});
  RecordScan records(wanted, readers, &bad_);
  EXPECT_EQ(records.each({"a\n", 0, 0}, [] { return true; }), 0);
}

}  // namespace
}  // namespace mrc
