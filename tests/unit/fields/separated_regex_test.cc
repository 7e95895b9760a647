#include "fields/fields.h"
#include "unit/fields/read_records.h"

namespace mrc {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

FormatSpec by(const std::string &regex) { return {.regex = regex}; }

TEST(RegexReader, HasAFieldForEachGroup) {
  EXPECT_EQ(
      read_records(by(R"(\[(?<level>\w+)\] (\w+)(?: in (?P<ms>\d+))?)"), {"ms", "level", "2", "0"},
                   "x [notice] done in 12 ms\r\n\n[error] failed\n")
          .rows,
      (Rows{{"12", "notice", "done", "x [notice] done in 12 ms"},
            {kMissing, "error", "failed", "[error] failed"}}));
}

TEST(RegexReader, DoesNotMatchBadRecords) {
  const ReadRecords got = read_records(by("^(?<a>[0-9]+)$"), {"a"}, "1\nx\n22");
  EXPECT_EQ(got.rows, (Rows{{"1"}, {"22"}}));
  EXPECT_EQ(got.bad, Row{"the regular expression does not match: x"});
}

TEST(RegexReader, SeesCharactersAndOtherBytesOnlyIfAsked) {
  EXPECT_EQ(read_records(by("^(?<a>\\C*)$"), {"a"}, "\xFF\x80\n").rows, Rows{{"\xFF\x80"}});
  EXPECT_EQ(read_records(by("^(?<a>.*)$"), {"a"}, "\xFF\x80\n").bad,
            Row{"the regular expression does not match (\\C matches bytes that are not "
                "UTF-8): \xFF\x80"});
  EXPECT_EQ(read_records(by("^(?<a>[é])$"), {"a"}, "é\n").rows, Rows{{"é"}});
  EXPECT_EQ(read_records(by("(?<a>\\pL)"), {"a"}, "1é\n").rows, Rows{{"é"}});
}

TEST(RegexReader, TakesNothingForANamedGroupThatIsNone) {
  EXPECT_EQ(read_records(by(R"(\\(?<a>x)\(?<b)"), {"a"}, "\\x(<b\n").rows, Rows{{"x"}});
  EXPECT_EQ(read_records(by(R"(\\(?<a>x)\(?<b)"), {"a"}, "\\x<b\n").rows, Rows{{"x"}});
}

TEST(RegexReader, IsNamedByTheUserAsWell) {
  FormatSpec spec = by("(.)(.)");
  spec.columns = {"a", "b"};
  EXPECT_EQ(read_records(spec, {"b"}, "xy\n").rows, Rows{{"y"}});
}

TEST(RegexReader, IsCheckedAtOnce) {
  EXPECT_EQ(why_not(by("("), {}), "regex \"(\": missing ): (");
  EXPECT_EQ(why_not(by("a"), {}),
            "regex \"a\" has no group: name the fields by (?<name>...) in it");
  EXPECT_EQ(why_not(by("(?<level>a)"), {"lvel"}),
            "no field \"lvel\" in regex (did you mean \"level\"?); the fields are level");
  EXPECT_EQ(why_not(by("(?<level>a)"), {"2"}), "no field 2 in regex; the last field is 1");
  EXPECT_EQ(why_not({.format = &LineFormat::regex}, {}), "from regex needs regex");
}

}  // namespace
}  // namespace mrc
