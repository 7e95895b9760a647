#include "engine/inner/program.h"

#include <gtest/gtest.h>

#include <vector>

namespace mrc {
namespace {

Switches set(std::initializer_list<const char *> texts) {
  Switches switches;
  for (const char *text : texts) EXPECT_TRUE(set_switch(text, &switches).is_ok()) << text;
  return switches;
}

std::string error_of(const char *text) {
  Switches switches;
  const Status status = set_switch(text, &switches);
  return status.is_ok() ? "no error" : status.message();
}

TEST(Switches, AreLeftToThePlannerUnlessSet) {
  const Switches none;
  EXPECT_FALSE(none.hot_bytes.has_value());
  EXPECT_FALSE(none.partition_bits.has_value());
  EXPECT_EQ(none.sample, Sampling::strided);
}

TEST(Switches, AreSetOneByOne) {
  const Switches switches =
      set({"hot=64K", "drift=off", "bypass=off", "partitions=100", "buckets=1000"});
  EXPECT_EQ(switches.hot_bytes, 65536);
  EXPECT_FALSE(switches.drift);
  EXPECT_FALSE(switches.bypass);
  EXPECT_EQ(switches.partition_bits, 7);  // rounded up to a power of two
  EXPECT_EQ(switches.buckets, 1000);
}

TEST(Switches, ChooseASample) {
  EXPECT_EQ(set({"sample=off"}).sample, Sampling::off);
  EXPECT_EQ(set({"sample=off", "sample=strided"}).sample, Sampling::strided);
  EXPECT_EQ(set({"sorted=off", "sorted=sampled"}).presorted, Presorted::sampled);
  EXPECT_EQ(set({"sorted=checked"}).presorted, Presorted::checked);
  const Switches head = set({"sample=head:7%"});
  EXPECT_EQ(head.sample, Sampling::head);
  EXPECT_DOUBLE_EQ(head.head, 0.07);
  EXPECT_DOUBLE_EQ(set({"sample=head:0.5%"}).head, 0.005);
  EXPECT_DOUBLE_EQ(set({"sample=head:100%"}).head, 1);
}

TEST(Switches, ControlWhenRunsAreReduced) {
  const Switches none;
  EXPECT_EQ(none.runs, EagerRuns::wait);
  EXPECT_EQ(none.start, 8);
  EXPECT_DOUBLE_EQ(none.stop, 0.9);
  const Switches some = set({"runs=reduce,start=12,stop=80%"});
  EXPECT_EQ(some.runs, EagerRuns::reduce);
  EXPECT_EQ(some.start, 12);
  EXPECT_DOUBLE_EQ(some.stop, 0.8);
  EXPECT_EQ(set({"runs=sort"}).runs, EagerRuns::sort);
  EXPECT_EQ(set({"runs=sort", "runs=wait"}).runs, EagerRuns::wait);
}

TEST(Switches, OfTwoValuesHaveTheDefaultFirst) {
  const auto flags = [](const Switches &s) {
    return std::vector<bool>{s.drift,           s.bypass,       s.eager,        s.pipeline,
                             s.reuse,           s.prefetch,     s.fingerprint,  s.pool,
                             s.static_schedule, s.merge_tree,   s.by_pages,     s.groups_apart,
                             s.compress,        s.async_output, s.low_priority, s.stagger,
                             s.backups,         s.index,        s.copartitions};
  };
  int found = 0;
  for (const Switch &row : all_switches()) {
    EXPECT_STRNE(row.help, "") << row.name;
    const std::string values = row.values;
    const size_t bar = values.find('|');
    if (bar == values.npos || values.find('|', bar + 1) != values.npos) continue;
    ++found;
    const std::string start = std::string(row.name) + "=";
    EXPECT_EQ(flags(set({(start + values.substr(0, bar)).c_str()})), flags({})) << row.name;
    EXPECT_NE(flags(set({(start + values.substr(bar + 1)).c_str()})), flags({})) << row.name;
  }
  EXPECT_EQ(found, 19);
}

TEST(Switches, RefuseWhatIsNoValue) {
  for (const char *text :
       {"sample",          "sample=",          "sample=head",     "sample=head:",
        "sample=head:7",   "sample=head:%",    "sample=head:0%",  "sample=head:101%",
        "sample=head:-7%", "sample=head:nan%", "sample=head:7%%", "sample=tail:7%",
        "hot=-1",          "hot=1X",           "partitions=0",    "partitions=65537",
        "buckets=0",       "buckets=17M",      "drift=yes",       "runs=",
        "runs=fold",       "start=0",          "start=33",        "stop=90",
        "stop=0%",         "stop=101%",        "sorted=",         "sorted=on"}) {
    EXPECT_TRUE(error_of(text).find(" is not one of its values: ") != std::string::npos)
        << text << ": " << error_of(text);
  }
}

TEST(Switches, NameTheKnownOnesToWhoeverNamesNone) {
  const std::string error = error_of("heat=1");
  EXPECT_TRUE(error.starts_with("no switch \"heat\"; there are backup, ")) << error;
  EXPECT_NE(error.find("sample"), std::string::npos) << error;
}

}  // namespace
}  // namespace mrc
