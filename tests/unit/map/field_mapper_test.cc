#include "base/number.h"
#include "expr/field_bounds.h"
#include "fields/input_readers.h"
#include "map/inner/mappers.h"
#include "unit/map/collected_keys.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <random>

namespace mrc {
namespace {

// Keys with their values, as text, in any order.
class CollectedRecords : public BatchSink, public BadRecordSink {
 public:
  void take(const Batch<Key16> &batch) override { collect(batch); }
  void take(const Batch<Key32> &batch) override { collect(batch); }
  void take(const Batch<KeyRef> &batch) override { collect(batch); }
  void take(const Chunk &, const BadRecord &bad) override {
    records_.push_back("bad: " + std::string(bad.record) + ": " + bad.reason);
  }
  void take_value(const Chunk &, const BadField &bad) override {
    records_.push_back("bad value: " + std::string(bad.record) + ": " + std::string(bad.value) +
                       ": " + bad.reason);
  }
  void count_used(i64 records) override { used_ += records; }
  i64 used() const { return used_; }

  std::vector<std::string> sorted() {
    std::sort(records_.begin(), records_.end());
    return records_;
  }

 private:
  template <typename Key>
  void collect(const Batch<Key> &batch) {
    for (i64 i = 0; i < batch.size; ++i) {
      std::string text(key_bytes(batch.keys[static_cast<size_t>(i)]));
      for (i64 k = 0; k < batch.width; ++k) {
        const Number number = batch.values[static_cast<size_t>(i * batch.width + k)];
        text += " | ";
        if (number != kNoNumber) append_number(number, &text);
      }
      records_.push_back(text);
    }
  }

  std::vector<std::string> records_;
  i64 used_ = 0;
};

// Any record: so that the general way is taken.
class EveryRecord : public Filter {
 public:
  std::vector<FieldName> fields() const override { return {}; }
  Selection select(RecordBatch *, std::span<const size_t>, std::vector<BadValue> *) const override {
    return Selection().set();
  }
  Outlook outlook(PageBounds) const override { return {}; }
};

FieldExpr field(i64 number) {
  FieldExpr expr;
  expr.field = {std::to_string(number), number};
  expr.text = std::to_string(number);
  return expr;
}

struct Outcome {
  i64 records, used;
  std::vector<std::string> all;
};

Outcome map_fields(const FieldsSpec &fields, Bytes text, i64 offset = 0) {
  MapSpec spec{.records = MapSpec::Records::fields};
  spec.fields = fields;
  Dialect dialect{.format = &LineFormat::fields, .delimiter = ';'};
  InputReaders readers(1, fields.wanted().names());
  EXPECT_TRUE(readers.set(0, dialect).is_ok());
  CollectedRecords sink;
  Emitter emitter(&sink, {1, 2}, spec.value_width());
  const PaddedText padded(text, ';');
  const i64 records =
      make_field_mapper(spec, readers, &sink)->map({padded.text(), 0, offset}, &emitter);
  return {records, sink.used(), sink.sorted()};
}

FieldsSpec spec_of(i64 key, std::vector<i64> numbers) {
  FieldsSpec spec;
  spec.keys = {field(key)};
  for (i64 number : numbers) spec.values.push_back({ValueColumn::Kind::number, field(number)});
  return spec;
}

void expect_same_both_ways(const FieldsSpec &spec, Bytes text, i64 offset = 0) {
  FieldsSpec general = spec;
  general.filter = std::make_shared<EveryRecord>();
  const Outcome fused = map_fields(spec, text, offset), passes = map_fields(general, text, offset);
  ASSERT_EQ(fused.records, passes.records) << testing::PrintToString(text.substr(0, 200));
  ASSERT_EQ(fused.used, passes.used) << testing::PrintToString(text.substr(0, 200));
  ASSERT_EQ(fused.all, passes.all) << testing::PrintToString(text.substr(0, 200));
}

TEST(FieldMapper, EmitsKeysWithTheirNumbers) {
  const std::vector<std::string> expected = {"a | 1.5", "b | -2", "c | "};
  EXPECT_EQ(map_fields(spec_of(1, {2}), "a;1.5\nb;-2;x\r\nc\n").all, expected);
}

TEST(FieldMapper, TakesForMissingWhatIsNoNumber) {
  const Outcome outcome = map_fields(spec_of(1, {3, 2}), "a;1;2\nb;1;x2\nc;y;z\r\n");
  EXPECT_EQ(outcome.records, 3);
  EXPECT_EQ(outcome.used, 3);
  EXPECT_EQ(outcome.all,
            (std::vector<std::string>{"a | 2 | 1", "b |  | 1",
                                      "bad value: b;1;x2: x2: field 3 is not a number",
                                      "bad value: c;y;z: y: field 2 is not a number",
                                      "bad value: c;y;z: z: field 3 is not a number", "c |  | "}));
}

FieldExpr bucketed(i64 number, const std::string &bucket) {
  return *parse_field(std::to_string(number) + ":" + bucket, {});
}

TEST(FieldMapper, TakesForMissingWhatDoesNotFitItsBucket) {
  FieldsSpec spec = spec_of(1, {});
  spec.values = {{ValueColumn::Kind::number, bucketed(2, "100")},
                 {ValueColumn::Kind::text, bucketed(2, "log2")}};
  const Outcome outcome = map_fields(spec, "a;150\nb;x\nc;\nd;-\ne\n");
  EXPECT_EQ(outcome.used, 5);
  std::vector<std::string> bad;
  for (const std::string &record : outcome.all) {
    if (record.starts_with("bad")) bad.push_back(record);
  }
  EXPECT_EQ(bad, (std::vector<std::string>{"bad value: b;x: x: the value does not fit 2:100",
                                           "bad value: b;x: x: the value does not fit 2:log2"}));
}

// A record that has no group is not in the answer, and so are its values.
TEST(FieldMapper, LooksAtNoValueOfARecordThatIsLeftOut) {
  FieldsSpec spec = spec_of(1, {2});
  spec.keys = {bucketed(1, "10")};
  const Outcome outcome = map_fields(spec, "12;3\nx;y\n");
  EXPECT_EQ(outcome.used, 1);
  ASSERT_EQ(outcome.all.size(), 2);
  EXPECT_TRUE(std::ranges::count(outcome.all, "bad: x;y: the value does not fit 1:10"));
}

TEST(FieldMapper, DoesTheSameInOnePassAsInMany) {
  std::mt19937_64 random(first_seed());
  const std::vector<FieldsSpec> specs = {spec_of(1, {}),     spec_of(1, {2}),
                                         spec_of(2, {1}),    spec_of(3, {3}),
                                         spec_of(2, {1, 4}), spec_of(9, {2, 3, 1})};
  const std::vector<std::string> pieces = {"a",  "Oslo", ";",  ";",     "\n",   "\n", "\r\n",
                                           "12", "-1.5", "0.", "1e300", "x\ry", ""};
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(first_seed()) + ", round " + std::to_string(round));
    std::string text = random() % 8 == 0 ? "\xEF\xBB\xBF" : "";
    for (u64 n = random() % 40; n > 0; --n) text += pieces[random() % pieces.size()];
    expect_same_both_ways(specs[random() % specs.size()], text, random() % 2 == 0 ? 0 : 7);
  }
}

// Lines of measurements, as most tables have them, with whatever else is in between.
TEST(FieldMapper, DoesTheSameWhateverComesBetweenNumbersOfOneForm) {
  std::mt19937_64 random(first_seed());
  SCOPED_TRACE("MRC_SEED=" + std::to_string(first_seed()));
  const std::vector<std::string> odd = {"",      "x;y",    "\r", ";12",     ";;",    ";-",  ";1.25",
                                        ";1.5x", ";1.5\r", ";-", ";1.5;\r", ";+1.5", ";1e9"};
  for (int round = 0; round < 60; ++round) {
    std::string text;
    for (int i = 0; i < 2500; ++i) {
      text +=
          std::string(random() % (random() % 50 == 0 ? 50 : 16), static_cast<char>('a' + i % 5));
      const bool usual = random() % 100 != 0;
      text += usual ? ";" + std::to_string(static_cast<int>(random() % 2000) - 1000) + ".5"
                    : odd[random() % odd.size()];
      text += round % 4 == 0 ? "\r\n" : "\n";
    }
    if (round % 3 == 0) text.pop_back();
    expect_same_both_ways(spec_of(1, {2}), text);
    expect_same_both_ways(spec_of(2, {1}), text);
    expect_same_both_ways(spec_of(2, {}), text);
    expect_same_both_ways(spec_of(1, {2, 2}), text);
  }
}

TEST(FieldMapper, TakesMoreRecordsAndSeparatorsThanFitAtOnce) {
  std::string many, wide;
  for (int i = 0; i < 5000; ++i) many += std::to_string(i % 7) + ";" + std::to_string(i) + "\n";
  for (int i = 0; i < 5000; ++i) wide += std::to_string(i) + (i % 2 == 0 ? ";" : ";;");
  // The last two want the field after the last one of `wide`.
  for (const FieldsSpec &spec : {spec_of(1, {2}), spec_of(2, {1, 3}), spec_of(4000, {6001}),
                                 spec_of(1, {7502}), spec_of(7502, {1})}) {
    std::string batch;  // but one record
    for (int i = 1; i < 1024; ++i) batch += "k" + std::to_string(i) + ";1.5\n";
    expect_same_both_ways(spec, batch + wide + "\n" + batch);
    expect_same_both_ways(spec, many + wide + "\r\n" + many + wide);
    expect_same_both_ways(spec, wide);
    expect_same_both_ways(spec, std::string(3000, '\n') + many);
    expect_same_both_ways(spec, "x;y;" + wide + "z\r\nx;" + wide);
  }
}

}  // namespace
}  // namespace mrc
