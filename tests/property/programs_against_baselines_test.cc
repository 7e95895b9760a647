// The programs of the papers print what programs written by hand for one thread print, byte by
// byte, on random input of random shapes, for any number of threads.
#include "support/process.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

namespace mrc {
namespace {

using std::string;

struct Program {
  const char *name;
  // Lines of sh: $GENERATE, $BASELINES, $MRC, $1 to $5 random numbers.
  const char *make, *expect, *find;
};

// Letters, apostrophes, symbols and what is not valid UTF-8, one after another.
constexpr const char *kAnyScript = R"(awk -v seed=$1 -v size=$5 'BEGIN {
  some = "a,B,7,_,\047,\342\200\231,\303\251,\303\227,\302\265,\302\240,\377,\303,\355\240\200," \
    "\360\237\230\200,\343\200\200,\357\273\277, ,.,\n"
  srand(seed); n = split(some, each, ",")
  while (size-- > 0) printf "%s", each[int(rand() * n) + 1] }' > a.txt)";

// Random numbers: 1 a seed, 2 and 3 up to 40, 4 from 1 to 9, 5 up to 20,000.
constexpr Program kPrograms[] = {
    {"histogram", "$GENERATE bitmap $1 $2 $3 a.bmp", "$BASELINES histogram a.bmp",
     "$MRC histogram a.bmp"},
    {"linear_regression", "$GENERATE pairs $1 $5 a.bin", "$BASELINES linear_regression a.bin",
     "$MRC linear_regression a.bin"},
    {"string_match", "$GENERATE dictionary $1 $5 9 a.txt", "$BASELINES string_match a.txt",
     "$MRC string_match --split 777 a.txt"},
    {"kmeans", "$GENERATE points $1 $5 $4 a.txt", "$BASELINES kmeans a.txt $2 7",
     "$MRC kmeans --set clusters=$2 --set rounds=7 a.txt"},
    {"kmeans_to_the_end", "$GENERATE points $1 300 $4 a.txt", "$BASELINES kmeans a.txt $4",
     "$MRC kmeans --set clusters=$4 a.txt"},
    {"pca", "$GENERATE matrix $1 $2 $(($3 + 1)) a.txt", "$BASELINES pca a.txt", "$MRC pca a.txt"},
    {"pca_of_numpy", "$GENERATE matrix $1 $2 2$3 a.npy; $GENERATE matrix $1 $2 2$3 a.txt",
     "$BASELINES pca a.txt", "$MRC pca a.npy"},
    {"matrix_multiply", "$GENERATE matrix $1 $2 30$4 a.txt; $GENERATE matrix $2 30$4 $3 b.txt",
     "$BASELINES matrix_multiply a.txt b.txt", "$MRC matrix_multiply a.txt b.txt"},
    {"word_count", "$GENERATE dictionary $1 $5 9 a.txt", "$BASELINES word_count a.txt",
     "$MRC word_count --split 777 a.txt"},
    {"word_count_map", "$GENERATE dictionary $1 $5 9 a.txt", "$BASELINES word_count a.txt",
     "$MRC run word_count word_count_map --split 777 a.txt"},
    {"word_count_of_any_script", kAnyScript, "$BASELINES word_count a.txt",
     "$MRC word_count --split 777 a.txt"},
    {"inverted_index", "$GENERATE dictionary $1 $5 9 a.txt", "$BASELINES inverted_index a.txt",
     "$MRC index --words alpha --split 777 a.txt"},
};

class PaperProgram : public testing::TestWithParam<Program> {
 protected:
  void SetUp() override {
    setenv("GENERATE", MRC_BENCH "/generate_numbers", 1);
    setenv("BASELINES", MRC_BENCH "/baselines", 1);
    setenv("MRC_PLUGIN_PATH", MRC_PLUGINS, 1);
  }
};

TEST_P(PaperProgram, PrintsWhatItsBaselineDoes) {
  const Program &program = GetParam();
  std::mt19937_64 random(first_seed());
  for (int round = 0; round < 8; ++round) {
    const TemporaryFolder folder;
    const string numbers =
        fmt::format("set -- {} {} {} {} {}; cd {};", random() % 100000, 1 + random() % 40,
                    1 + random() % 40, 1 + random() % 9, 40 + random() % 20000, folder.path(""));
    SCOPED_TRACE(fmt::format("seed {}, round {}: {}", first_seed(), round, numbers));
    ASSERT_EQ(run_shell(numbers + program.make), 0);
    ASSERT_EQ(run_shell(numbers + program.expect + " > expected"), 0);
    for (int threads : {1, 2, 8}) {
      const string run = fmt::format("{} {} -j{} > found", numbers, program.find, threads);
      ASSERT_EQ(run_shell(run), 0);
      EXPECT_TRUE(folder.read("found") == folder.read("expected")) << run;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PaperProgram, testing::ValuesIn(kPrograms),
                         [](const auto &test) { return string(test.param.name); });

}  // namespace
}  // namespace mrc
