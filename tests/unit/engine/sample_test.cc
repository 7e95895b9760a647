#include "engine/inner/sample.h"

#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <random>

namespace mrc {
namespace {

constexpr i64 kMiB = i64{1} << 20;
constexpr u64 kManyRecords = 10000000;  // keys: few lines are alike

class TakingASample : public testing::Test {
 protected:
  // A file of about so many bytes: lines of twelve bytes, drawn from so many.
  std::string numbered(const std::string &name, i64 bytes, u64 keys) {
    std::mt19937_64 random(1);
    std::string text;
    while (std::ssize(text) < bytes) text += fmt::format("key {:07}\n", random() % keys);
    return folder_.write(name, text);
  }

  // What make_plan() has found out by the time it takes a sample.
  Plan examined() const {
    Plan plan;
    for (const std::string &path : program_.inputs) {
      Result<Source> source = examine(path);
      plan.streams += source->stream;
      plan.input_bytes += source->end - source->begin;
      plan.sources.push_back(*source);
    }
    plan.scanner = &best_scanner();
    return plan;
  }
  Sample sample_of(const Plan &plan) const {
    return take_sample(program_, *program_.stage->make(program_), plan);
  }
  Sample sample() const { return sample_of(examined()); }

  TakingASample() { program_.map.records = MapSpec::Records::lines; }
  TemporaryFolder folder_;
  Program program_;
};

TEST_F(TakingASample, IsForMuchInputInFilesOnly) {
  program_.inputs = {folder_.write("a", "a")};
  ASSERT_EQ(truncate(program_.inputs[0].c_str(), 32 * kMiB), 0);
  EXPECT_FALSE(worth_sampling(program_, examined()));
  ASSERT_EQ(truncate(program_.inputs[0].c_str(), 32 * kMiB + 1), 0);
  EXPECT_TRUE(worth_sampling(program_, examined()));
  program_.switches.sample = Sampling::off;
  EXPECT_FALSE(worth_sampling(program_, examined()));
  program_.switches.sample = Sampling::strided;
  program_.inputs.push_back("/dev/null");
  EXPECT_FALSE(worth_sampling(program_, examined()));
}

TEST_F(TakingASample, TakesWholeRecordsFromAllOverTheInput) {
  program_.inputs = {numbered("a", kMiB, kManyRecords), numbered("b", kMiB, kManyRecords)};
  const Sample found = sample();
  EXPECT_EQ(found.pieces, 64);
  EXPECT_EQ(found.bytes, found.records * 12);  // no record is cut
  EXPECT_EQ(found.key_bytes, found.records * 11);
  EXPECT_EQ(found.of_class, (std::array<i64, 3>{found.records, 0, 0}));
  EXPECT_NEAR(static_cast<double>(found.bytes), static_cast<double>(64 * found.piece_bytes),
              64 * 24);
  EXPECT_EQ(found.common_prefix, "key ");
  EXPECT_EQ(found.counts.pieces(), 64);
}

TEST_F(TakingASample, IsTheSameForTheSameInput) {
  program_.inputs = {numbered("a", kMiB, 1000)};
  const Sample first = sample(), second = sample();
  EXPECT_GT(first.records, 0);
  EXPECT_EQ(first.records, second.records);
  EXPECT_EQ(first.counts.keys_in, second.counts.keys_in);
}

TEST_F(TakingASample, TellsClassesOfKeys) {
  std::string text;
  while (std::ssize(text) < kMiB) {
    text += std::string(15, 'a') + "\n" + std::string(31, 'b') + "\n" + std::string(32, 'c') + "\n";
  }
  program_.inputs = {folder_.write("a", text)};
  const Sample found = sample();
  for (i64 records : found.of_class) {
    EXPECT_NEAR(static_cast<double>(records), static_cast<double>(found.records) / 3, 64);
  }
  EXPECT_EQ(found.common_prefix, "");
}

TEST_F(TakingASample, IsSmallerWhereInputCannotBeRead) {
  program_.inputs = {numbered("a", kMiB, kManyRecords), numbered("b", kMiB, kManyRecords),
                     numbered("c", kMiB, kManyRecords)};
  const Plan plan = examined();
  const i64 whole = sample_of(plan).bytes;
  unlink(program_.inputs[1].c_str());
  ASSERT_EQ(truncate(program_.inputs[2].c_str(), kMiB / 2), 0);
  const Sample found = sample_of(plan);
  EXPECT_NEAR(static_cast<double>(found.bytes), static_cast<double>(whole) / 2,
              static_cast<double>(whole) / 10);
  for (const std::string &path : program_.inputs) unlink(path.c_str());
  EXPECT_EQ(sample_of(plan).records, 0);
  EXPECT_EQ(foretell(program_, sample_of(plan), 2).keys, 0);
}

TEST_F(TakingASample, HasNothingOfRecordsThatAreLongerThanPieces) {
  program_.inputs = {folder_.write("a", std::string(kMiB, 'x'))};
  const Sample found = sample();
  EXPECT_EQ(found.records, 0);
  EXPECT_EQ(found.common_prefix, "");
}

TEST_F(TakingASample, KeepsToRecordsOfFixedSize) {
  std::string text;
  for (i64 i = 0; i < 30000; ++i) text += fmt::format("head{:06}tail\n", i * 7919 % 30000);
  program_.inputs = {folder_.write("a", text)};
  program_.stage = &kSortStage;
  program_.sort.emplace();
  program_.sort->record_bytes = 15;
  program_.sort->range = ByteRange{0, 10};
  const Sample found = sample();
  EXPECT_EQ(found.bytes, found.records * 15);
  EXPECT_TRUE(found.common_prefix.starts_with("head0")) << found.common_prefix;
  EXPECT_EQ(found.counts.keys(), 0);
}

TEST_F(TakingASample, OfRecordsToSortShowsWhatTheirSortKeysShare) {
  program_.inputs = {numbered("a", kMiB, 1000)};
  program_.stage = &kSortStage;
  program_.sort.emplace();
  EXPECT_TRUE(sample().common_prefix.starts_with("key 0000")) << sample().common_prefix;
}

TEST_F(TakingASample, OfTheHeadIsContiguous) {
  program_.inputs = {numbered("a", kMiB, kManyRecords), numbered("b", kMiB, kManyRecords)};
  program_.switches.sample = Sampling::head;
  program_.switches.head = 0.75;
  const Sample found = sample();
  EXPECT_NEAR(found.share, 0.75, 0.001);
  // Keys come again from the start of the second file on: a third of what was read.
  EXPECT_NEAR(static_cast<double>(found.counts.keys()), static_cast<double>(found.records) * 2 / 3,
              static_cast<double>(found.records) / 50);
}

TEST_F(TakingASample, ForetellsHowManyKeysThereAre) {
  program_.inputs = {numbered("a", 4 * kMiB, 20000)};  // 350,000 records
  const Forecast forecast = foretell(program_, sample(), 4);
  EXPECT_NEAR(forecast.records, 4.0 * kMiB / 12, 4.0 * kMiB / 12 / 50);
  EXPECT_NEAR(forecast.keys, 20000, 2000);
  EXPECT_LE(forecast.worker_keys, forecast.keys);
  EXPECT_GT(forecast.worker_keys, 15000);
  EXPECT_NEAR(forecast.repeats, forecast.records / forecast.keys, 0.01);
}

TEST_F(TakingASample, ForetellsFromTheHeadByItsShare) {
  program_.inputs = {numbered("a", 4 * kMiB, kManyRecords)};
  program_.switches.sample = Sampling::head;
  const Forecast forecast = foretell(program_, sample(), 4);
  EXPECT_NEAR(forecast.keys, forecast.records, forecast.records / 100);
  EXPECT_NEAR(forecast.worker_keys, forecast.records / 4, 1);
}

TEST(CommonPrefix, IsWhatAllKeysBeginWith) {
  CommonPrefix prefix;
  EXPECT_EQ(prefix.bytes(), "");
  prefix.add("abcd");
  EXPECT_EQ(prefix.bytes(), "abcd");
  prefix.add("abce");
  prefix.add("abcdef");
  EXPECT_EQ(prefix.bytes(), "abc");
  prefix.add("ab");
  EXPECT_EQ(prefix.bytes(), "ab");
  prefix.add("");
  prefix.add("ab");
  EXPECT_EQ(prefix.bytes(), "");
}

TEST(CommonPrefix, HasItsLimit) {
  CommonPrefix prefix;
  const std::string longest(CommonPrefix::kLongest, 'x');
  prefix.add(longest + longest);
  EXPECT_EQ(prefix.bytes(), longest);
}

}  // namespace
}  // namespace mrc
