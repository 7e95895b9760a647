#include "combine/group_batch.h"

#include "combine/figure.h"
#include "combine/formula.h"
#include "support/temporary_folder.h"
#include "unit/combine/aggregate_run.h"

#include <deque>

namespace mrc {
namespace {

using Texts = std::vector<std::string>;

// Groups with these values, in a batch.
struct Groups {
  explicit Groups(const std::vector<std::string> &aggregates, ValueRuns *runs = nullptr)
      : run(aggregates, {}, runs), batch(run.layout()) {}

  void add(const std::string &key, const Texts &values) {
    keys.push_back(key);
    states.push_back(run.folded(records_of(values)));
    batch.add(keys.back(), states.back().state());
  }
  std::string shown(i64 column, i64 group, Notation notation = Notation::text) {
    std::string text;
    batch.append(run.layout().column(column), group, notation, &text);
    return text;
  }
  std::vector<std::string> faults(i64 column) {
    std::vector<std::string> all;
    batch.results(*run.layout().column(column).formula)
        .each_fault([&](size_t group, const std::string &reason) {
          all.push_back(std::to_string(group) + ": " + reason);
        });
    return all;
  }

  AggregateRun run;
  GroupBatch batch;
  std::deque<std::string> keys;
  std::deque<AggregateRun::Folded> states;
};

TEST(GroupBatch, ComputesAFormulaOnceForAllGroups) {
  Groups groups({"(sum:x/count)"});
  groups.add("a", {"1", "2"});
  groups.add("b", {"5"});
  const Formula &formula = *groups.run.layout().column(0).formula;
  const FormulaResults *results = &groups.batch.results(formula);
  EXPECT_EQ(groups.shown(0, 0), "1.5");
  EXPECT_EQ(groups.shown(0, 1), "5");
  EXPECT_EQ(&groups.batch.results(formula), results);

  groups.batch.clear();
  groups.add("c", {"7"});
  EXPECT_EQ(groups.batch.size(), 1);
  EXPECT_EQ(groups.shown(0, 0), "7") << "of the groups that are there now";
}

TEST(GroupBatch, ShowsWhatOneGroupAloneShows) {
  Groups groups({"(sum:x*2)", "(if(count > 1, first:x, max:x))", "(min:x > 1)"});
  for (const Texts &values : std::vector<Texts>{{}, {"1.50", "1.5"}, {"", "x"}, {"-3"}}) {
    groups.add("k", values);
  }
  for (i64 column = 0; column < 3; ++column) {
    for (i64 i = 0; i < 4; ++i) {
      const auto &state = groups.states[static_cast<size_t>(i)];
      EXPECT_EQ(groups.shown(column, i), groups.run.shown(column, state)) << column << i;
      EXPECT_EQ(groups.batch.rank(groups.run.layout().column(column), i),
                groups.run.rank(column, state));
    }
  }
  EXPECT_EQ(groups.shown(0, 1), "6");
  EXPECT_EQ(groups.shown(1, 2, Notation::json), "\"x\"");
  EXPECT_EQ(groups.shown(1, 0, Notation::json), "null");
}

TEST(GroupBatch, NamesGroupsWithoutAResult) {
  Groups groups({"(1/(count - 2))", "(min:x+1)", "(first:x+1)"});
  groups.add("a", {"1"});
  groups.add("b", {"1", "2"});
  groups.add("c", {"x"});
  EXPECT_EQ(groups.faults(0), (Texts{"1: (1/(count - 2)) has no result: the divisor: 0"}));
  EXPECT_EQ(groups.faults(1), Texts()) << "an input is missing";
  EXPECT_EQ(groups.faults(2), (Texts{"2: field first:x in (first:x+1) is not a number: x"}));
}

TEST(GroupBatch, SaysOfSumsBeyondAllDoublesThatTheyAreNoNumbers) {
  Groups groups({"(sum:x+1)"});
  groups.add("a", {"9e307", "9e307"});
  groups.add("b", {"2"});
  const Texts faults = groups.faults(0);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_TRUE(faults[0].starts_with("0: field sum:x in (sum:x+1) is not a number: 18"))
      << faults[0];
  EXPECT_EQ(groups.shown(0, 0), "");
  EXPECT_EQ(groups.shown(0, 1), "3");
}

// Lists of values that fit on disk only are not made for many groups at once.
TEST(GroupBatch, IsFullWithOneGroupIfATextMayBeLong) {
  const TemporaryFolder folder;
  ValueRuns runs(folder.path("."), 1 << 20);
  Groups some({"(sum:x/count)", "(median:x*2)"}, &runs);
  some.add("a", {"1"});
  EXPECT_FALSE(some.batch.is_full());
  for (const std::string list : {"unique:x", "(length(unique:x))"}) {
    Groups one({list}, &runs);
    one.add("a", {"1"});
    EXPECT_TRUE(one.batch.is_full()) << list;
  }
}

TEST(GroupBatch, LooksAtKeysAndAtResultsOfOtherFormulas) {
  Groups groups({"count", "(sum:x/count)"});
  const KeyShape key = {{{"word"}, {"number", true}}};
  const auto order =
      parse_order("$\"(sum:x/count)\" * 2 + number", key, groups.run.layout().aggregation(), {});
  ASSERT_TRUE(order.is_ok()) << order.status().message();
  std::string bytes;
  append_key_part(key.parts[0], "a", &bytes);
  append_key_part(key.parts[1], "100", &bytes);
  groups.add(bytes, {"1", "2"});
  groups.add(bytes, {"4"});
  std::string text;
  groups.batch.append(**order, 0, Notation::text, &text);
  EXPECT_EQ(text, "103");
  EXPECT_EQ(groups.batch.rank(**order, 1), Figure::decimal(108, 0).rank());
}

TEST(StateLayout, ShowsNumbersAsTheyReadThatAreWritten) {
  Groups groups({"count:x", "sum:x", "mean:x", "min:x", "distinct:x"});
  groups.add("a", {"1.50", "1.5", "x"});
  groups.add("b", {"12345678901234567890", "0.5"});
  groups.add("c", {"1", "1", "2"});
  groups.add("d", {});
  for (i64 i = 0; i < groups.batch.size(); ++i) {
    for (i64 column = 0; column < groups.run.layout().columns(); ++column) {
      Arena arena;
      const std::string text = groups.shown(column, i, Notation::exact);
      const Number written = parse_number(PaddedText(text, 'x').text(), &arena);
      const Number number = groups.batch.number(groups.run.layout().column(column), i);
      if (is_narrow(written) || !is_number(written)) {
        EXPECT_EQ(number, written) << text;
      } else {
        EXPECT_EQ(compare_numbers(number, written), 0) << text;
      }
    }
  }
}

}  // namespace
}  // namespace mrc
