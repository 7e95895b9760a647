// Buffers are used again: a longer input with the same keys takes no more pages from the
// kernel (Tiled-MapReduce 4.1, reuse of input and intermediate buffers).
#include "base/int.h"
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <random>

namespace mrc {
namespace {

// Page faults of the command, which are what memory that is taken anew costs.
i64 faults_of(const std::string &command) {
  struct rusage usage;
  EXPECT_EQ(Background(command).wait(&usage), 0) << command;
  return usage.ru_minflt;
}

class FlatMemory : public testing::TestWithParam<const char *> {};

TEST_P(FlatMemory, WhenTheInputIsTenTimesAsLong) {
#ifdef MRC_SANITIZED
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  TemporaryFolder folder;
  std::mt19937_64 random(7);
  std::string text;
  while (text.size() < (size_t{3} << 20)) text += "word" + std::to_string(random() % 5000) + "\n";
  folder.write("short", text);
  std::string longer;
  for (int i = 0; i < 10; ++i) longer += text;
  folder.write("long", longer);
  auto run = [&](const std::string &input) {
    return faults_of(std::string("$MRC ") + GetParam() + " " + folder.path(input) + " > /dev/null");
  };
  const i64 small = run("short"), large = run("long");
  EXPECT_LT(large, small + small / 2 + 500);
}

// If each of them were mapped anew, with what follows it, there would be many more faults.
TEST(SmallSplits, AreSeenInOneMappingOfTheirNeighbours) {
#ifdef MRC_SANITIZED
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  TemporaryFolder folder;
  folder.write("record", std::string(1000000, 'x') + "\n");
  std::string text;
  while (text.size() < 1000000) text += "line\n";
  folder.write("lines", text);
  for (const char *input : {"record", "lines"}) {
    EXPECT_LT(faults_of("$MRC count --io mmap -j2 --split 2 " + folder.path(input) + " >/dev/null"),
              100000)
        << input;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Jobs, FlatMemory,
    testing::Values("wordcount -j2 --split 256K", "count -j2 --split 256K",
                    "wordcount -j2 --split 256K --tile 1M --container hashtree "
                    "--engine eager=on",
                    "count -j1 --split 256K --memory 1M"));

}  // namespace
}  // namespace mrc
