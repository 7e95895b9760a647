#include "plugin/plugin_job.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;
using Given = std::vector<string>;

const mrc_option kOptions[] = {
    {"count", MRC_INTEGER, "3", "how many", 1, 10},
    {"rate", MRC_REAL, "0.5", "how fast", 0, 0},
    {"name", MRC_TEXT, "x", "what it is called", 0, 0},
    {"needed", MRC_INTEGER, nullptr, "what must be said", 0, 0},
};
mrc_job job_with(size_t options) {
  mrc_job job{};
  job.name = "job";
  job.options = {kOptions, options, sizeof(mrc_option)};
  return job;
}

string error_of(const Given &given, size_t options = 3) {
  const Result<Settings> settings = Settings::parse(job_with(options), given);
  return settings.is_ok() ? "" : settings.status().message();
}

TEST(Settings, AreInitialUnlessGiven) {
  const Result<Settings> settings = Settings::parse(job_with(3), Given{});
  ASSERT_TRUE(settings.is_ok());
  EXPECT_EQ(mrc_setting_at(settings->all(), 0)->integer, 3);
  EXPECT_EQ(mrc_setting_at(settings->all(), 0)->real, 3.0) << "integers are numbers, too";
  EXPECT_EQ(mrc_setting_at(settings->all(), 1)->real, 0.5);
  EXPECT_STREQ(mrc_setting_at(settings->all(), 2)->text.data, "x");
}

TEST(Settings, TakeTheLastOfAName) {
  const Given given = {"count=4", "rate=-1e3", "name=a=b", "count=5"};
  Result<Settings> parsed = Settings::parse(job_with(3), given);
  ASSERT_TRUE(parsed.is_ok());
  const Settings settings = std::move(*parsed);
  EXPECT_EQ(mrc_setting_at(settings.all(), 0)->integer, 5);
  EXPECT_EQ(mrc_setting_at(settings.all(), 1)->real, -1000);
  EXPECT_EQ(string(mrc_setting_at(settings.all(), 2)->text.data,
                   mrc_setting_at(settings.all(), 2)->text.size),
            "a=b");
}

TEST(Settings, KeepTextsWhereTheyAreWhenTheyMove) {
  for (const string &text : {string(), string("short"), string(1000, 'l')}) {
    Result<Settings> parsed = Settings::parse(job_with(3), Given{"name=" + text});
    ASSERT_TRUE(parsed.is_ok());
    auto moved = std::make_unique<Settings>(std::move(*parsed));
    const Settings again = std::move(*moved);
    moved.reset();
    EXPECT_STREQ(mrc_setting_at(again.all(), 2)->text.data, text.c_str());
    EXPECT_EQ(mrc_setting_at(again.all(), 2)->text.size, text.size());
  }
  static_assert(!std::is_copy_constructible_v<Settings>, "texts would be those of another");
}

TEST(Settings, OfNoOptionsAreNone) {
  const Result<Settings> settings = Settings::parse(job_with(0), Given{});
  ASSERT_TRUE(settings.is_ok());
  EXPECT_EQ(settings->all().count, 0u);
}

TEST(Settings, SayWhatIsWrong) {
  EXPECT_EQ(error_of({"count"}), "set count: needs NAME=VALUE");
  EXPECT_EQ(error_of({"=1"}), "set : job has no such option; see mrc help job");
  EXPECT_EQ(error_of({"cuont=1"}),
            "set cuont: job has no such option (did you mean \"count\"?); see mrc help job");
  EXPECT_EQ(error_of({"x=1"}, 0), "set x: job has no options");
  EXPECT_EQ(error_of({"count=1x"}), "set count: \"1x\" is not an integer");
  EXPECT_EQ(error_of({"count="}), "set count: \"\" is not an integer");
  EXPECT_EQ(error_of({"count=1.5"}), "set count: \"1.5\" is not an integer");
  EXPECT_EQ(error_of({"count=99999999999999999999"}),
            "set count: \"99999999999999999999\" is not an integer");
  EXPECT_EQ(error_of({"rate=fast"}), "set rate: \"fast\" is not a number");
  EXPECT_EQ(error_of({"rate=nan"}), "set rate: \"nan\" is not a number");
  EXPECT_EQ(error_of({"rate=inf"}), "set rate: \"inf\" is not a number");
  EXPECT_EQ(error_of({"count=11"}), "set count: 11 is not between 1 and 10");
  EXPECT_EQ(error_of({"count=0"}), "set count: 0 is not between 1 and 10");
  EXPECT_EQ(error_of({}, 4), "job needs set needed=VALUE: what must be said");
}

TEST(Settings, AreDescribed) {
  EXPECT_EQ(describe_options(job_with(0)), "");
  EXPECT_EQ(describe_options(job_with(4)),
            "  set count=VALUE          how many; default: 3\n"
            "  set rate=VALUE           how fast; default: 0.5\n"
            "  set name=VALUE           what it is called; default: x\n"
            "  set needed=VALUE         what must be said; must be given\n");
}

}  // namespace
}  // namespace mrc
