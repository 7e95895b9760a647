#include "fields/inner/joined_time.h"

#include "fields/json.h"
#include "unit/fields/read_records.h"

namespace mrc {
namespace {

using Row = std::vector<std::string>;

Dialect sniffed_joined(const std::string &text, std::vector<std::string> named) {
  return *sniff({.names_fields = true, .named = std::move(named)}, text, true);
}

TEST(JoinedTime, IsMadeOfDateAndTime) {
  const std::string text = "date,time,n\n2024-05-01,10:00:00,1\n2024-05-02,-,2\n,10:00:01,3\n";
  const Dialect dialect = sniffed_joined(text, {"time"});
  EXPECT_TRUE(dialect.joins_time);
  EXPECT_EQ(read_records(dialect, {"time", "n", "2", "date", "time"}, text).rows,
            (std::vector<Row>{
                {"2024-05-01 10:00:00", "1", "10:00:00", "2024-05-01", "2024-05-01 10:00:00"},
                {"2024-05-02", "2", "-", "2024-05-02", "2024-05-02"},
                {"10:00:01", "3", "10:00:01", "", "10:00:01"}}));
}

TEST(JoinedTime, IsAStringOfJson) {
  Arena arena;
  const Bytes joined = join_time("2024-05-01", "10:00:00", &arena);
  EXPECT_EQ(joined, "2024-05-01 10:00:00");
  EXPECT_TRUE(is_json_string(joined));
}

TEST(JoinedTime, IsNoneOfOtherColumns) {
  EXPECT_FALSE(sniffed_joined("date,n\n2024-05-01,10:00:00\n", {"date"}).joins_time);
  EXPECT_FALSE(sniffed_joined("date,time\n2024-05-01,10:00:00\n", {"date"}).joins_time);
  EXPECT_FALSE(sniffed_joined("date,time\n2024-05-01,7\n", {"time"}).joins_time);
  EXPECT_FALSE(sniffed_joined("date,time\ntoday,10:00:00\n", {"time"}).joins_time);
  EXPECT_FALSE(sniffed_joined("date,time\n2024-05-01,2024-05-01 10:00:00\n", {"time"}).joins_time);
}

std::vector<Row> times_of(const std::string &text) {
  return read_records(sniffed_joined(text, {"time"}), {"time"}, text).rows;
}

TEST(JoinedTime, HasTheZoneBesideIt) {
  const auto firewall = [](const std::string &zone) {
    return times_of("date=2024-05-01 time=10:00:00 tz=" + zone + " x=1\n")[0][0];
  };
  EXPECT_EQ(firewall("-0700"), "2024-05-01 10:00:00 -0700");
  EXPECT_EQ(firewall("\"+02:00\""), "2024-05-01 10:00:00 +0200");
  EXPECT_EQ(firewall("UTC-7:00"), "2024-05-01 10:00:00 -0700");
  EXPECT_EQ(firewall("GMT+2"), "2024-05-01 10:00:00 +0200");
  EXPECT_EQ(firewall("CEST"), "2024-05-01 10:00:00 CEST");
  EXPECT_EQ(firewall("red"), "2024-05-01 10:00:00");
  EXPECT_EQ(times_of("time=\"2024-05-01 10:00:00\" tz=+0200 x=1\ntime=- tz=+0200 x=1\n"),
            (std::vector<Row>{{"2024-05-01 10:00:00 +0200"}, {"-"}}));
}

TEST(JoinedTime, HasNoZoneOfSomethingElse) {
  EXPECT_EQ(times_of("time=2024-05-01T10:00:00Z tz=+0200 x=1\n"),
            (std::vector<Row>{{"2024-05-01T10:00:00Z"}}));
  EXPECT_EQ(times_of("{\"time\":\"2024-05-01T10:00:00\",\"tz\":\"+0200\"}\n"),
            (std::vector<Row>{{"2024-05-01T10:00:00"}}));
}

}  // namespace
}  // namespace mrc
