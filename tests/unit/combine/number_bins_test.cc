// Bins of numbers and of times: their edges, and counts from memory and from disk.
#include "unit/combine/aggregate_run.h"

#include <fmt/format.h>

namespace mrc {
namespace {

using Texts = std::vector<std::string>;

Texts numbers(i64 first, i64 last) {
  Texts values;
  for (i64 i = first; i <= last; ++i) values.push_back(std::to_string(i));
  return values;
}

TEST(NumberBins, HaveReadableEdges) {
  EXPECT_EQ(aggregated("bins(f, 20)", numbers(1, 5)), "1 (1), 2 (1), 3 (1), 4 (1), 5 (1)");
  EXPECT_EQ(aggregated("bins(f, 4)", numbers(0, 99)), "0 (50), 50 (50)");
  EXPECT_EQ(aggregated("bins(f, 5)", numbers(-3, 12)), "-5 (3), 0 (5), 5 (5), 10 (3)");
  EXPECT_EQ(aggregated("bins(f, 3)", {"0.5", "1.75", "1.25", "0.75"}), "0.5 (2), 1 (1), 1.5 (1)");
  EXPECT_EQ(aggregated("bins(f, 9)", {"7", "7", "-", "x"}), "7 (2)");
}

TEST(NumberBins, AreObjectsInJson) {
  EXPECT_EQ(aggregated("bins(f, 2)", {"1", "2", "9"}, {}, Notation::json),
            R"([{"from":0,"to":5,"count":2},{"from":5,"to":10,"count":1}])");
  EXPECT_EQ(aggregated("bins(f, 2)", {}, {}, Notation::json), "[]");
  EXPECT_EQ(aggregated("bins(f, 2)", {"-"}), "");
}

TEST(NumberBins, TakeNumbersOfAnySize) {
  const std::string large = "123456789012345678901234567890";
  EXPECT_EQ(aggregated("bins(f, 3)", {"1e300", "-1e300", "0"}),
            fmt::format("-1{0} (1), 0 (1), 1{0} (1)", std::string(300, '0')));
  EXPECT_EQ(aggregated("bins(f, 2)", {large, large}), "123456789012345678900000000000 (2)");
}

TEST(NumberBins, AreThoseOfRunsToo) {
  ValueRuns runs("/tmp", 0);
  const AggregateRun run({"bins(f, 20)", "median:f"}, {}, &runs);
  AggregateRun::Folded state = run.folded(records_of(numbers(1, 3000)));
  const std::string in_memory = run.shown(0, state);
  run.layout().bound(state.state());
  run.add(records_of(numbers(3001, 4000)), &state);
  EXPECT_TRUE(in_memory.starts_with("0 (199), 200 (200), ")) << in_memory;
  EXPECT_EQ(run.shown(0, state), aggregated("bins(f, 20)", numbers(1, 4000)));
  EXPECT_EQ(run.rank(0, state), 4000u);
  EXPECT_EQ(run.parts(), 1);
}

// Tests pass seconds in place of the times of a field.
TEST(NumberBins, OfTimesBeginAtWholeMinutesHoursAndDays) {
  const auto bins = [](const Texts &seconds, i64 most) {
    return aggregated(fmt::format("bins(f:time, {})", most), seconds);
  };
  EXPECT_EQ(bins({"0", "59", "61.5"}, 2), "1970-01-01T00:00:00Z (2), 1970-01-01T00:01:00Z (1)");
  EXPECT_EQ(bins({"-1", "86399"}, 2), "1969-12-31T00:00:00Z (1), 1970-01-01T00:00:00Z (1)");
  EXPECT_EQ(bins({"3600", "7199", "14400"}, 2),
            "1970-01-01T00:00:00Z (2), 1970-01-01T03:00:00Z (1)");
  EXPECT_EQ(bins({"0", "8640000"}, 3),
            "1970-01-01T00:00:00Z (1), 1970-02-20T00:00:00Z (0), "
            "1970-04-11T00:00:00Z (1)");
  EXPECT_EQ(bins({"1e300", "12"}, 3), "1970-01-01T00:00:12Z (1)");
  EXPECT_EQ(bins({"-8500000000", "8500000000"}, 2),
            "1696-03-17T00:00:00Z (1), 1970-01-01T00:00:00Z (1)");
}

}  // namespace
}  // namespace mrc
