#include "expr/kind_order.h"

#include "base/int.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

using Strings = std::vector<std::string>;
using BucketPtr = std::shared_ptr<const Bucket>;

BucketPtr order_of(FieldKind kind, Misplaced misplaced) {
  return make_kind_order(kind, misplaced, {});
}

// Values may be over-read, as those of records are.
bool append(const Bucket &bucket, std::string value, std::string *name) {
  const size_t size = value.size();
  value.append(kPadding, 'x');
  return bucket.append(Bytes(value).substr(0, size), name);
}

std::string name_of_kind(const Bucket &bucket, const std::string &value) {
  std::string name;
  EXPECT_TRUE(append(bucket, value, &name)) << value;
  return name;
}

Strings ordered(FieldKind kind, Strings values) {
  const BucketPtr bucket = order_of(kind, Misplaced::first);
  std::ranges::stable_sort(values, {},
                           [&](const std::string &value) { return name_of_kind(*bucket, value); });
  return values;
}

TEST(KindOrder, OrdersNumbersByTheirValues) {
  EXPECT_EQ(ordered({ValueKind::number}, {"1e3", "9", "70", "-5", "0.5", "-1.5e2", "1000", "1_0"}),
            (Strings{"1_0", "-1.5e2", "-5", "0.5", "9", "70", "1e3", "1000"}));
  const std::string long_number = "9" + std::string(400, '0');
  EXPECT_EQ(ordered({ValueKind::number}, {long_number, "8", "-" + long_number}),
            (Strings{"-" + long_number, "8", long_number}));
}

TEST(KindOrder, OrdersDurationsTimesAndLevels) {
  EXPECT_EQ(ordered({ValueKind::duration}, {"1h", "900ms", "2m", "1s"}),
            (Strings{"900ms", "1s", "2m", "1h"}));
  EXPECT_EQ(ordered({ValueKind::duration, 1'000'000}, {"2s", "1500"}), (Strings{"1500", "2s"}));
  EXPECT_EQ(ordered({ValueKind::time}, {"2026-11-03T10:00:00Z", "2026-11-03T11:00:00+02:00",
                                        "2026-11-03T09:00:00.5Z", "1969-12-31"}),
            (Strings{"1969-12-31", "2026-11-03T11:00:00+02:00", "2026-11-03T09:00:00.5Z",
                     "2026-11-03T10:00:00Z"}));
  EXPECT_EQ(ordered({ValueKind::level}, {"fatal", "WARN", "debug", "E"}),
            (Strings{"debug", "WARN", "E", "fatal"}));
  EXPECT_EQ(ordered({ValueKind::truth}, {"true", "FALSE"}), (Strings{"FALSE", "true"}));
}

TEST(KindOrder, OrdersAddressesByTheirNumbers) {
  EXPECT_EQ(ordered({ValueKind::address}, {"10.0.0.10", "2001:db8::1", "9.9.9.9", "10.0.0.9"}),
            (Strings{"9.9.9.9", "10.0.0.9", "10.0.0.10", "2001:db8::1"}));
}

TEST(KindOrder, PutsWhatIsNotOfTheKindFirst) {
  EXPECT_EQ(ordered({ValueKind::number}, {"1", "x", "", "-", "-2"}),
            (Strings{"", "-", "x", "-2", "1"}));
  std::string name;
  const BucketPtr strict = order_of({ValueKind::number}, Misplaced::refused);
  EXPECT_FALSE(append(*strict, "x", &name));
  EXPECT_FALSE(append(*strict, "", &name));
  EXPECT_EQ(name, "");
}

TEST(KindOrder, HasNoNameThatBeginsWithAnother) {
  const Strings values = {"",     "-",   "1",  "10",       "1.5",       "1s",         "2026-11-03",
                          "warn", "abc", "ab", "10.0.0.1", "10.0.0.11", "17619840000"};
  for (const ValueKind kind : {ValueKind::number, ValueKind::duration, ValueKind::time,
                               ValueKind::level, ValueKind::address, ValueKind::truth}) {
    ASSERT_TRUE(has_order(kind));
    const BucketPtr bucket = order_of({kind}, Misplaced::first);
    for (const std::string &a : values) {
      for (const std::string &b : values) {
        const std::string x = name_of_kind(*bucket, a), y = name_of_kind(*bucket, b);
        EXPECT_TRUE(x == y || !y.starts_with(x)) << a << " " << b;
      }
    }
  }
  EXPECT_FALSE(has_order(ValueKind::text) || has_order(ValueKind::unknown));
}

}  // namespace
}  // namespace mrc
