// Bounds of values, and what conditions tell by them: an exhaustive check against the filter.
#include "expr/field_bounds.h"

#include "unit/expr/record_columns.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;

const std::vector<std::optional<string>> kValues = {std::nullopt,
                                                    "",
                                                    "-",
                                                    "0",
                                                    "-1.5",
                                                    "2",
                                                    "2.0",
                                                    "10",
                                                    "1e1",
                                                    "x",
                                                    "abc",
                                                    "abcd",
                                                    "123456789012345678901234567890",
                                                    string(24, 'a'),
                                                    string(25, 'a'),
                                                    string(24, 'a') + "b",
                                                    "2026-11-03",
                                                    "2026-11-03T10:00:00Z",
                                                    "2026-11-03T10:00:00",
                                                    "Nov  3 10:00:00"};

const std::vector<string> kLiterals = {"2",
                                       "-1.5",
                                       "10",
                                       "0.5",
                                       "'2'",
                                       "'abc'",
                                       "'" + string(24, 'a') + "'",
                                       "'" + string(24, 'a') + "a'",
                                       "2026-11-03",
                                       "2026-11",
                                       "2026-11-03T10:00Z",
                                       "2026-11-04"};

std::shared_ptr<const Filter> filter_of(const string &where) {
  auto filter = make_filter(where, "", "", {.year_of_now = 2026, .month_of_now = 12});
  EXPECT_TRUE(filter.is_ok()) << where;
  return *filter;
}

FieldBounds bounds_of(const std::vector<Row> &rows) {
  static const TimeContext kContext{*find_zone(""), 2026, 12, DateOrder::unknown};
  BoundsBuilder builder(true, &kContext, true);
  const RecordColumns columns(rows, 1);
  for (i64 i = 0; i < columns.batch().size; ++i) {
    builder.add(columns.batch().fields[0][static_cast<size_t>(i)]);
  }
  return builder.take();
}

// Where the outlook says that nothing holds or is noted, the filter agrees.
void check(const string &where, const std::vector<Row> &rows, i64 *left_out) {
  const auto filter = filter_of(where);
  const FieldBounds bounds = bounds_of(rows);
  const FieldBounds *page[] = {&bounds};
  const Outlook outlook = filter->outlook(page);
  RecordColumns columns(rows, 1);
  const bool holds = columns.select(*filter).any();
  const bool notes = !columns.bad().empty();
  EXPECT_LE(holds, outlook.holds) << where << " of " << rows[0][0].value_or("none");
  EXPECT_LE(notes, outlook.notes) << where << " of " << rows[0][0].value_or("none");
  *left_out += !outlook.holds && !outlook.notes;
}

TEST(FieldBounds, LeaveOutOnlyWhatIsNotSelected) {
  i64 left_out = 0;
  for (const string &literal : kLiterals) {
    for (const char *sign : {"==", "!=", "<", "<=", ">", ">="}) {
      const string where = "f " + string(sign) + " " + literal;
      for (const auto &a : kValues) {
        for (const auto &b : kValues) check(where, {{a}, {b}}, &left_out);
      }
      for (const auto &a : kValues) {
        check("not (" + where + ")", {{a}}, &left_out);
        check(where + " and f > 1", {{a}}, &left_out);
        check("f > 1 and " + where, {{a}}, &left_out);
        check(where + " or f == 'x'", {{a}}, &left_out);
      }
    }
  }
  for (const auto &a : kValues) {
    for (const char *where : {"f in (2, 'abc')", "f between -2 and 1", "f =~ 'a'", "has(f)"}) {
      check(where, {{a}, {"2"}}, &left_out);
    }
  }
  EXPECT_GT(left_out, 1000);
}

TEST(FieldBounds, OfAnUnknownFieldTellNothing) {
  const FieldBounds *page[] = {nullptr};
  EXPECT_TRUE(filter_of("f > 5")->outlook(page).holds);
  EXPECT_TRUE(filter_of("f > 5")->outlook(page).notes);
  EXPECT_FALSE(filter_of("f == 'a'")->outlook(page).notes);
  EXPECT_FALSE(filter_of("f =~ 'a'")->outlook(page).notes);
}

// Times that name their zone and year mean the same in all contexts, and others do not.
TEST(FieldBounds, OfTimesDependOnTheirContext) {
  const TimeContext here{*find_zone(""), 2026, 12, DateOrder::unknown};
  const TimeContext zone{*find_zone("+02:00"), 2026, 12, DateOrder::unknown};
  const TimeContext year{*find_zone(""), 2025, 12, DateOrder::unknown};
  const auto means = [&](const string &value, const TimeContext &other) {
    return bounds_of({{value}}).times->means_same_in(other);
  };
  EXPECT_TRUE(means("2026-11-03T10:00:00Z", zone) && means("2026-11-03T10:00:00Z", year));
  EXPECT_TRUE(means("1700000000", zone));
  EXPECT_FALSE(means("2026-11-03T10:00:00", zone));
  EXPECT_TRUE(means("2026-11-03T10:00:00", year));
  EXPECT_FALSE(means("Nov  3 10:00:00", year));
  EXPECT_FALSE(means("20261103", zone));
  EXPECT_TRUE(means("Nov  3 10:00:00", here));
}

}  // namespace
}  // namespace mrc
