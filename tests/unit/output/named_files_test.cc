#include "output/named_files.h"

#include "output/file_names.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mrc {
namespace {

using Strings = std::vector<std::string>;

class NamedFilesTest : public testing::Test {
 protected:
  std::unique_ptr<NamedFiles> open(i64 most_open, i64 memory, bool replaces = false) const {
    auto files = NamedFiles::open({.prefix = folder_.path(""),
                                   .pattern = "x/{a}",
                                   .most_open = most_open,
                                   .replaces = replaces},
                                  memory);
    EXPECT_TRUE(files.is_ok());
    return std::move(*files);
  }
  static std::string framed(const std::string &path, const std::string &record) {
    std::string out;
    append_to_file(path, record, &out);
    return out;
  }

  TemporaryFolder folder_;
  WorkerPool pool_{2, true};
};

// Pieces of all sizes, to more files than may be open, with more text than may wait.
TEST_F(NamedFilesTest, HaveTheirRecordsInOrder) {
  std::map<std::string, std::string> expected;
  {
    const auto files = open(3, 0);
    ASSERT_TRUE(files->write(framed("", "header\n")).is_ok());
    for (size_t i = 0; i < 20000; ++i) {
      const std::string path = std::to_string(i * 7919 % 11) + "/" + std::to_string(i % 3);
      const std::string record(i * 31 % 200, static_cast<char>('a' + i % 26));
      if (expected[path].empty()) expected[path] = "header\n";
      expected[path] += record;
      const Status status = files->write(framed(path, record));
      ASSERT_TRUE(status.is_ok()) << status.message();
    }
    const Status status = files->finish(&pool_);
    ASSERT_TRUE(status.is_ok()) << status.message();
    EXPECT_EQ(files->size(), 33);
  }
  for (const auto &[path, text] : expected) EXPECT_TRUE(folder_.read(path) == text) << path;
  EXPECT_EQ(folder_.files(), 11);
}

TEST_F(NamedFilesTest, LeaveNothingUnlessTheyAreFinished) {
  {
    const auto files = open(3, 0);
    ASSERT_TRUE(files->write(framed("a/b", std::string(100000, 'x'))).is_ok());
    EXPECT_EQ(folder_.files(), 1);
  }
  EXPECT_EQ(folder_.files(), 0);
}

TEST_F(NamedFilesTest, OfTwoSetsTheSecondIsRefused) {
  const auto first = open(3, 0), second = open(3, 0);
  ASSERT_TRUE(first->write(framed("a", "1") + framed("b", "1")).is_ok());
  ASSERT_TRUE(second->write(framed("c", "2") + framed("b", "2")).is_ok());
  ASSERT_TRUE(first->finish(&pool_).is_ok());
  const Status status = second->finish(&pool_);
  ASSERT_FALSE(status.is_ok());
  EXPECT_NE(status.message().find("/b: is there already"), std::string::npos) << status.message();
  EXPECT_FALSE(std::filesystem::exists(folder_.path("c")));
  EXPECT_EQ(folder_.read("b"), "1");
}

TEST(FileNamesTest, AreAmbiguousWithoutASeparator) {
  EXPECT_EQ(FileNames::why_ambiguous(Strings{"x", "y"}), "");
  EXPECT_EQ(FileNames::why_ambiguous(Strings{"", "/", ""}), "");
  EXPECT_EQ(FileNames::why_ambiguous(Strings{"", "-", ""}), "");
  EXPECT_EQ(FileNames::why_ambiguous(Strings{"", "A/", ""}), "");
  EXPECT_NE(FileNames::why_ambiguous(Strings{"", "", ""}), "");
  EXPECT_NE(FileNames::why_ambiguous(Strings{"", "%", ""}), "");
  EXPECT_NE(FileNames::why_ambiguous(Strings{"", "/", "7", ""}), "");
}

}  // namespace
}  // namespace mrc
