#include "engine/inner/kept_inputs.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace mrc {
namespace {

using std::string;

class CheckpointInputsTest : public testing::Test {
 protected:
  using Resume = KeepSpec::Resume;

  std::unique_ptr<CheckpointInputs> open(Resume resume = Resume::automatic) {
    const KeepSpec spec{.path = folder_.path("job"), .is_checkpoint = true, .resume = resume};
    Result<KeptDirectory> directory = KeptInputs::open(spec);
    EXPECT_TRUE(directory.is_ok()) << directory.status().message();
    return std::make_unique<CheckpointInputs>(std::move(*directory), spec);
  }
  Status identify(CheckpointInputs *inputs) {
    sources_ = {*examine(folder_.path("a"))}, notes_.clear();
    return inputs->identify(&sources_, &notes_);
  }
  // As a run that is killed after so many bytes of one record each.
  void map(i64 bytes) {
    const std::unique_ptr<CheckpointInputs> inputs = open();
    ASSERT_TRUE(identify(inputs.get()).is_ok());
    const i64 known = sources_[0].known;
    ASSERT_TRUE(
        inputs->commit({.marks = {{0, {.mapped = {.end = known + bytes, .records = bytes}}}}})
            .is_ok());
  }

  const TemporaryFolder folder_;
  std::vector<Source> sources_;
  std::vector<string> notes_;
};

TEST_F(CheckpointInputsTest, GoOnAtTheirMarks) {
  folder_.write("a", "\n\n\n\n");
  map(1);
  map(2);
  const std::unique_ptr<CheckpointInputs> inputs = open(Resume::require);
  ASSERT_TRUE(identify(inputs.get()).is_ok());
  EXPECT_EQ(sources_[0].known, 3);
  EXPECT_EQ(inputs->known_bytes(), 3);
  EXPECT_EQ(inputs->known_sources(), 1);
  EXPECT_EQ(inputs->known_records().records, 3);
}

TEST_F(CheckpointInputsTest, MayHaveGrown) {
  folder_.write("a", "\n\n");
  map(2);
  std::ofstream(folder_.path("a"), std::ios::app) << "\n";
  ASSERT_TRUE(identify(open(Resume::require).get()).is_ok());
  EXPECT_EQ(sources_[0].known, 2);
}

TEST_F(CheckpointInputsTest, ThatHaveChangedBeginAnew) {
  folder_.write("a", "\n\n\n");
  map(2);
  folder_.write("a", "?\n\n");
  EXPECT_NE(identify(open(Resume::require).get()).message().find("has changed"), string::npos);
  ASSERT_TRUE(identify(open().get()).is_ok());
  EXPECT_EQ(sources_[0].known, 0);
  EXPECT_EQ(notes_.size(), 1u);
}

TEST_F(CheckpointInputsTest, WhoseLastRecordHasGrownBeginAnew) {
  folder_.write("a", "one");
  map(3);
  std::ofstream(folder_.path("a"), std::ios::app) << " more\n";
  ASSERT_TRUE(identify(open().get()).is_ok());
  EXPECT_EQ(sources_[0].known, 0);
}

TEST_F(CheckpointInputsTest, LeaveNothingWhenTheJobEnds) {
  folder_.write("a", "\n");
  map(1);
  ASSERT_TRUE(open()->end().is_ok());
  EXPECT_FALSE(std::filesystem::exists(folder_.path("job")));
  EXPECT_FALSE(identify(open(Resume::require).get()).is_ok());
}

}  // namespace
}  // namespace mrc
