#include "expr/inner/membership.h"

#include "expr/inner/clock.h"
#include "record.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// Bare words, and text in quotes.
ValueSet set_of(const std::vector<std::string> &bare, const std::vector<std::string> &quoted = {}) {
  const TimeContext context = make_time_context({});
  ValueSet set;
  for (const std::string &text : bare) {
    const Result<Constant> constant = read_constant(text, context, 0);
    EXPECT_TRUE(constant.is_ok() && set.add(*constant)) << text;
  }
  for (const std::string &text : quoted) EXPECT_TRUE(set.add({.text = text}));
  set.complete();
  return set;
}

bool contains(const ValueSet &set, std::string value) {
  const size_t size = value.size();
  value.append(kPadding, '9');
  return set.contains(Bytes(value).substr(0, size));
}

TEST(ValueSet, ComparesNumbersByValueAndQuotedOnesAsBytes) {
  const ValueSet set = set_of({"1.50", "200", "0"}, {"7"});
  for (const char *value : {"1.5", "1.500", "+1.50", "15e-1", "200", "200.0", "0", "0.00", "7"}) {
    EXPECT_TRUE(contains(set, value)) << value;
  }
  for (const char *value : {"1.51", "20", "2000", "7.0", "", "-", "abc", "1.50x"}) {
    EXPECT_FALSE(contains(set, value)) << value;
  }
}

TEST(ValueSet, ComparesNumbersOfMoreDigitsThanAWordHas) {
  const ValueSet set = set_of({"12345678901234567890.5", "1e300"});
  EXPECT_TRUE(contains(set, "12345678901234567890.50"));
  EXPECT_TRUE(contains(set, "1e300"));
  EXPECT_FALSE(contains(set, "12345678901234567890.4"));
  EXPECT_FALSE(contains(set, "5"));
}

TEST(ValueSet, ComparesOtherTextAsBytes) {
  const ValueSet set = set_of({}, {"GET", "10.1.2.3", "", "a b", "10.0.0.0/8"});
  for (const char *value : {"GET", "10.1.2.3", "", "a b", "10.0.0.0/8"}) {
    EXPECT_TRUE(contains(set, value)) << value;
  }
  for (const char *value : {"get", "GETS", "10.1.2.4", "-", "a"}) {
    EXPECT_FALSE(contains(set, value)) << value;
  }
}

TEST(ValueSet, LooksForTheNetworkOfAnAddress) {
  const ValueSet set =
      set_of({"10.1.0.0/16", "10.0.0.0/8", "192.168.1.128/25", "2001:db8::/33", "203.0.113.7/32"});
  for (const char *value :
       {"10.0.0.0", "10.1.2.3", "10.255.255.255", "192.168.1.128", "192.168.1.255",
        "::ffff:10.9.9.9", "2001:db8:7fff::1", "203.0.113.7"}) {
    EXPECT_TRUE(contains(set, value)) << value;
  }
  for (const char *value : {"9.255.255.255", "11.0.0.0", "192.168.1.127", "192.168.2.0",
                            "2001:db8:8000::", "203.0.113.8", "::a01:203", "10.1", "x", ""}) {
    EXPECT_FALSE(contains(set, value)) << value;
  }
  EXPECT_TRUE(contains(set_of({"0.0.0.0/0"}), "255.255.255.255"));
  EXPECT_FALSE(contains(set_of({"0.0.0.0/0"}), "::1"));
}

TEST(ValueSet, FindsEachOfManyValues) {
  std::vector<std::string> values;
  for (i64 i = 0; i < 10000; ++i) values.push_back(std::to_string(i * 7) + (i % 2 == 0 ? "" : "x"));
  const ValueSet set = set_of({}, values);
  for (const std::string &value : values) EXPECT_TRUE(contains(set, value)) << value;
  EXPECT_FALSE(contains(set, "8"));
  EXPECT_FALSE(contains(set, "0x"));
}

}  // namespace
}  // namespace mrc
