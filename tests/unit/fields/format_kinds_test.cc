// Kinds by the table of formats, compared with what the samples of the formats have, and with what
// mrc-formats(7) says.
#include "base/number.h"
#include "expr/expr.h"
#include "fields/inner/named_formats.h"
#include "kinds/address.h"
#include "kinds/kind.h"
#include "kinds/level.h"
#include "kinds/timestamp.h"
#include "kinds/units.h"
#include "unit/fields/read_records.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace mrc {
namespace {

constexpr i64 kMilli = 1'000'000, kSecond = 1'000'000'000;

std::string file_text(const std::string &path) {
  std::stringstream text;
  text << std::ifstream(MRC_SOURCE_DIR "/" + path, std::ios::binary).rdbuf();
  return text.str();
}

const LineFormat &format_called(Bytes name) {
  return **std::ranges::find_if(line_formats(),
                                [&](const LineFormat *format) { return format->name == name; });
}

std::string kind_of(const Dialect &dialect, const std::string &name) {
  return kind_text(kind_in_format(dialect, field(name)));
}
std::string kind_of(Bytes format, const std::string &name) {
  return kind_of(Dialect{.format = &format_called(format)}, name);
}

// Some logs write clocks only, and some dates whose order only a sample settles.
bool is_time(Bytes value, DateOrder dates) {
  if (dates == DateOrder::unknown && read_timestamp(value, DateOrder::month_first)) return true;
  return find_timestamp(value).shape == TimeShape::clock ||
         parse_time(value, {.year_of_now = 2024, .month_of_now = 12, .dates = dates}).has_value();
}

bool fits(const FieldKind &kind, Bytes value) {
  Arena wide;
  switch (kind.kind) {
    case ValueKind::number: return is_number(parse_number(value, &wide));
    case ValueKind::duration: return read_duration(value).has_value();
    case ValueKind::time: return is_time(value, kind.dates);
    case ValueKind::address: return address_key(value).has_value();
    case ValueKind::level: return level_rank(usual_level(kind.levels, value)).has_value();
    case ValueKind::truth: return value == "true" || value == "false";
    case ValueKind::structure: return value[0] == '{' || value[0] == '[';
    default: return true;
  }
}

TEST(FieldKind, IsShownWithItsUnit) {
  EXPECT_EQ(kind_text({}), "unknown");
  EXPECT_EQ(kind_text({ValueKind::number}), "number");
  EXPECT_EQ(kind_text({ValueKind::number, kMilli}), "number (ms)");
  EXPECT_EQ(kind_text({ValueKind::number, kSecond}), "number (s)");
  EXPECT_EQ(kind_text({ValueKind::structure}), "structure");
}

TEST(FieldKind, HasAUnitThatTheNameTells) {
  EXPECT_EQ(unit_in_name("request_ms"), kMilli);
  EXPECT_EQ(unit_in_name("ms"), kMilli);
  EXPECT_EQ(unit_in_name("duration_us"), 1'000);
  EXPECT_EQ(unit_in_name("wait_ns"), 1);
  EXPECT_EQ(unit_in_name("wait_seconds"), kSecond);
  EXPECT_EQ(unit_in_name("wait_s"), kSecond);
  EXPECT_EQ(unit_in_name("requests_per_s"), 0) << "a rate";
  EXPECT_EQ(unit_in_name("items"), 0);
  EXPECT_EQ(unit_in_name("s"), 0);
}

TEST(KindInFormat, IsInTheTable) {
  EXPECT_EQ(kind_of("combined", "ip"), "address");
  EXPECT_EQ(kind_of("combined", "time"), "time");
  EXPECT_EQ(kind_of("combined", "bytes"), "number");
  EXPECT_EQ(kind_of("combined", "nonsense"), "unknown");
  EXPECT_EQ(kind_of("combined", "0"), "text") << "the whole record";
  EXPECT_EQ(kind_of("syslog", "severity"), "level");
  EXPECT_EQ(kind_of("log", "level"), "level");
  EXPECT_EQ(kind_of("log", "w1"), "unknown");
  EXPECT_EQ(kind_of("csv", "time"), "unknown");
}

TEST(KindInFormat, FollowsFromThePatternOfARow) {
  EXPECT_EQ(kind_of("haproxy", "request_ms"), "number (ms)");
  EXPECT_EQ(kind_of("haproxy", "status"), "number");
  EXPECT_EQ(kind_of("haproxy", "ip"), "address");
  EXPECT_EQ(kind_of("haproxy", "request"), "text");
  EXPECT_EQ(kind_of("apache-error", "time"), "time") << "a part with several values";
  EXPECT_EQ(kind_of("nagios", "time"), "time") << "digits";
  EXPECT_EQ(kind_of("logcat", "level"), "level") << "a letter";
  EXPECT_EQ(kind_of("postgres", "client"), "address") << "a word in one of the alternatives";
  EXPECT_EQ(kind_of("gin", "duration"), "duration");
  EXPECT_EQ(kind_of("alb", "target_processing_time"), "number (s)");
}

TEST(KindInFormat, IsThatOfTheOtherNameOfAMember) {
  EXPECT_EQ(kind_of("mongodb", "level"), "level");
  EXPECT_EQ(kind_of("mongodb", "s"), "level");
  EXPECT_EQ(kind_of("zeek-json", "\"id.orig_h\""), "address");
  EXPECT_EQ(kind_of("mongodb", "attr.durationMillis"), "number (ms)");
  EXPECT_EQ(kind_of("kubernetes-audit", "level"), "text") << "Metadata, Request";
  EXPECT_EQ(kind_of("caddy", "duration"), "number (s)");
  EXPECT_EQ(kind_of("json-log", "level"), "level");
  EXPECT_EQ(kind_of("json-log", "t"), "unknown") << "it may be anything";
  EXPECT_EQ(kind_of("journal", "PRIORITY"), "level");
}

TEST(KindInFormat, MayDependOnAnotherField) {
  Dialect dialect{.format = &format_called("w3c"), .names = {"time-taken"}};
  EXPECT_EQ(kind_of(dialect, "time-taken"), "number (ms)");
  EXPECT_EQ(kind_of(dialect, "1"), "number (ms)") << "by its number";
  dialect.names.emplace_back("x-edge-location");
  EXPECT_EQ(kind_of(dialect, "time-taken"), "number (s)");
}

TEST(KindInFormat, IsThatOfTheTypeInAPatternOfTheUser) {
  const Dialect dialect{.format = &LineFormat::pattern,
                        .pattern =
                            "%{ip} %{time} %{n:int} %{wait_ms:number} %{took:s} %{s} %{w:word} "
                            "%{q:quoted} %{rest}"};
  EXPECT_EQ(kind_of(dialect, "ip"), "address");
  EXPECT_EQ(kind_of(dialect, "time"), "time");
  EXPECT_EQ(kind_of(dialect, "n"), "number");
  EXPECT_EQ(kind_of(dialect, "wait_ms"), "number (ms)");
  EXPECT_EQ(kind_of(dialect, "took"), "number (s)");
  EXPECT_EQ(kind_of(dialect, "s"), "unknown") << "a name is no unit";
  EXPECT_EQ(kind_of(dialect, "w"), "unknown") << "any word";
  EXPECT_EQ(kind_of(dialect, "q"), "text");
  EXPECT_EQ(kind_of(dialect, "none"), "unknown");
}

TEST(KindInFormat, IsThatOfALogInALoosePattern) {
  const std::string loose = "%~%{time} <%{level}> [%{thread}] %{pid:int} %{x} %{ms:ms} %{message}";
  for (const LineFormat *format : {&LineFormat::pattern, &LineFormat::log}) {
    const Dialect dialect{.format = format, .pattern = loose};
    EXPECT_EQ(kind_of(dialect, "level"), "level");
    EXPECT_EQ(kind_in_format(dialect, {"level"}).levels, LevelWords::syslog);
    EXPECT_EQ(kind_of(dialect, "thread"), "text");
    EXPECT_EQ(kind_of(dialect, "pid"), "number");
    EXPECT_EQ(kind_of(dialect, "x"), "unknown");
    EXPECT_EQ(kind_of(dialect, "ms"), "number (ms)");
  }
}

TEST(KindInFormat, IsTimeOfADateAndAClock) {
  const Dialect dialect{.format = &LineFormat::csv, .names = {"date", "time"}, .joins_time = true};
  EXPECT_EQ(kind_of(dialect, "time"), "time");
  EXPECT_EQ(kind_of(dialect, "date"), "unknown");
}

// Records of open formats may have fields that are not in the table.
TEST(KindInFormat, FitsTheValuesOfAllSamples) {
  const std::string samples = "tests/data/formats/", padding(kPadding, '\0');
  for (const auto &entry : std::filesystem::directory_iterator(MRC_SOURCE_DIR "/" + samples)) {
    const std::string file = entry.path().filename(), text = file_text(samples + file);
    const Dialect dialect = *sniff({.names_fields = true}, text, true);
    const bool is_closed =
        dialect.format->row->kind == &kPatternKind || dialect.format->row->kind == &kCsvKind;
    const ReadRecords got = read_records(dialect, dialect.names, text);
    for (size_t i = 0; i < dialect.names.size(); ++i) {
      const FieldKind kind = kind_in_format(dialect, {dialect.names[i]});
      EXPECT_TRUE(!is_closed || kind.kind != ValueKind::unknown) << file << " " << dialect.names[i];
      i64 values = 0, fitting = 0;
      for (const auto &row : got.rows) {
        if (row[i] == kMissing || row[i].empty() || row[i] == "-") continue;
        ++values;
        fitting += fits(kind, Bytes(row[i] + padding).substr(0, row[i].size()));
      }
      EXPECT_GE(fitting * 10, values * 9)
          << file << ": " << dialect.names[i] << " is " << kind_text(kind);
    }
  }
}

// "number (ms): a, b; time: c."
std::string described(const LineFormat &format) {
  std::map<std::pair<size_t, i64>, std::string> by_kind;
  for (const auto &[name, kind] : fields_in_table(format)) {
    EXPECT_NE(kind.kind, ValueKind::unknown) << format.name << ": " << name;
    std::string &names = by_kind[{static_cast<size_t>(kind.kind), kind.unit_ns}];
    names += names.empty() ? kind_text(kind) + ": " + name : ", " + name;
  }
  std::string all;
  for (const auto &[kind, names] : by_kind) all += all.empty() ? names : "; " + names;
  return all + ".";
}

// Returns the text of each item of the list in a section of mrc-formats(7), by format.
std::map<std::string, std::string> items_of_page(const std::string &section) {
  std::istringstream page(file_text("man/mrc-formats.7"));
  std::map<std::string, std::string> items;
  std::string name;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with(".Sh ")) inside = line == ".Sh " + section;
    if (!inside) continue;
    if (line.starts_with(".It Cm ")) {
      name = line.substr(7);
    } else if (line.starts_with('.')) {
      name.clear();
    } else if (!name.empty()) {
      items[name] += (items[name].empty() ? "" : " ") + line;
    }
  }
  return items;
}

TEST(KindsOnThePage, AreThoseOfTheTable) {
  std::map<std::string, std::string> wanted;
  for (const LineFormat *format : line_formats()) {
    const std::vector<std::pair<std::string, FieldKind>> fields = fields_in_table(*format);
    if (!fields.empty()) wanted[format->name] = described(*format);
  }
  const std::map<std::string, std::string> found = items_of_page("FIELDS OF FORMATS");
  for (const auto &[name, text] : wanted) {
    const auto item = found.find(name);
    EXPECT_EQ(item == found.end() ? "" : item->second, text) << name;
  }
  for (const auto &[name, text] : found) EXPECT_TRUE(wanted.contains(name)) << name;
}

}  // namespace
}  // namespace mrc
