// The order of day and month: where it comes from, and what it decides.
#include "expr/computed_field.h"
#include "expr/expr.h"
#include "unit/expr/record_columns.h"

#include <gtest/gtest.h>

#include <map>

namespace mrc {
namespace {

// Fields by their names: what a sample has told of them.
class KnownKinds : public FieldKinds {
 public:
  explicit KnownKinds(std::map<std::string, FieldKind> kinds) : kinds_(std::move(kinds)) {}
  FieldKind kind_of(const FieldName &field) const override {
    const auto found = kinds_.find(field.text);
    return found == kinds_.end() ? FieldKind() : found->second;
  }
  void depend_on(const FieldName &field, const FieldKind &kind) const override {
    depends_[field.text] = kind;
  }
  bool has(const FieldName &field) const override { return kinds_.contains(field.text); }
  bool lacks(const FieldName &) const override { return false; }
  void compared(const std::string &, ValueKind) const override {}
  void note(const std::string &text) const override { notes_.push_back(text); }

  const std::map<std::string, FieldKind> &depends() const { return depends_; }
  const std::vector<std::string> &notes() const { return notes_; }

 private:
  std::map<std::string, FieldKind> kinds_;
  mutable std::map<std::string, FieldKind> depends_;
  mutable std::vector<std::string> notes_;
};

const FieldKind kByDay{.kind = ValueKind::time, .dates = DateOrder::day_first};
const FieldKind kByMonth{.kind = ValueKind::time, .dates = DateOrder::month_first};
const FieldKind kOpen{.kind = ValueKind::text, .dates = DateOrder::unsettled};

FieldExpr field(const char *name) { return {.field = {name, -1}, .text = name}; }

std::string bucket_of(const char *text, Bytes value, const Clock &clock) {
  const Result<FieldExpr> field = parse_field(text, clock);
  std::string name;
  return field.is_ok() && field->bucket->append(value, &name) ? name : "";
}

bool selects(const char *where, const Row &row, const Clock &clock, const char *since = "") {
  const auto filter = make_filter(where, since, "", clock);
  if (!filter.is_ok()) return ADD_FAILURE() << filter.status().message(), false;
  return RecordColumns({row}, row.size()).select(**filter)[0];
}

TEST(DateOrderOf, IsThatOfTheKindAndElseThatOfTheClock) {
  const KnownKinds kinds({{"due", kByDay}, {"sent", {ValueKind::time}}});
  const Clock clock{.dates = DateOrder::month_first, .kinds = &kinds};
  EXPECT_EQ(date_order_of(field("due"), clock), DateOrder::day_first);
  EXPECT_EQ(date_order_of(field("sent"), clock), DateOrder::month_first);
  EXPECT_EQ(date_order_of(field("sent"), {}), DateOrder::unknown);
  FieldExpr column = field("due");
  column.kind = kByMonth;
  EXPECT_EQ(date_order_of(column, {}), DateOrder::month_first) << "of a column that is known";
}

TEST(DateOrderOf, IsWhatTheJobDependsOn) {
  const KnownKinds kinds({{"due", kByDay}, {"sent", {ValueKind::time}}});
  const Clock clock{.kinds = &kinds};
  date_order_of(field("due"), clock);
  date_order_of(field("sent"), clock);
  EXPECT_EQ(kinds.depends(), (std::map<std::string, FieldKind>{{"due", kByDay}}));
  EXPECT_TRUE(kinds.notes().empty());
}

TEST(DateOrderOf, IsAskedForIfNothingSettlesIt) {
  const KnownKinds kinds({{"due", kOpen}});
  EXPECT_EQ(date_order_of(field("due"), {.dates = DateOrder::day_first, .kinds = &kinds}),
            DateOrder::day_first);
  EXPECT_TRUE(kinds.notes().empty());
  EXPECT_EQ(date_order_of(field("due"), {.kinds = &kinds}), DateOrder::unknown);
  ASSERT_EQ(kinds.notes().size(), 1u);
  EXPECT_NE(kinds.notes()[0].find("due: 03/11/2026"), std::string::npos);
  EXPECT_NE(kinds.notes()[0].find("dates dmy or mdy"), std::string::npos);
}

TEST(DateOrder, DecidesBuckets) {
  const KnownKinds kinds({{"due", kByDay}, {"paid", kByMonth}, {"open", kOpen}});
  const Clock clock{.kinds = &kinds};
  EXPECT_EQ(bucket_of("due:day", "03/11/2026", clock), "2026-11-03");
  EXPECT_EQ(bucket_of("paid:day", "03/11/2026", clock), "2026-03-11");
  EXPECT_EQ(bucket_of("due:time", "03/11/2026 10:00:00", clock), "2026-11-03T10:00:00Z");
  EXPECT_EQ(bucket_of("open:day", "03/11/2026", clock), "");
  EXPECT_EQ(bucket_of("open:day", "25/11/2026", clock), "") << "the sample settles it, or nothing";
  EXPECT_EQ(bucket_of("paid:day", "25/11/2026", clock), "");
}

TEST(DateOrder, DecidesComparisons) {
  const KnownKinds kinds({{"due", kByDay}, {"paid", kByMonth}});
  const Clock clock{.kinds = &kinds};
  EXPECT_TRUE(selects("due == 2026-11-03", {"03/11/2026"}, clock));
  EXPECT_TRUE(selects("paid < 2026-11-03", {"03/11/2026"}, clock));
  EXPECT_TRUE(selects("due > paid", {"03/11/2026", "03/11/2026"}, clock));
  EXPECT_TRUE(selects("month(due) == 11", {"03/11/2026"}, clock));
  EXPECT_TRUE(selects("difference(due, paid) > 86400", {"03/11/2026", "03/11/2026"}, clock));
  EXPECT_TRUE(selects("due == '03/11/2026'", {"3/11/2026 10:00:00"}, clock)) << "all of the day";
  EXPECT_TRUE(selects("time(concat(due, ' ', clock)) >= 2026-11-03T10:00",
                      {"03/11/2026", "10:00:00"}, clock));
  EXPECT_TRUE(selects("", {"03/11/2026"}, clock, "due=2026-11-03"));
  EXPECT_FALSE(selects("", {"03/11/2026"}, clock, "due=04/11/2026"));
}

TEST(DateOrder, IsNeededToCompareWithADateInQuotes) {
  const KnownKinds kinds({{"open", kOpen}, {"time", {ValueKind::time}}});
  for (const char *where : {"open > '03/11/2026'", "time > '25/11/2026'", "time == '3/11/2026'"}) {
    const auto filter = make_filter(where, "", "", {.kinds = &kinds});
    ASSERT_FALSE(filter.is_ok()) << where;
    EXPECT_NE(filter.status().message().find("dates dmy or mdy"), std::string::npos) << where;
    EXPECT_TRUE(
        make_filter(where, "", "", {.dates = DateOrder::day_first, .kinds = &kinds}).is_ok());
  }
  EXPECT_TRUE(make_filter("open == '03/11/2026'", "", "", {.kinds = &kinds}).is_ok()) << "bytes";
}

}  // namespace
}  // namespace mrc
