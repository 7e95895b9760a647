#include "fields/pattern.h"

#include "unit/fields/read_records.h"

namespace mrc {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

// The values of all fields of a line, or "no match".
Row match(const std::string &pattern, const std::string &line) {
  const FormatSpec spec{.pattern = pattern};
  const Result<Dialect> dialect = sniff(spec, line + "\n", true);
  if (!dialect.is_ok()) return {dialect.status().message()};
  const ReadRecords got = read_records(*dialect, dialect->names, line + "\n");
  return got.rows.empty() ? Row{"no match"} : got.rows[0];
}

std::string error_of_pattern(const std::string &pattern) {
  const Result<Pattern> compiled = Pattern::compile(pattern);
  return compiled.is_ok() ? "" : compiled.status().message();
}

const Row kNoMatch = {"no match"};

TEST(Pattern, TakesALineApart) {
  EXPECT_EQ(match("%{ip} %{time} %{rest}", "192.0.2.7 2024-05-01T10:00:00Z GET /x 200"),
            (Row{"192.0.2.7", "2024-05-01T10:00:00Z", "GET /x 200"}));
  EXPECT_EQ(match("%{a}=%{b}", "k=v=w"), (Row{"k", "v=w"}));
  EXPECT_EQ(match("100%% of %{what}", "100% of it"), (Row{"it"}));
}

TEST(Pattern, TakesABlankForARunOfThem) {
  EXPECT_EQ(match("%{a} %{b} c", "x  \t y\tc"), (Row{"x", "y"}));
  EXPECT_EQ(match("%{a} %{b}", "x"), kNoMatch);
  EXPECT_EQ(match("%{a:word} b", "x b  \t"), (Row{"x"})) << "blanks at the end do not count";
}

TEST(Pattern, MatchesAllOfALine) {
  EXPECT_EQ(match("%{n:int}", "12 x"), kNoMatch);
  EXPECT_EQ(match("x%{n:int}", " x12"), kNoMatch);
  EXPECT_EQ(match("%{n:int}%{:rest}", "12 x"), (Row{"12"}));
}

TEST(Pattern, EndsATextWhereItsLiteralStands) {
  EXPECT_EQ(match("%{a}, b: %{c}", "x, y, b: z, b: w"), (Row{"x, y", "z, b: w"}));
  EXPECT_EQ(match("[%{a}] %{b}", "[] x"), (Row{"", "x"}));
  EXPECT_EQ(match("[%{a}] %{b}", "[x y] z"), (Row{"x y", "z"}));
  EXPECT_EQ(match("%{a:word}: %{b}", "x y: z"), kNoMatch) << "a word has no blank";
  EXPECT_EQ(match("%{a:word}: %{b}", "x:y: z"), (Row{"x:y", "z"}));
  EXPECT_EQ(match("%{a:word}: %{b}", ": z"), kNoMatch) << "nor is it empty";
}

TEST(Pattern, PassesOverPartsThatAreMissing) {
  const std::string pattern = "%{message}%[, client: %{ip}%]%[, server: %{server}%]";
  EXPECT_EQ(match(pattern, "a, b"), (Row{"a, b", kMissing, kMissing}));
  EXPECT_EQ(match(pattern, "a, server: s"), (Row{"a", kMissing, "s"}));
  EXPECT_EQ(match(pattern, "a, client: 192.0.2.7, server: s"), (Row{"a", "192.0.2.7", "s"}));
  EXPECT_EQ(match(pattern, "a, client: gone, server: s"), (Row{"a, client: gone", kMissing, "s"}));
  EXPECT_EQ(match("%{a:int}%[ %{b:int}%[ %{c:int}%]%] x", "1 2 x"), (Row{"1", "2", kMissing}));
  EXPECT_EQ(match("%[<%{p:int}>%]%[ %]%{a}", "  x"), (Row{kMissing, "x"}));
}

TEST(Pattern, TakesTheLastPartOnlyAtTheEndOfTheLine) {
  const std::string pattern = "%{message}%[ %{ms:int}ms%]";
  EXPECT_EQ(match(pattern, "took 5ms to do it"), (Row{"took 5ms to do it", kMissing}));
  EXPECT_EQ(match(pattern, "took 5ms, then 812ms "), (Row{"took 5ms, then", "812"}));
}

TEST(Pattern, NamesWhatAPartMatches) {
  EXPECT_EQ(match("\"%(request:%{method:name} %{path}%[ HTTP/%{version:number}%]%)\" %{n:int}",
                  "\"GET /x HTTP/1.1\" 200"),
            (Row{"GET /x HTTP/1.1", "GET", "/x", "1.1", "200"}));
}

TEST(Pattern, TakesTheFirstAlternativeThatMatches) {
  const std::string pattern = "%{a:int} %{b}%|%{c:word} %{b}";
  EXPECT_EQ(match(pattern, "1 x"), (Row{"1", "x", kMissing}));
  EXPECT_EQ(match(pattern, "1a x"), (Row{kMissing, "x", "1a"}));
}

// Each type takes what it is said to take, as a whole.
TEST(Pattern, KnowsTypes) {
  const auto all = [](const std::string &type, const std::string &line) {
    return match("%{v:" + type + "}|%{:rest}", line + "|")[0];
  };
  const auto takes = [&](const std::string &type, const std::string &value) {
    return all(type, value) == value;
  };
  for (const char *value : {"0", "-1", "+7", "-"}) EXPECT_TRUE(takes("int", value)) << value;
  for (const char *value : {"", "1.5", "x", "--1"}) EXPECT_FALSE(takes("int", value)) << value;
  for (const char *value : {"0.5", "-1e9", ".5", "1E-3", "7", "-"}) {
    EXPECT_TRUE(takes("number", value)) << value;
  }
  for (const char *value : {"1.", "e5", ".", "1e"}) EXPECT_FALSE(takes("number", value)) << value;
  for (const char *value : {"0x1F", "deadBEEF", "-"}) EXPECT_TRUE(takes("hex", value)) << value;
  EXPECT_FALSE(takes("hex", "xyz"));
  for (const char *value : {"a.b.C", "com.example.Shop$1", "x_y.z-1.Q"}) {
    EXPECT_TRUE(takes("class", value)) << value;
  }
  for (const char *value : {"main", "a.b", "a.b.", ".a.b.c", "a..b", "1.2.3"}) {
    EXPECT_FALSE(takes("class", value)) << value;
  }
  EXPECT_TRUE(takes("letter", "E"));
  for (const char *value : {"INFO", "1", ""}) EXPECT_FALSE(takes("letter", value)) << value;
  for (const char *value :
       {"192.0.2.7", "2001:db8::7", "::1", "fe80::1%eth0", "::ffff:192.0.2.7"}) {
    EXPECT_TRUE(takes("ip", value)) << value;
  }
  for (const char *value :
       {"192.0.2", "192.0.2.256", "192.0.2.7.8", "10:00:00", "x", "a:b", "1.2.3.4a"}) {
    EXPECT_FALSE(takes("ip", value)) << value;
  }
  EXPECT_EQ(all("client", "192.0.2.7:80"), "192.0.2.7");
  EXPECT_EQ(all("client", "[2001:db8::7]:80"), "2001:db8::7");
  EXPECT_EQ(all("client", "www.example:80"), "www.example");
  for (const char *value : {"INFO", "warn", "E", "Warning", "debug5", "information"}) {
    EXPECT_TRUE(takes("level", value)) << value;
  }
  for (const char *value : {"INFOS", "x", "-", "warnings"}) {
    EXPECT_FALSE(takes("level", value)) << value;
  }
  for (const char *value :
       {"2024-05-01T10:00:00.123+02:00", "2024-05-01 10:00:00,123", "01/May/2024:10:00:00 +0000",
        "May  1 10:00:00", "1714557600.5", "2024-05-01 10:00:00.1 CEST"}) {
    EXPECT_TRUE(takes("time", value)) << value;
  }
  for (const char *value : {"2024-05-01T10:00:00x", "today", "10.0.0.1"}) {
    EXPECT_FALSE(takes("time", value)) << value;
  }
  EXPECT_EQ(all("quoted", "\"a \\\" b\""), "a \\\" b");
  EXPECT_EQ(all("quoted", "\"\""), "");
  EXPECT_EQ(all("quoted", "\"a"), "no match");
  EXPECT_EQ(all("bracketed", "[a[1] b]"), "a[1] b");
  EXPECT_EQ(all("bracketed", "[a[1"), "no match");
}

TEST(Pattern, TakesNoWordAfterATimeForItsZone) {
  EXPECT_EQ(match("%{time} %{a}", "2024-05-01 10:00:00 INFO x"),
            (Row{"2024-05-01 10:00:00", "INFO x"}));
  EXPECT_EQ(match("%{time} - %{a}", "2024-05-01 10:00:00,5 - x"),
            (Row{"2024-05-01 10:00:00,5", "x"}));
}

TEST(Pattern, SaysWhereItIsWrong) {
  EXPECT_EQ(error_of_pattern("%{a"), "pattern '%{a' at character 1: nothing closes this %{ by }");
  EXPECT_EQ(error_of_pattern("x %z"),
            "pattern 'x %z' at character 3: after % comes one of {, [, ], (, ), |, n or % for a "
            "percent sign");
  EXPECT_EQ(
      error_of_pattern("%{a:itn}"),
      "pattern '%{a:itn}' at character 5: no type \"itn\" (did you mean \"int\"?); there are "
      "text, word, name, class, letter, sign, rest, int, number, hex, ip, peer, client, time, "
      "ctime, epoch, level, "
      "quoted, bracketed, ns, us, ms and s");
  EXPECT_EQ(error_of_pattern("%{a}%{b}"),
            "pattern '%{a}%{b}' at character 5: a text ends where a literal follows: put one "
            "before this value, or write %{name:word} before it");
  EXPECT_EQ(error_of_pattern("%{a} %{a}"),
            "pattern '%{a} %{a}' at character 8: there is a value \"a\" already");
  EXPECT_EQ(error_of_pattern("%[ %{a}"),
            "pattern '%[ %{a}' at character 1: nothing closes this %[ by %]");
  EXPECT_EQ(error_of_pattern("%{a} %]"), "pattern '%{a} %]' at character 6: this closes no part");
  EXPECT_EQ(error_of_pattern("%{a}%[%]"),
            "pattern '%{a}%[%]' at character 5: there is nothing in this part");
  EXPECT_EQ(error_of_pattern("%{:int} x"),
            "pattern '%{:int} x' at character 1: no value in it has a name, such as %{time}");
  EXPECT_EQ(error_of_pattern("%{a b}"),
            "pattern '%{a b}' at character 4: a name has letters, digits, _ - . @ / and "
            "parentheses");
  EXPECT_EQ(error_of_pattern("%(a%)"),
            "pattern '%(a%)' at character 1: after %( come a name and a colon");
  std::string deep, many;
  for (int i = 0; i < 9; ++i) deep += "%[";
  EXPECT_NE(error_of_pattern(deep).find("nested more than 8 deep"), std::string::npos);
  for (int i = 0; i < 65; ++i) many += "%{f" + std::to_string(i) + "} ";
  EXPECT_NE(error_of_pattern(many).find("more than 64 names"), std::string::npos);
}

TEST(Pattern, JoinsLines) {
  const FormatSpec spec{.pattern = "%+%{time} %{message}%[, id %{id:int}%]"};
  const ReadRecords got = read_records(spec, {"message", "id"},
                                       "x\n10:00:00 a\n b\n\nc\n10:00:01 d, id 7\ne\n10:00:02 f\n");
  EXPECT_EQ(got.rows, (Rows{{"a\n b\n\nc", kMissing}, {"d", "7"}, {"f", kMissing}}));
  EXPECT_EQ(got.records[1], "10:00:01 d, id 7\ne");
  EXPECT_EQ(got.bad.size(), 1u);
}

TEST(Pattern, IsLoose) {
  const std::string pattern = "%~%{time} %{level} [%{thread}] %{ip} %{a}| %{left}";
  EXPECT_EQ(match(pattern, "10:00:00 INFO [ a [b] ] ::1 x y | z"),
            (Row{"10:00:00", "INFO", "a [b]", "::1", "x y", "z"}));
  EXPECT_EQ(match(pattern, "10:00:00 INFO [] ::x y | z"),
            (Row{"10:00:00", "INFO", "", kMissing, kMissing, "::x y | z"}));
  EXPECT_EQ(match(pattern, "10:00:00"),
            (Row{"10:00:00", kMissing, kMissing, kMissing, kMissing, ""}));
  EXPECT_EQ(match(pattern, "INFO [a]"), kNoMatch);
  EXPECT_EQ(match("%~%{level}: %{a}", "x: y"), kNoMatch);
  EXPECT_EQ(match("%~%{n:int}-%{a:word} %{b}", "7-x"), (Row{"7", "x", ""}));
  EXPECT_EQ(match("%~%{n:int}-%{a:word} %{b}", "x-7"), kNoMatch);
  EXPECT_EQ(match("%~x %{b}", "x y"), (Row{"y"}));
  EXPECT_EQ(match("%~x %{b}", "y"), kNoMatch);
  EXPECT_EQ(match("%~((%{a})) [%{b} (%{c}] %{d}) %{e}", "((x)) [y (z] w) v"),
            (Row{"x", "y", "z", "w", "v"}));
}

TEST(Pattern, IsNotAnythingLoose) {
  const auto error = [](const std::string &pattern) {
    const std::string all = error_of_pattern(pattern);
    return all.substr(all.find(" at character ") + 14);
  };
  EXPECT_EQ(error("%~"), "3: a pattern has at least one value, such as %{time}");
  EXPECT_EQ(error("%~%{time}"), "10: a loose pattern ends with a text, such as %{message}");
  EXPECT_EQ(error("%~%{a} x"), "9: a loose pattern ends with a text, such as %{message}");
  EXPECT_EQ(error("%~%[%{a} %]%{b}"), "3: a loose pattern has no parts");
  EXPECT_EQ(error("%~%{a}%|%{b}"), "1: a loose pattern has no alternatives");
  EXPECT_EQ(error("%~%{a:quoted} %{b}"), "3: a loose pattern has no value of this type here");
  EXPECT_EQ(error("%~%{a} %{:rest} %{b}"), "8: a loose pattern has no value of this type here");
  EXPECT_EQ(error("%~%{a}%{b} %{c}"), "3: this value needs a literal after it");
  std::string many = "%~";
  for (int i = 0; i < 65; ++i) many += "%{} ";
  EXPECT_EQ(error(many + "%{a}"), "259: there are more than 64 values");
}

TEST(Pattern, CountsRecordsThatDoNotMatchAsBad) {
  const FormatSpec spec{.pattern = "%{a:int} %{b}"};
  const ReadRecords got = read_records(spec, {"b", "1"}, "1 x\n\ny\n2 z");
  EXPECT_EQ(got.rows, (Rows{{"x", "1"}, {"z", "2"}}));
  EXPECT_EQ(got.bad.size(), 1u);
}

}  // namespace
}  // namespace mrc
