#include "fields/sampled_kind.h"

#include "fields/json.h"
#include "unit/fields/read_records.h"

namespace mrc {
namespace {

SampledKind sampled(Bytes name, const std::vector<std::string> &values) {
  SampledKind sample(name, false, DateOrder::unknown);
  for (const std::string &value : values) {
    const std::string padded = value + std::string(kPadding, '\0');
    sample.add(Bytes(padded).substr(0, value.size()));
  }
  return sample;
}
std::string sampled_kind_of(Bytes name, const std::vector<std::string> &values) {
  return kind_text(sampled(name, values).kind());
}

TEST(SampledKind, IsWhatNineTenthsOfTheValuesAre) {
  EXPECT_EQ(sampled_kind_of("x", {}), "unknown");
  EXPECT_EQ(sampled_kind_of("x", {"1", "2.5"}), "number");
  EXPECT_EQ(sampled_kind_of("x", {"1", "a"}), "text");
  std::vector<std::string> values(9, "1");
  values.emplace_back("a");
  EXPECT_EQ(sampled_kind_of("x", values), "number");
  values.emplace_back("b");
  EXPECT_EQ(sampled_kind_of("x", values), "text");
}

TEST(SampledKind, KnowsAllKinds) {
  EXPECT_EQ(sampled_kind_of("x", {"1.5s", "25s"}), "duration");
  EXPECT_EQ(sampled_kind_of("x", {"192.0.2.1"}), "address");
  EXPECT_EQ(sampled_kind_of("x", {"2026-11-03"}), "time");
  EXPECT_EQ(sampled_kind_of("x", {"true", "false"}), "truth");
  EXPECT_EQ(sampled_kind_of("x", {"INFO", "warn"}), "level");
  EXPECT_EQ(sampled_kind_of("x_ms", {"12", "7"}), "number (ms)");
}

TEST(SampledKind, KnowsIfOnlySomeTimesHaveAZone) {
  for (const char *zoned : {"2026-11-03T10:00:00Z", "03/Nov/2026:10:00:00 +0100", "1714557600",
                            "2026-11-03 10:00:00 Europe/Berlin"}) {
    EXPECT_TRUE(sampled("time", {zoned, "2026-11-03 10:00:00"}).mixes_zones()) << zoned;
    EXPECT_TRUE(sampled("time", {zoned, "20261103"}).mixes_zones()) << zoned;
    EXPECT_FALSE(sampled("time", {zoned, "2026-11-03T10:00:00Z", "12", "x"}).mixes_zones());
  }
  EXPECT_FALSE(sampled("time", {"2026-11-03 10:00:00", "Nov  3 10:00:00"}).mixes_zones());
  EXPECT_TRUE(sampled("time", {"2026-11-03 10:00:00", "Nov  3 10:00:00"}).lacks_zones());
  EXPECT_FALSE(sampled("time", {"2026-11-03 10:00:00", "2026-11-03T10:00:00Z"}).lacks_zones());
  EXPECT_FALSE(sampled("time", {"x"}).lacks_zones());
}

TEST(SampledKind, IsTextIfANumberHasNeedlessZeros) {
  EXPECT_EQ(sampled_kind_of("zip", {"12345", "01234"}), "text");
  EXPECT_EQ(sampled_kind_of("zip", {"1", "-007"}), "text");
  EXPECT_EQ(sampled_kind_of("x", {"0", "0.5", "-0.1"}), "number");
}

TEST(SampledKind, IsTimeOfDigitsOnlyIfTheNameSaysSo) {
  for (const char *name : {"ts", "time", "@timestamp", "created_at", "startTime", "log.time"}) {
    EXPECT_EQ(sampled_kind_of(name, {"1714557600"}), "time") << name;
    EXPECT_EQ(sampled_kind_of(name, {"1714557600123"}), "time") << name;
    EXPECT_EQ(sampled_kind_of(name, {"1714557600.5"}), "time") << name;
    EXPECT_EQ(sampled_kind_of(name, {"20261103"}), "time") << name;
    EXPECT_EQ(sampled_kind_of(name, {"171455760"}), "number") << name;
    EXPECT_EQ(sampled_kind_of(name, {"20261303"}), "number") << name << ": no such month";
  }
  for (const char *name : {"id", "format", "counts", "x"}) {
    EXPECT_EQ(sampled_kind_of(name, {"1714557600"}), "number") << name;
    EXPECT_EQ(sampled_kind_of(name, {"20261103"}), "number") << name;
  }
}

TEST(SampledKind, IsALevelOfDoubtfulWordsOnlyIfTheNameSaysSo) {
  EXPECT_EQ(sampled_kind_of("level", {"W", "E"}), "level");
  EXPECT_EQ(sampled_kind_of("level", {"query", "informational"}), "level");
  EXPECT_EQ(sampled_kind_of("log_level", {"query"}), "level");
  EXPECT_EQ(sampled_kind_of("direction", {"W", "E"}), "text");
  EXPECT_EQ(sampled_kind_of("result", {"success", "failure"}), "text");
}

// The kind, and the order of day and month.
std::string kind_and_order(const std::vector<std::string> &values,
                           DateOrder said = DateOrder::unknown) {
  SampledKind sample("day", false, said);
  for (const std::string &value : values) {
    const std::string padded = value + std::string(kPadding, '\0');
    sample.add(Bytes(padded).substr(0, value.size()));
  }
  EXPECT_EQ(sample.kind().dates, sample.date_order());
  constexpr const char *kOrders[] = {"", " dmy", " mdy", " unsettled"};
  return std::string(kind_name(sample.kind().kind)) +
         kOrders[static_cast<size_t>(sample.date_order())];
}

TEST(SampledKind, IsTimeOfDatesWithSlashesIfTheirOrderIsSettled) {
  EXPECT_EQ(kind_and_order({"03/11/2026", "13/11/2026"}), "time dmy");
  EXPECT_EQ(kind_and_order({"03/11/2026 10:00:00", "11/13/2026 10:00:01"}), "time mdy");
  EXPECT_EQ(kind_and_order({"3/11/26 9:00 AM", "11/13/26 9:00 AM"}), "time mdy");
  EXPECT_EQ(kind_and_order({"03/11/2026", "04/11/2026"}), "text unsettled");
  EXPECT_EQ(kind_and_order({"13/11/2026", "11/13/2026"}), "text unsettled") << "both orders";
  EXPECT_EQ(kind_and_order({"13/14/2026"}), "text") << "no date";
  EXPECT_EQ(kind_and_order({"13/11/26"}), "text") << "may be the year";
  EXPECT_EQ(kind_and_order({"13/11/2026 or so"}), "text");
  EXPECT_EQ(kind_and_order({"2026-11-03"}), "time");
  EXPECT_EQ(kind_and_order({"13/11/2026", "a", "b"}), "text dmy") << "for those that ask for times";
}

TEST(SampledKind, HasTheOrderOfDatesThatTheUserSays) {
  EXPECT_EQ(kind_and_order({"03/11/2026", "04/11/2026"}, DateOrder::day_first), "time dmy");
  EXPECT_EQ(kind_and_order({"03/11/2026", "04/11/2026"}, DateOrder::month_first), "time mdy");
  EXPECT_EQ(kind_and_order({"13/11/2026"}, DateOrder::month_first), "text mdy") << "no such month";
  EXPECT_EQ(kind_and_order({"3/11/26"}, DateOrder::month_first), "time mdy");
  EXPECT_EQ(kind_and_order({"2026-11-03"}, DateOrder::month_first), "time") << "needs none";
}

// The kind of the member x of these JSON lines.
std::string kind_in_json(Bytes lines) {
  SampledKind sample("x_at", true, DateOrder::unknown);
  const std::string padded = std::string(lines) + std::string(kPadding, '\0');
  const Chunk chunk{Bytes(padded).substr(0, lines.size())};
  const auto reader = make_reader({.format = &LineFormat::json}, std::vector<FieldName>{{"x"}});
  RecordBatch batch;
  const char *next = chunk.bytes.data();
  (*reader)->read(chunk, &next, &batch);
  for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
    if (batch.fields[0][i].data() != nullptr) sample.add(batch.fields[0][i]);
  }
  return kind_text(sample.kind());
}

TEST(SampledKind, IsInJsonWhatIsWritten) {
  EXPECT_EQ(kind_in_json("{\"x\":12}\n{\"x\":null}\n"), "number");
  EXPECT_EQ(kind_in_json("{\"x\":\"12\"}\n"), "text");
  EXPECT_EQ(kind_in_json("{\"x\":true}\n{\"x\":false}\n"), "truth");
  EXPECT_EQ(kind_in_json("{\"x\":\"true\"}\n"), "text");
  EXPECT_EQ(kind_in_json("{\"x\":{}}\n{\"x\":[1]}\n"), "structure");
  EXPECT_EQ(kind_in_json("{\"x\":\"{}\"}\n{\"x\":\"[1]\"}\n"), "text");
  EXPECT_EQ(kind_in_json("{\"x\":\"\\u007b}\"}\n"), "text") << "without its escape";
  EXPECT_EQ(kind_in_json("{\"x\":\"2026-11-03\"}\n"), "time");
  EXPECT_EQ(kind_in_json("{\"x\":1714557600}\n"), "time");
  EXPECT_EQ(kind_in_json("{\"x\":\"1714557600\"}\n"), "time");
  EXPECT_EQ(kind_in_json("{\"x\":\"192.0.2.1\"}\n"), "address");
  EXPECT_EQ(kind_in_json("{\"x\":\"ERROR\"}\n"), "level");
}

}  // namespace
}  // namespace mrc
