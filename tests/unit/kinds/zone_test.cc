#include "kinds/inner/zone.h"

#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <sstream>

namespace mrc {
namespace {

const Zone &zone(std::string_view name) {
  const Result<const Zone *> found = find_zone(name);
  EXPECT_TRUE(found.is_ok()) << (found.is_ok() ? "" : found.status().message());
  return **found;
}

// Seconds of 2015-03-29 01:00:00 UTC, when Berlin's clocks went from 02:00 to 03:00, and of
// 2015-10-25 01:00:00 UTC, when they went from 03:00 to 02:00.
constexpr i64 kForward = 1427590800, kBack = 1445734800;

TEST(Zone, KnowsOffsetsAroundTransitions) {
  const Zone &berlin = zone("Europe/Berlin");
  EXPECT_EQ(berlin.around(kForward - 1).offset, 3600);
  EXPECT_EQ(berlin.around(kForward).offset, 7200);
  EXPECT_EQ(berlin.around(kForward).begin, kForward);
  EXPECT_EQ(berlin.around(kForward).end, kBack);
  EXPECT_EQ(berlin.around(kBack).offset, 3600);
}

TEST(Zone, TakesTheFirstOfTwoAndGoesOnWhereThereIsNone) {
  const Zone &berlin = zone("Europe/Berlin");
  // 02:30 comes twice.
  EXPECT_EQ(berlin.utc_of(kBack + 7200 - 1800), kBack - 1800);
  EXPECT_EQ(berlin.utc_of(kBack + 7200 - 1), kBack - 1);
  EXPECT_EQ(berlin.utc_of(kBack + 7200), kBack + 3600);
  // 02:30 never comes, and is what 03:30 is.
  EXPECT_EQ(berlin.utc_of(kForward + 3600 + 1800), kForward + 1800);
  EXPECT_EQ(berlin.utc_of(kForward + 3600 - 1), kForward - 1);
  EXPECT_EQ(berlin.utc_of(kForward + 7200), kForward);
}

TEST(Zone, IsFixedForOffsets) {
  EXPECT_EQ(zone("+05:30").around(0).offset, 19800);
  EXPECT_EQ(zone("-0330").utc_of(0), 12600);
  EXPECT_TRUE(zone("").is_utc());
  EXPECT_TRUE(zone("+00:00").is_utc());
  EXPECT_FALSE(zone("+01:00").is_utc());
  EXPECT_FALSE(zone("Europe/London").is_utc());
}

// The C library reads the same files on its own, in its own way.
TEST(Zone, AgreesWithTheCLibrary) {
  const char *before = std::getenv("TZ");
  const std::string saved = before == nullptr ? "" : before;
  std::mt19937_64 random(first_seed());
  for (const char *name :
       {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
        "Africa/Casablanca", "Europe/Dublin", "America/Sao_Paulo", "Pacific/Apia", "Asia/Tehran"}) {
    setenv("TZ", name, 1);
    tzset();
    const Zone &ours = zone(name);
    for (int i = 0; i < 5000; ++i) {
      const i64 time = static_cast<i64>(random() % 9'000'000'000) - 2'000'000'000;
      tm local;
      const time_t seconds = time;
      localtime_r(&seconds, &local);
      ASSERT_EQ(ours.around(time).offset, local.tm_gmtoff) << name << " " << time;
      const Zone::Around around = ours.around(time);
      ASSERT_TRUE(around.begin <= time && time < around.end);
      // Back again, but for what clocks show twice: then it is the first.
      const i64 back = ours.utc_of(time + around.offset);
      ASSERT_LE(back, time);
      ASSERT_EQ(back + ours.around(back).offset, time + around.offset) << name << " " << time;
    }
  }
  before == nullptr ? unsetenv("TZ") : setenv("TZ", saved.c_str(), 1);
  tzset();
}

TEST(Zone, SaysWhichNamesThereAre) {
  EXPECT_EQ(find_zone("Europe/Nowhere").status().message(),
            "Europe/Nowhere: no such time zone; names are those of tzdata, such "
            "as Europe/Berlin");
  EXPECT_EQ(
      find_zone("../../etc/passwd").status().message(),
      "\"../../etc/passwd\" is not a time zone: write a name such as Europe/Berlin, +02:00 or "
      "local");
}

}  // namespace
}  // namespace mrc
