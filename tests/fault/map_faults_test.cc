// Mappers, reducers and combiners that fail.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;

class MapFaults : public testing::Test {
 protected:
  // Runs a command in the folder. Returns its exit status.
  int run(const string &command) const {
    return WEXITSTATUS(
        run_shell(fmt::format("cd {} && {{ {}; }} >out 2>err", folder_.path("."), command)));
  }

  TemporaryFolder folder_;
};

TEST_F(MapFaults, ACombinerThatIsKilledHalfWayIsNamed) {
  EXPECT_EQ(run("seq 1000 >n && $MRC map --map cat --combine 'read line; echo $line; kill -KILL "
                "$$' --sorted -j1 n"),
            3);
  EXPECT_EQ(folder_.read("out"), "1\n");
  const string said = folder_.read("err");
  EXPECT_TRUE(said.starts_with("mrc: error: combine: read line;")) << said;
  EXPECT_NE(said.find("Killed (the last it got: keys \"1\" to \"999\")"), string::npos) << said;
}

// One batch takes longer than a command may neither read nor print.
TEST_F(MapFaults, AMapperIsNotLateWhileItsLinesAreCombined) {
  EXPECT_EQ(run("yes a | head -n 150000 >n && $MRC map --map cat --combine 'mkdir slow "
                "2>/dev/null && for i in 1 2 3 4 5 6; do sleep 0.4; echo a; done; uniq' --reduce "
                "uniq --memory 4K --unit-timeout 1s -j1 n"),
            0);
  EXPECT_EQ(folder_.read("out"), "a\n");
  EXPECT_EQ(folder_.read("err"), "");
}

TEST_F(MapFaults, AJobEndsAfterItsOnlyCombinerHasFailed) {
  EXPECT_EQ(run("seq 300000 >n && timeout 50 $MRC map --map 'cat; sleep 60' --combine 'exit 4' "
                "--reduce cat -j1 --memory 4K n"),
            2);
  EXPECT_EQ(folder_.read("out"), "");
  EXPECT_NE(folder_.read("err").find("combine: exit 4: exit status 4"), string::npos);
}

}  // namespace
}  // namespace mrc
