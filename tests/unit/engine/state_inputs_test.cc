#include "engine/inner/kept_inputs.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

namespace mrc {
namespace {

using std::string;
using Names = std::vector<string>;

class StateInputsTest : public testing::Test {
 protected:
  std::unique_ptr<StateInputs> open(bool drops_gone = false) {
    const KeepSpec spec{.path = folder_.path("state"),
                        .drops_gone = drops_gone,
                        .digest = 1,
                        .job = "a job",
                        .mrc_version = "1"};
    Result<KeptDirectory> directory = KeptInputs::open(spec);
    EXPECT_TRUE(directory.is_ok()) << directory.status().message();
    return std::make_unique<StateInputs>(std::move(*directory), spec);
  }
  Status identify(StateInputs *kept, const Names &names) {
    sources_.clear(), notes_.clear();
    for (const string &name : names) sources_.push_back(*examine(folder_.path(name)));
    return kept->identify(&sources_, &notes_);
  }
  // As a run does that reads all that is new, in one tile for each source.
  void read(const Names &names, bool drops_gone = false, const std::set<i64> &partial = {}) {
    const std::unique_ptr<StateInputs> kept = open(drops_gone);
    ASSERT_TRUE(identify(kept.get(), names).is_ok());
    for (i64 i = 0; i < std::ssize(sources_); ++i) {
      const Source &source = sources_[static_cast<size_t>(i)];
      if (source.is_known || source.fresh() == source.end || partial.contains(i)) continue;
      const string text = folder_.read(source.path.substr(source.path.rfind('/') + 1));
      const u64 content =
          kept->hash().of(source.fresh(), Bytes(text).substr(static_cast<size_t>(source.fresh())));
      kept->add(i, {{{i, source.fresh(), source.end, content, 1}}, {0, 0, 0}}, -1);
    }
    const std::vector<Reading> readings(sources_.size(), {"lines"});
    ASSERT_TRUE(kept->note_inputs(sources_, readings, partial).is_ok());
    ASSERT_TRUE(kept->commit().is_ok());
  }
  // "NAME:from-end" of what is to be read, and "(NAME)" of what is known.
  string plan() const {
    string plan;
    for (const Source &source : sources_) {
      const string name = source.path.substr(source.path.rfind('/') + 1);
      if (!plan.empty()) plan += ' ';
      plan += source.is_known
                  ? "(" + name + ")"
                  : name + ":" + std::to_string(source.fresh()) + "-" + std::to_string(source.end);
    }
    return plan;
  }

  const TemporaryFolder folder_;
  std::vector<Source> sources_;
  Names notes_;
};

TEST_F(StateInputsTest, OfANewDirectoryAreAllNew) {
  folder_.write("a", "one\n");
  const std::unique_ptr<StateInputs> kept = open();
  ASSERT_TRUE(identify(kept.get(), {"a"}).is_ok());
  EXPECT_EQ(plan(), "a:0-4");
  EXPECT_EQ(kept->known_sources(), 0);
  EXPECT_TRUE(kept->known_tiles().empty());
}

TEST_F(StateInputsTest, AreReadFromWhereTheyEnded) {
  folder_.write("a", "one\n");
  folder_.write("b", "two\n");
  read({"a", "b"});
  folder_.write("b", "two\nthree\n");
  const std::unique_ptr<StateInputs> kept = open();
  ASSERT_TRUE(identify(kept.get(), {"b", "a"}).is_ok());
  EXPECT_EQ(plan(), "b:4-10 (a)");
  EXPECT_EQ(kept->known_sources(), 2);
  EXPECT_EQ(kept->known_bytes(), 8);
  EXPECT_EQ(kept->runs(), 0);
  ASSERT_EQ(kept->known_tiles().size(), 2u);
  EXPECT_EQ(kept->known_tiles()[0].source, 0);
}

TEST_F(StateInputsTest, ThatAreGoneComeFirstAsTheyWereFirstSeen) {
  for (const string name : {"c", "a", "b"}) folder_.write(name, name + "\n");
  read({"c", "a"});
  read({"c", "a", "b"});
  std::filesystem::remove(folder_.path("a"));
  std::filesystem::remove(folder_.path("c"));
  folder_.write("d", "d\n");
  read({"d", "b"});
  EXPECT_EQ(plan(), "(c) (a) d:0-2 (b)");
  EXPECT_EQ(sources_[0].argument, -1);
  read({"b"});
  EXPECT_EQ(plan(), "(c) (a) (d) (b)");
}

TEST_F(StateInputsTest, ThatAreGoneMayBeDropped) {
  folder_.write("a", "a\n");
  folder_.write("b", "b\n");
  read({"a", "b"});
  std::filesystem::remove(folder_.path("a"));
  read({"b"}, true);
  EXPECT_EQ(plan(), "(b)");
  read({"b"});
  EXPECT_EQ(plan(), "(b)");
}

TEST_F(StateInputsTest, ThatAreTheSameAreReadOnce) {
  folder_.write("a", "a\n");
  std::filesystem::create_hard_link(folder_.path("a"), folder_.path("b"));
  read({"a", "b"});
  EXPECT_EQ(plan(), "a:0-2 (b)");
  EXPECT_EQ(notes_.size(), 1u);
}

TEST_F(StateInputsTest, ThatWereNotReadToTheirEndsAreLookedAtAgain) {
  folder_.write("a", "a\n");
  folder_.write("b", "b\n");
  read({"a", "b"}, false, {1});
  read({"a", "b"});
  EXPECT_EQ(plan(), "(a) b:0-2");
}

TEST_F(StateInputsTest, MayTakeTheirTilesTogether) {
  folder_.write("a", "a\n");
  read({"a"});
  folder_.write("a", "a\nb\n");
  read({"a"});
  const std::unique_ptr<StateInputs> kept = open();
  ASSERT_TRUE(identify(kept.get(), {"a"}).is_ok());
  EXPECT_EQ(kept->known_tiles().size(), 2u);
  kept->replace(0, {{{0, 0, 4, kept->hash().of(0, "a\nb\n"), 2}}, {3, 1, 2}}, 7);
  ASSERT_EQ(kept->known_tiles().size(), 1u);
  EXPECT_EQ(kept->known_tiles()[0].first_block, 3);
  EXPECT_EQ(kept->runs(), 1);
}

TEST_F(StateInputsTest, MustBeFiles) {
  ASSERT_EQ(mkfifo(folder_.path("fifo").c_str(), 0600), 0);
  const std::unique_ptr<StateInputs> kept = open();
  EXPECT_NE(identify(kept.get(), {"fifo"}).message().find("fifo is no file"), string::npos);
}

TEST_F(StateInputsTest, AreThoseOfOneJob) {
  read({});
  const auto other = KeptInputs::open(
      {.path = folder_.path("state"), .digest = 2, .job = "other", .mrc_version = "1"});
  EXPECT_NE(other.status().message().find("keeps another job"), string::npos);
}

}  // namespace
}  // namespace mrc
