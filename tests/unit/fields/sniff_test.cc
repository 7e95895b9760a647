#include "base/names.h"
#include "fields/fields.h"
#include "unit/fields/read_records.h"

namespace mrc {
namespace {

Dialect sniffed_by(Bytes head, bool whole = true, const FormatSpec &spec = {}) {
  const Result<Dialect> dialect = sniff(spec, head, whole);
  EXPECT_TRUE(dialect.is_ok()) << dialect.status().message();
  return dialect.is_ok() ? *dialect : Dialect();
}

const std::string kCommon = "a - - [t] \"GET / HTTP/1.0\" 200 5\n";
const std::string kCombinedLine = "a - - [t] \"GET / HTTP/1.0\" 200 5 \"-\" \"curl\"\n";
const std::string kVhost = "h:80 a - - [t] \"GET / HTTP/1.0\" 200 5 \"-\" \"curl\"\n";
const std::string kWrapped = "\"a - - [t] \"\"GET / HTTP/1.0\"\" 200 5\",x\n";

TEST(Sniff, TellsFormatsByTheirShape) {
  using Case = std::pair<std::string, const LineFormat *>;
  for (const auto &[head, format] :
       {Case{kCommon, &LineFormat::common}, Case{kCombinedLine, &LineFormat::combined},
        Case{kVhost, &LineFormat::vhost}, Case{kWrapped, &LineFormat::common},
        Case{"\xEF\xBB\xBF\r\n\r\n" + kCommon, &LineFormat::common},
        Case{"Jun 14 15:16:01 combo sshd[1]: x\r\n", &LineFormat::syslog},
        Case{"<34>1 - - - - - -\n", &LineFormat::syslog},
        Case{"2023-06-14T15:16:01.1+02:00 deb systemd[1]: Started\n", &LineFormat::syslog},
        Case{"2023-06-14T15:16:01 INFO main: started\n", &LineFormat::lines},
        Case{"2023-06-14T15:16:01 info main: started\n", &LineFormat::lines},
        Case{"2023-06-14T15:16:01 Warning main: started\n", &LineFormat::lines},
        Case{"2023-06-14T15:16:01 main ERROR: started\n", &LineFormat::lines},
        Case{"2023-06-14T15:16:01 [main] app: started\n", &LineFormat::lines},
        Case{"2023-06-14T15:16:01 com.app.Main: it is started\n", &LineFormat::lines},
        Case{"2023-06-14T15:16:01Z host=info main: started\n", &LineFormat::lines},
        Case{"2023-06-14T15:16:01Z host=info level=1 a=b program: started\n", &LineFormat::logfmt},
        Case{"Jun 14 15:16:01 info main: started\n", &LineFormat::lines},
        Case{"Foo 14 15:16:01 combo sshd[1]: x\n", &LineFormat::lines},
        // Ragged CSV.
        Case{"2023-06-14T15:16:01Z,login,\"Ann Smith, sales: north\"\n"
             "2023-06-14T15:16:02Z,logout,\"Bob Jones: south\",x,y\n",
             &LineFormat::lines},
        Case{"Jun 14 15:16:01,web,sshd: x\nJun 14 15:16:02,web\nJun 14 15:16:02\n",
             &LineFormat::lines},
        Case{"Jun 14 15:16:01 2023,web,sshd: x\nJun 14 15:16:02 2023,a\n", &LineFormat::lines},
        Case{"Jun 14 15:16:01 10.0.0.1 sshd[1]: x\r\n", &LineFormat::syslog},
        Case{"Jun 14 15:16:01 combo last message repeated 2 times\n", &LineFormat::syslog},
        Case{"2023-06-14T15:16:01+02 fe80::1 app: x\n", &LineFormat::syslog},
        Case{"2023-06-14T15:16:01,123Z host Web Server[12]: x\n", &LineFormat::syslog},
        Case{"time:1\thost:2\n", &LineFormat::ltsv},
        Case{"level=info msg=\"a b\" ms=12\n", &LineFormat::logfmt},
        Case{"level=\"info\", msg=\"a b\", ms=12\n", &LineFormat::logfmt},
        Case{"2024-01-01 00:00:00,123 INFO a\n2024-01-01 00:00:01,456 INFO b\n",
             &LineFormat::lines},
        Case{"ts=1 level=info\nvery much = other text\nts=2 level=warn\n", &LineFormat::logfmt},
        Case{"the quick brown fox\njumps\n", &LineFormat::lines}, Case{"", &LineFormat::lines},
        Case{std::string("\0\xFF\n", 3), &LineFormat::lines}}) {
    EXPECT_STREQ(sniffed_by(head).format->name, format->name) << head;
  }
}

TEST(Sniff, CountsShapesOfAccessLogsTogether) {
  const Dialect dialect =
      sniffed_by(kCommon + kVhost + kVhost + kCombinedLine + "junk\n\n" + kVhost);
  EXPECT_EQ(dialect.format, &LineFormat::vhost);
  EXPECT_EQ(dialect.reason, "5 of the first 6 records");
}

TEST(Sniff, NeedsTwoThirds) {
  EXPECT_EQ(sniffed_by(kCommon + kCommon + "x\n").format, &LineFormat::common);
  EXPECT_EQ(sniffed_by(kCommon + "x\n").format, &LineFormat::lines);
  EXPECT_EQ(sniffed_by(kCommon + "x\n").reason, "the first 2 records have no other format");
}

TEST(Sniff, LooksAtWholeRecordsOnly) {
  EXPECT_EQ(sniffed_by(kCommon + "a - - [t] \"GE", false).reason, "1 of the first 1 records");
  EXPECT_EQ(sniffed_by(kCommon + "a - - [t] \"GE", true).format, &LineFormat::lines);
  EXPECT_EQ(sniffed_by("a - - [t] \"GE", false).reason, "there is no whole record");
  std::string many;
  for (int i = 0; i < 60; ++i) many += kCommon;
  EXPECT_EQ(sniffed_by(many).reason, "50 of the first 50 records");
}

TEST(Sniff, CollectsLabels) {
  const Dialect dialect = sniffed_by("a=1 b=2\nb=1 c=2 a=3\n");
  EXPECT_TRUE(dialect.open);
  EXPECT_EQ(dialect.names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(sniffed_by("a:1\tb:2\n", true, {.format = &LineFormat::ltsv}).names,
            (std::vector<std::string>{"a", "b"}));
}

TEST(Sniff, DoesWhatItIsTold) {
  EXPECT_EQ(sniffed_by(kCommon, true, {.format = &LineFormat::lines}).format, &LineFormat::lines);
  EXPECT_EQ(sniffed_by(kCommon, true, {.delimiter = ';'}).format, &LineFormat::fields);
  EXPECT_EQ(sniffed_by(kCommon, true, {.regex = "(.)"}).format, &LineFormat::regex);
  EXPECT_EQ(sniffed_by("x", true, {.format = &LineFormat::combined}).reason, "as asked");
}

TEST(Sniff, RefusesWhatWouldHaveNoEffect) {
  EXPECT_EQ(why_not({.format = &LineFormat::combined, .delimiter = ';'}, {}),
            "delimiter: combined has none; fields, csv and tsv do");
  EXPECT_EQ(why_not({.format = &LineFormat::combined, .regex = "(.)"}, {}),
            "regex and from combined cannot be used together");
  EXPECT_EQ(why_not({.format = &LineFormat::syslog, .header = true}, {}),
            "header-in: syslog has no header, its fields have names");
  EXPECT_EQ(why_not({.columns = {"a"}}, {}, kCommon),
            "columns: the fields of common have names already");
  EXPECT_EQ(why_not({.format = &LineFormat::lines, .columns = {"a", "b"}}, {}),
            "columns: 2 names, but lines have one field");
}

TEST(Formats, HaveNames) {
  for (const LineFormat *format : line_formats()) {
    EXPECT_EQ(find_named<LineFormat>(line_formats(), format->name), format) << format->name;
  }
  EXPECT_EQ(find_named<LineFormat>(line_formats(), "combind"), nullptr);
}

TEST(Sniff, AnInputWithoutAByteHasEveryField) {
  for (const FormatSpec &spec :
       {FormatSpec{}, FormatSpec{.format = &LineFormat::csv, .header = true},
        FormatSpec{.format = &LineFormat::combined}, FormatSpec{.columns = {"a", "b"}}}) {
    const std::vector<FieldName> wanted = {{"status", -1}, {"", 99}, {"", 0}};
    EXPECT_TRUE(make_reader(sniffed_by("", true, spec), wanted).is_ok());
  }
  EXPECT_FALSE(make_reader(sniffed_by("x\n"), std::vector<FieldName>{{"status", -1}}).is_ok());
  EXPECT_FALSE(sniff({.regex = "("}, "", true).is_ok());
}

TEST(SniffedHead, IsSoManyBytesOrThreeLines) {
  const std::string line(30000, 'x'), most(kMostSniffedBytes, 'y');
  auto seen = [](const std::string &begin, bool whole, const FormatSpec &spec = {}) {
    const std::optional<SniffedHead> head = sniffed_head(begin, whole, spec);
    return head ? std::to_string(head->bytes.size()) + (head->whole ? " whole" : "") : "more";
  };
  EXPECT_EQ(seen("a\nb\nc\nd\n", false), "more");
  EXPECT_EQ(seen("a\nb\nc\nd\n", true), "8 whole");
  EXPECT_EQ(seen("", true), "0 whole");
  EXPECT_EQ(seen("a\nb\nc\n" + most, true), "65536");
  EXPECT_EQ(seen(line + "\n" + line + "\n" + line, false), "more");
  EXPECT_EQ(seen(line + "\n" + line + "\n" + line + "\nz", false), "90003");
  EXPECT_EQ(seen(line + "\n" + line + "\n" + line + "\n", true), "90003 whole");
  EXPECT_EQ(seen(most, false), "4194304");
  EXPECT_EQ(seen(most + "\na\nb\nc\n", true), "4194304");
  const FormatSpec csv{.format = &LineFormat::csv};
  EXPECT_EQ(seen(most, false, csv), "more");
  EXPECT_EQ(seen(most + most + "\na\nb\nc\n", true, csv), "8388609");
  EXPECT_EQ(seen(most, false, {.format = &LineFormat::csv, .header = false}), "4194304");
}

TEST(Sniff, KnowsAHeaderThatIsLongerThanTheUsualHead) {
  std::string header = "first", row = "1";
  for (int i = 0; i < 20000; ++i) {
    header += ",column" + std::to_string(i);
    row += ",2";
  }
  const std::string text = header + "\n" + row + "\n" + row + "\n" + row + "\n";
  const SniffedHead head = *sniffed_head(text, true, {});
  EXPECT_EQ(sniff({}, head.bytes, head.whole)->names.size(), 20001);
  const std::string cut(kMostSniffedBytes, 'x');
  EXPECT_EQ(sniff({.format = &LineFormat::csv}, cut, false).status().message(),
            "the first record, which may be a header, has more than 64 MiB; name the fields by "
            "columns, or say header-in no");
  EXPECT_TRUE(sniff({.format = &LineFormat::csv, .header = false}, cut, false).is_ok());
}

}  // namespace
}  // namespace mrc
