#include "unit/combine/aggregate_run.h"

namespace mrc {
namespace {

std::string shown(const std::string &name, const std::vector<std::string> &values) {
  const AggregateRun run({name});
  return run.shown(0, run.folded(records_of(values)));
}

TEST(ExtremeValue, ShowsValuesAsTheyAreWritten) {
  const std::vector<std::string> addresses = {"10.0.0.9", "x", "010.1.1.1", "9.9.9.9", "10.0.0.10"};
  EXPECT_EQ(shown("min:f:address", addresses), "9.9.9.9");
  EXPECT_EQ(shown("max:f:address", addresses), "10.0.0.10");
  EXPECT_EQ(shown("max:f:text", {"b", "a", "", "ba"}), "ba");
  EXPECT_EQ(shown("min:f:text", {"b", "a", "ba"}), "a");
  EXPECT_EQ(shown("max:f:time", {"2026-11-03T10:00+02:00", "2026-11-03T09:00Z"}),
            "2026-11-03T09:00:00Z");
}

TEST(ExtremeValue, IsEmptyWithoutAValueOfTheKind) {
  EXPECT_EQ(shown("min:f:address", {"x", "", "-"}), "");
  EXPECT_EQ(shown("max:f:text", {}), "");
}

TEST(ExtremeValue, TakesTheSmallestOfEqualValuesInAnyOrder) {
  const AggregateRun run({"max:f:level"});
  for (const bool is_backwards : {false, true}) {
    auto a = run.folded(records_of({is_backwards ? "WARNING" : "warn"}));
    run.merge(&a, run.folded(records_of({is_backwards ? "warn" : "WARNING"})));
    EXPECT_EQ(run.shown(0, a), "warn");
  }
}

TEST(ExtremeValue, KeepsLongTexts) {
  const std::string x(5000, 'x'), y = x + "y";
  const AggregateRun run({"max:f:text"});
  const auto state = run.folded(records_of({x, y, "b"}));
  EXPECT_EQ(run.shown(0, run.reloaded(state)), y);
}

}  // namespace
}  // namespace mrc
