#include "input/whole_input.h"

#include "record.h"
#include "support/compress.h"
#include "support/fed_fifos.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;

// What is in it, and whether it is a file; "!" and the error if it cannot be read.
string contents(const string &path, bool is_file) {
  Result<Source> source = examine(path);
  if (!source.is_ok()) return "!" + source.status().message();
  Result<WholeInput> opened = WholeInput::open(*source);
  if (!opened.is_ok()) return "!" + opened.status().message();
  const WholeInput input = std::move(*opened);
  EXPECT_EQ(input.is_file(), is_file);
  if (!is_file) {  // what is read may be over-read
    for (i64 i = 0; i < kPadding; ++i) static_cast<void>(*(input.bytes().data() + i));
  }
  return string(input.bytes());
}

string text_of(i64 size) {
  string text;
  for (i64 i = 0; std::ssize(text) < size; ++i) text += std::to_string(i) + "\n";
  text.resize(static_cast<size_t>(size));
  return text;
}

TEST(WholeInput, IsTheBytesOfAFile) {
  TemporaryFolder folder;
  for (i64 size : {i64{1}, i64{4095}, i64{4096}, i64{3} << 20}) {
    const string text = text_of(size);
    EXPECT_TRUE(contents(folder.write("in", text), true) == text) << size;
  }
}

TEST(WholeInput, MayBeEmpty) {
  TemporaryFolder folder;
  EXPECT_EQ(contents(folder.write("in", ""), false), "");
  EXPECT_EQ(contents("/dev/null", false), "");
}

TEST(WholeInput, IsReadFromPipesToTheirEnd) {
  TemporaryFolder folder;
  // Around the sizes at which memory grows.
  const i64 first = i64{1} << 20;
  for (i64 size : {i64{0}, i64{1}, first - kPadding - 1, first - kPadding, first - kPadding + 1,
                   first, 3 * first + 5}) {
    FedFifos fifos;
    const string text = text_of(size), path = folder.path("fifo" + std::to_string(size));
    fifos.feed(path, text);
    EXPECT_TRUE(contents(path, false) == text) << size;
    fifos.end();
  }
}

TEST(WholeInput, IsUnpacked) {
  TemporaryFolder folder;
  const string text = text_of(3000000);
  EXPECT_TRUE(contents(folder.write("in.gz", deflated(text, IGZIP_GZIP)), false) == text);
  EXPECT_EQ(contents(folder.write("none.gz", deflated("", IGZIP_GZIP)), false), "");
  const string cut = deflated(text, IGZIP_GZIP).substr(0, 5000);
  EXPECT_TRUE(
      contents(folder.write("cut.gz", cut), false).starts_with("!" + folder.path("cut.gz")));
}

TEST(WholeInput, IsAnErrorIfItIsGone) {
  TemporaryFolder folder;
  const string path = folder.write("in", "text");
  const Result<Source> source = examine(path);
  std::filesystem::remove(path);
  const Result<WholeInput> input = WholeInput::open(*source);
  ASSERT_FALSE(input.is_ok());
  EXPECT_EQ(input.status().message(), path + ": No such file or directory");
}

// What is appended later is not of it.
TEST(WholeInput, IsAsLargeAsItWasWhenItWasLookedAt) {
  TemporaryFolder folder;
  const string path = folder.write("in", "text");
  const Result<Source> source = examine(path);
  std::ofstream(path, std::ios::app) << " and more";
  EXPECT_EQ(WholeInput::open(*source)->bytes(), "text");
}

}  // namespace
}  // namespace mrc
