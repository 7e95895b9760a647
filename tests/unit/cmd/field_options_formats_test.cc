#include "cmd/values.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

std::string found(const std::string &text, const std::string &name) {
  const Result<std::string> pattern = find_own_format(text, "formats", name);
  return pattern.is_ok() ? *pattern : pattern.status().message();
}

TEST(OwnFormats, AreFoundByTheirNames) {
  const std::string text = "# mine\n\nshop %{time} %{level} %{rest}\r\n  pay\t%{a}  \nlast %{b}";
  EXPECT_EQ(found(text, "shop"), "%{time} %{level} %{rest}");
  EXPECT_EQ(found(text, "pay"), "%{a}");
  EXPECT_EQ(found(text, "last"), "%{b}");
  EXPECT_EQ(found(text, "sho"), "");
  EXPECT_EQ(found(text, "#"), "");
  EXPECT_EQ(found("", "shop"), "");
}

TEST(OwnFormats, HaveTheSyntaxOfNamedFormats) {
  const std::string text =
      "let HEAD %{time}\n  + [%{level}]\n\nformat shop\ntitle my shop\nlines joined\n"
      "pattern ${HEAD} order %{order:int}\npattern ${HEAD} %{message}\n\npay ${HEAD}%{a}\n"
      "format x\nkinds a:ms\nformat y\nlines around\npattern %{a}\n";
  EXPECT_EQ(found(text, "shop"),
            "%+%{time} [%{level}] order %{order:int}%|%{time} [%{level}] %{message}");
  EXPECT_EQ(found(text, "pay"), "%{time} [%{level}]%{a}");
  EXPECT_EQ(found(text, "x"),
            "formats:11: kinds: a format of your own has title, lines and pattern only");
  EXPECT_EQ(found(text, "y"), "formats:13: lines are records or joined, not around");
}

TEST(OwnFormats, SayInWhichLineTheyAreWrong) {
  EXPECT_EQ(found("a %{b}\nshop\n", "shop"),
            "formats:2: shop has no pattern: write one after its name");
  EXPECT_EQ(found("a %{b\nshop %{b\n", "shop"),
            "formats:2: pattern '%{b' at character 1: nothing closes this %{ by }");
  EXPECT_EQ(found("  +x\n", "shop"), "formats:1: it continues nothing");
  EXPECT_EQ(found("a %{b}\n\nc ${D}\n", "a"), "formats:3: no let before it has the name after ${");
  EXPECT_EQ(found("title x\n", "a"), "formats:1: no format begins before it");
  EXPECT_EQ(found("format a\ntitle x\ntitle y\n", "a"), "formats:3: a second title");
}

TEST(OwnFormats, AreChoicesLikeTheOthers) {
  FormatSpec spec;
  EXPECT_TRUE(choose_input("syslog", &spec).is_ok());
  EXPECT_EQ(spec.format, &LineFormat::syslog);
  EXPECT_TRUE(choose_input("pattern:%{a}", &spec).is_ok());
  EXPECT_EQ(spec.format, &LineFormat::pattern);
  EXPECT_EQ(spec.pattern, "%{a}");
  EXPECT_TRUE(choose_input("auto", &spec).is_ok());
  EXPECT_EQ(spec.format, nullptr);
  EXPECT_EQ(spec.pattern, "");
  EXPECT_FALSE(choose_input("pattern:%{a", &spec).is_ok());
}

}  // namespace
}  // namespace mrc
