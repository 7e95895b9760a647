#include "kinds/version.h"

#include <gtest/gtest.h>

#include <vector>

namespace mrc {
namespace {

TEST(VersionForm, IsThatOfAllEqualVersions) {
  for (const char *text : {"1.10", "v1.10", "V1.10.0", "1.10.0.0", "01.010", " 1.10.0+build.7 "}) {
    EXPECT_EQ(version_form(text), "1.10.0") << text;
  }
  EXPECT_EQ(version_form("2"), "2.0.0");
  EXPECT_EQ(version_form("0.0"), "0.0.0");
  EXPECT_EQ(version_form("1.2.3.4"), "1.2.3.4");
  EXPECT_EQ(version_form("v2.0-rc01"), "2.0.0-rc1");
  EXPECT_EQ(version_form("1.0.0-alpha.00"), "1.0.0-alpha.0");
  EXPECT_EQ(version_form("5.4.0-150-generic"), "5.4.0-150-generic");
}

TEST(VersionForm, IsNoneOfOtherText) {
  for (const char *text :
       {"", "-", "v", "1.", ".1", "1..2", "1.2x", "1.2rc1", "1.2-", "1.2-a b", "1.2+", "latest",
        "1.2-rc/1", "12345678901234567890123456", "-1.2", "vv1"}) {
    EXPECT_EQ(version_form(text), std::nullopt) << text;
    EXPECT_EQ(version_key(text), std::nullopt) << text;
  }
  EXPECT_TRUE(version_key("00000000000000000000000000001"));
}

TEST(VersionKey, OrdersVersions) {
  const std::vector<const char *> ascending = {
      "0",           "0.0.1-a",     "0.0.1",
      "0.9",         "0.10",        "1.0-alpha",
      "1.0-alpha.1", "1.0-alpha.2", "1.0-alpha.10",
      "1.0-alpha.b", "1.0-alpha1",  "1.0-beta",
      "1.0-rc2",     "1.0-rc10",    "1.0",
      "1.0.0.1-x",   "1.0.0.1",     "1.0.1-1",
      "1.0.1-rc",    "1.0.1",       "1.2",
      "1.2.9",       "1.10.2",      "2-0",
      "2.0",         "10",          "99.1234567890123456789",
      "100"};
  for (size_t i = 0; i < ascending.size(); ++i) {
    for (size_t j = 0; j < ascending.size(); ++j) {
      EXPECT_EQ(*version_key(ascending[i]) < *version_key(ascending[j]), i < j)
          << ascending[i] << " and " << ascending[j];
    }
  }
}

TEST(VersionKey, IsTheSameForEqualVersions) {
  for (const char *text : {"1.10", "v2.0.0-rc01", "0.0", "1.2.3.0+b", "3-a.b"}) {
    EXPECT_EQ(version_key(text), version_key(*version_form(text))) << text;
    EXPECT_EQ(version_key(text)->find(' '), std::string::npos);
  }
}

}  // namespace
}  // namespace mrc
