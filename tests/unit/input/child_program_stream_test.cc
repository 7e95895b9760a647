#include "support/compress.h"
#include "support/read_stream.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <thread>

namespace mrc {
namespace {

using std::string;

class Program : public testing::TestWithParam<const char *> {
 protected:
  string compressed(const string &text) { return filtered(GetParam(), text); }
  void TearDown() override { EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left"; }
  TemporaryFolder folder_;
};

TEST_P(Program, ReadsAFileByItself) {
  for (size_t size : {0, 1, 3000000}) {
    const string path = folder_.write("in", compressed(log_like(size)));
    const ReadStream all = decompressed_file(path);
    EXPECT_TRUE(all.text == log_like(size)) << size;
    EXPECT_EQ(all.error, "");
  }
}

TEST_P(Program, IsHandedWhatIsNoFile) {
  for (size_t size : {0, 1, 3000000}) {
    const string packed = compressed(log_like(size));
    const ReadStream all = decompressed(packed);  // in memory
    EXPECT_TRUE(all.text == log_like(size)) << size;
    EXPECT_EQ(all.error, "");
  }
}

TEST_P(Program, SaysWhatIsWrong) {
  const string packed = compressed(log_like(3000000));
  const Bytes half = Bytes(packed).substr(0, packed.size() / 2);
  const ReadStream all = decompressed(half);
  EXPECT_TRUE(log_like(3000000).starts_with(all.text));
  EXPECT_TRUE(all.error.starts_with("in: ")) << all.error;
  EXPECT_TRUE(all.error.ends_with("; what lies before it is used")) << all.error;
  EXPECT_EQ(all.error.find('\n'), string::npos);
  EXPECT_EQ(decompressed_file(folder_.write("half", string(half))).text, all.text);
}

TEST_P(Program, EndsWhenNobodyReadsOn) {
  const string path = folder_.write("in", compressed(log_like(6000000)));
  for (bool in_memory : {false, true}) {
    const string packed = folder_.read("in");
    Result<InputFile> file = InputFile::open({.path = path});
    ASSERT_TRUE(file.is_ok());
    BufferedReader reader =
        in_memory ? BufferedReader(packed, 0, "in") : BufferedReader(std::move(*file));
    Result<std::unique_ptr<Stream>> stream = open_stream(codec_of(packed), &reader);
    ASSERT_TRUE(stream.is_ok());
    char first;
    EXPECT_EQ(*(*stream)->read(&first, 1), 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Program, testing::Values("xz -0 -c", "bzip2 -1 -c", "lz4 -qc"),
                         [](const auto &of) { return string(of.param, strcspn(of.param, " ")); });

TEST(ProgramThatIsMissing, IsNamedWithItsPackage) {
  const string packed = filtered("xz -c", "a\n"), path = getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  const ReadStream all = decompressed(packed);
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(all.error,
            "in: is compressed by xz, and there is no program of that name: install the package "
            "xz-utils, or decompress it beforehand");
}

}  // namespace
}  // namespace mrc
