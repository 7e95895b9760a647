// Reducers of a plugin as aggregates: mrc stats --plugin.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;

class PluginAggregates : public testing::Test {
 protected:
  PluginAggregates() {
    folder_.write("in.csv",
                  "k,i,r,t\n"
                  "a,1,0.5,x\n"
                  "b,7,abc,yy\n"
                  "a,-3,2.25,\n"
                  "a,zz,,x\n"
                  "b,,1e3,\"q q\"\n");
  }
  string stats(const string &options, const string &plugin = "every_job") {
    const int status = run_shell("$MRC stats --force-plugin --plugin " MRC_TEST_PLUGINS "/" +
                                 plugin + ".so " + options + " " + folder_.path("in.csv") + " >" +
                                 folder_.path("out") + " 2>" + folder_.path("err"));
    status_ = WEXITSTATUS(status);
    return folder_.read("out");
  }
  bool says(const string &part) const { return folder_.read("err").find(part) != string::npos; }

  TemporaryFolder folder_;
  int status_ = -1;
};

TEST_F(PluginAggregates, TakeIntegersNumbersTextsAndNothing) {
  EXPECT_EQ(stats("-k k -a extent:i"), "a\t-3\t1\nb\t7\t7\n");
  EXPECT_TRUE(says("1 value in 5 records does not fit and counts as missing"));
  EXPECT_TRUE(says("5: i is not an integer: zz\n")) << folder_.read("err");
  EXPECT_EQ(stats("-k k -a quarters:r"), "a\t2.75\nb\t1000\n");
  EXPECT_TRUE(says("3: r is not a number: abc\n"));
  EXPECT_EQ(stats("-k k -a seen"), "a\t3\nb\t2\n");
  EXPECT_EQ(stats("-k k -a folded:i"), "a\t65534\nb\t7\n") << "a list, combined";
  EXPECT_EQ(stats("-a letters:t"), "5/8356085367346920616\n");
  EXPECT_EQ(folder_.read("err"), "");
}

TEST_F(PluginAggregates, TakeFractionsForMissingWhereIntegersAreWanted) {
  EXPECT_EQ(stats("-k k -a extent:r"), "a\t\t\nb\t1000\t1000\n");
  EXPECT_TRUE(says("2: r is not an integer: 0.5\n")) << folder_.read("err");
}

TEST_F(PluginAggregates, StandBesideThoseOfMrc) {
  EXPECT_EQ(stats("-k k -a count,extent:i,sum:i,seen,max:i -w 'has(i) and not i < -100'"),
            "a\t3\t-3\t1\t-2\t3\t1\nb\t1\t7\t7\t7\t1\t7\n");
  EXPECT_EQ(stats("-k k -a extent:i,quarters:r --to csv -w 'has(i) and not i < -100 and has(r) and "
                  "not r < -100'"),
            "k,extent:i.low,extent:i.high,quarters:r\na,-3,1,2.75\nb,7,7,\n");
  EXPECT_EQ(
      stats("-k k -a seen,extent:i --by extent:i.low --asc --total -w 'has(i) and not i < -100'"),
      "a\t3\t-3\t1\nb\t1\t7\t7\ntotal\t4\t-3\t7\n");
}

TEST_F(PluginAggregates, TakeBucketsAndAreRounded) {
  EXPECT_EQ(stats("-k k -a extent:i:log2 -w 'i > 0'"), "a\t1\t1\nb\t4\t4\n");
  EXPECT_EQ(stats("-k k -a quarters:r --round 1 -w 'has(r) and not r < -100'"),
            "a\t2.8\nb\t1000.0\n");
}

TEST_F(PluginAggregates, OfNothing) {
  EXPECT_EQ(stats("-a extent:i,quarters:r,letters:t,folded:i,seen --to json -w 'k == \"zz\"'"),
            "{\"extent:i.low\":null,\"extent:i.high\":null,\"quarters:r\":null,"
            "\"letters:t\":\"\",\"folded:i\":\"0\",\"seen\":0}\n");
}

TEST_F(PluginAggregates, ThatAreOrderedSeeTheInputInItsOrder) {
  string rows = "k,t\n";
  for (int i = 0; i < 20000; ++i) {
    rows += "k" + std::to_string(i * 7 % 13) + ",text " + std::to_string(i * 31 % 977) + "\n";
  }
  folder_.write("in.csv", rows);
  const string options = "-k k -a chained:t,letters:t,seen --total";
  const string expected = stats(options + " -j1");
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 14);
  for (const string how : {" -j8 --split 7", " -j3 --engine hot=0,partitions=4 --split 1K",
                           " -j2 --memory 1M --split 10K", " -j4 --container array --tile 1K"}) {
    EXPECT_EQ(stats(options + how), expected) << how;
  }
}

TEST_F(PluginAggregates, SayWhatIsWrong) {
  stats("-a quartes:r");
  EXPECT_EQ(status_, 2);
  EXPECT_TRUE(says("no aggregate \"quartes\" (did you mean \"quarters\"?); there are count, "));
  EXPECT_TRUE(says("; plugins have quarters, extent, letters, folded, chained, seen\n"));
  stats("-a meen:r");
  EXPECT_TRUE(says("(did you mean \"mean\" or \"seen\"?)"));
  stats("-a meen:r", "sound");
  EXPECT_TRUE(says("; plugins have none\n"));
  stats("-a quarters");
  EXPECT_TRUE(says("quarters needs a field, as in quarters:bytes"));
  stats("-a seen:r");
  EXPECT_TRUE(says("seen looks at no field"));
  stats("-a letters:t:nonsense");
  EXPECT_TRUE(says("no bucket \"nonsense\""));
  stats("-a seen", "none");
  EXPECT_TRUE(says("--plugin: ")) << folder_.read("err");
  EXPECT_TRUE(says("none.so: No such file or directory"));
  EXPECT_EQ(status_, 2);
}

}  // namespace
}  // namespace mrc
