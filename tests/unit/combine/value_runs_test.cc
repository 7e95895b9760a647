#include "combine/value_runs.h"

#include "combine/figure.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace mrc {
namespace {

using CountedTexts = std::vector<std::pair<std::string, u64>>;

// Values as a test writes them down: texts, and numbers as texts.
class Written {
 public:
  explicit Written(const CountedTexts &values) : values_(values) {}

  std::vector<CountedValue> texts() { return counted(true); }
  std::vector<CountedValue> numbers() { return counted(false); }

 private:
  std::vector<CountedValue> counted(bool texts) {
    std::vector<CountedValue> all;
    for (const auto &[text, count] : values_) {
      all.push_back({texts ? Bytes(text) : Bytes(), number_in(text, &wide_), count});
    }
    return all;
  }
  CountedTexts values_;
  Arena wide_;
};

CountedTexts shown_runs(ValueStream *stream) {
  CountedTexts all;
  for (CountedValue value; stream->next(&value);) {
    std::string text(value.text);
    if (value.text.data() == nullptr) append_number(value.number, &text);
    all.emplace_back(text, value.count);
  }
  return all;
}

CountedTexts shown_runs(ValueRuns *runs, const ValueRun &run) {
  return shown_runs(runs->read(run).get());
}

const ValueRun *write_texts(ValueRuns *runs, const CountedTexts &values) {
  Written written(values);
  SortedValueStream stream(written.texts());
  return runs->write(&stream, true);
}

TEST(ValueStream, PutsNumbersBeforeTextsAndCountsEqualOnesTogether) {
  Written written({{"b", 1}, {"10", 2}, {"9", 3}, {"", 4}, {"b", 5}, {"9.0", 6}, {"1e999", 7}});
  SortedValueStream stream(written.texts());
  EXPECT_EQ(shown_runs(&stream),
            (CountedTexts{{"9", 3}, {"9.0", 6}, {"10", 2}, {"", 4}, {"1e999", 7}, {"b", 6}}));
}

TEST(ValueRuns, GiveBackTextsAsTheyWere) {
  ValueRuns runs("/tmp", 0);
  const std::string longer(100000, 'x');
  const CountedTexts values = {
      {"-1", 1}, {"2", u64{1} << 40}, {"a", 1}, {std::string("a\0b", 3), 2}, {longer, 3}};
  const ValueRun *run = write_texts(&runs, values);
  EXPECT_EQ(shown_runs(&runs, *run), values);
  EXPECT_EQ(run->distinct, 5u);
  EXPECT_EQ(run->total, (u64{1} << 40) + 7);
  EXPECT_EQ(runs.values(), 5);
  EXPECT_GT(runs.bytes(), 100000);
}

TEST(ValueRuns, GiveBackNumbersOfAnyKind) {
  ValueRuns runs("/tmp", 0);
  const CountedTexts values = {{"-123456789012345678901234567890.5", 1},
                               {"-7", 2},
                               {"0.001", 1},
                               {"12345678901234567", 3},
                               {"99999999999999999999999999999999999999", 1},
                               {"100000000000000000000000000000000000000000000", 4}};
  Written written(values);
  SortedValueStream stream(written.numbers());
  const ValueRun *run = runs.write(&stream, false);
  EXPECT_EQ(shown_runs(&runs, *run), values);
}

// More runs than one merge takes, of many sizes.
TEST(SpilledValues, MergeManyRunsIntoOne) {
  std::mt19937_64 random(first_seed());
  ValueRuns runs("/tmp", 0);
  SpilledValues *spilled = runs.make_spilled();
  std::map<std::string, u64> expected;
  for (int i = 0; i < 300; ++i) {
    CountedTexts values;
    for (u64 n = 1 + random() % 200; n > 0; --n) {
      values.emplace_back("value " + std::to_string(random() % 3000), 1 + random() % 5);
      expected[values.back().first] += values.back().second;
    }
    spilled->add(write_texts(&runs, values));
  }
  const ValueRun &run = spilled->merged();
  EXPECT_EQ(shown_runs(&runs, run), CountedTexts(expected.begin(), expected.end()));
  EXPECT_EQ(&spilled->merged(), &run);
}

TEST(SpilledValues, AreLoadedAsTheyWereSaved) {
  ValueRuns runs("/tmp", 0);
  SpilledValues *spilled = runs.make_spilled();
  spilled->add(write_texts(&runs, {{"a", 1}}));
  spilled->add(write_texts(&runs, {{"a", 2}, {"b", 1}}));
  std::string saved;
  spilled->save(&saved);
  saved += "rest";
  Bytes left = saved;
  SpilledValues *loaded = runs.load_spilled(&left);
  EXPECT_EQ(left, "rest");
  loaded->add(write_texts(&runs, {{"c", 1}}));
  EXPECT_EQ(shown_runs(&runs, loaded->merged()), (CountedTexts{{"a", 3}, {"b", 1}, {"c", 1}}));
  EXPECT_EQ(shown_runs(&runs, spilled->merged()), (CountedTexts{{"a", 3}, {"b", 1}}));
}

TEST(ValueRuns, SayWhyTheyCouldNotBeWritten) {
  TemporaryFolder folder;
  ValueRuns runs(folder.path("missing"), 0);
  const ValueRun *run = write_texts(&runs, {{"a", 1}});
  EXPECT_EQ(shown_runs(&runs, *run), CountedTexts());
  ASSERT_FALSE(runs.status().is_ok());
  EXPECT_NE(runs.status().message().find("missing"), std::string::npos);
}

}  // namespace
}  // namespace mrc
