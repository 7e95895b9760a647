#include "base/hash.h"
#include "engine/inner/sample.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace mrc {
namespace {

using Random = std::mt19937_64;
// The keys of one piece.
using Piece = std::vector<u64>;

u64 hash_of(u64 key) { return fold_multiply(key ^ 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93); }

SampleCounts counts_of(const std::vector<Piece> &pieces) {
  KeySample sample;
  for (Piece piece : pieces) {
    for (u64 &key : piece) key = hash_of(key);
    sample.begin_piece();
    sample.add(piece.data(), std::ssize(piece));
  }
  return sample.counts();
}

std::vector<Piece> pieces_of(i64 pieces, i64 records, const std::function<u64()> &next_key) {
  std::vector<Piece> result(static_cast<size_t>(pieces));
  for (Piece &piece : result) {
    for (i64 i = 0; i < records; ++i) piece.push_back(next_key());
  }
  return result;
}

// Keys 0 to n - 1, the first the most frequent: as 1 / rank^exponent. Uniform for 0.
class Population {
 public:
  Population(i64 n, double exponent) {
    double sum = 0;
    for (i64 i = 1; i <= n; ++i) {
      sum_.push_back(sum += std::pow(static_cast<double>(i), -exponent));
    }
  }
  u64 draw(Random *random) const {
    const double at = std::uniform_real_distribution<double>(0, sum_.back())(*random);
    return static_cast<u64>(std::upper_bound(sum_.begin(), sum_.end(), at) - sum_.begin());
  }
  // How many different ones are expected among so many.
  double distinct(double records) const {
    double distinct = 0, before = 0;
    for (double sum : sum_) {
      distinct -= std::expm1(-records * (sum - before) / sum_.back());
      before = sum;
    }
    return distinct;
  }

 private:
  std::vector<double> sum_;  // of the weights up to each key
};

// Predicted / true.
double ratio(const Population &population, double records_total) {
  Random random(first_seed());
  const SampleCounts counts =
      counts_of(pieces_of(64, 2000, [&] { return population.draw(&random); }));
  return predict_distinct(counts, records_total).distinct_total /
         population.distinct(records_total);
}

TEST(KeySample, CountsThePiecesOfEachKey) {
  Random random(first_seed());
  const std::vector<Piece> pieces =
      pieces_of(10, 3000, [&] { return random() % (u64{1} << random() % 16); });
  std::map<u64, std::set<size_t>> pieces_of_key;
  for (size_t i = 0; i < pieces.size(); ++i) {
    for (u64 key : pieces[i]) pieces_of_key[key].insert(i);
  }
  std::vector<i64> expected(11);
  for (const auto &[key, in] : pieces_of_key) ++expected[in.size()];
  const SampleCounts counts = counts_of(pieces);
  EXPECT_EQ(counts.keys_in, expected);
  EXPECT_EQ(counts.records, 30000);
  EXPECT_EQ(counts.pieces(), 10);
  EXPECT_EQ(counts.keys(), std::ssize(pieces_of_key));
}

TEST(KeySample, MayHaveEmptyPieces) {
  const SampleCounts counts = counts_of({{}, {7, 7}, {}, {7, 8}});
  EXPECT_EQ(counts.keys_in, (std::vector<i64>{0, 1, 1, 0, 0}));
  EXPECT_EQ(KeySample().counts().keys(), 0);
}

TEST(KeySample, FollowsPartOfVeryManyKeys) {
  const i64 keys = 5 * static_cast<i64>(KeySample::kMostKeys);
  u64 next = 0;
  const SampleCounts counts =
      counts_of(pieces_of(4, keys / 2, [&] { return next++ % static_cast<u64>(keys); }));
  EXPECT_EQ(counts.records, 2 * keys);
  EXPECT_EQ(counts.keys_in[1], 0);
  EXPECT_EQ(counts.keys_in[2], counts.keys());
  EXPECT_NEAR(static_cast<double>(counts.keys()) / static_cast<double>(keys), 1, 0.03);
}

TEST(PredictDistinct, IsCloseForKeysEquallyFrequent) {
  for (i64 keys : {10, 1000, 30000, 300000}) {
    const Population population(keys, 0);
    for (double records : {2e5, 1e6, 1e8}) {
      EXPECT_NEAR(ratio(population, records), 1, 0.05) << keys << " keys, " << records;
    }
  }
}

TEST(PredictDistinct, IsWithinAFactorOfTwoForZipf) {
  for (double exponent : {0.8, 1.0, 1.2}) {
    for (i64 keys : {30000, 300000}) {
      const Population population(keys, exponent);
      for (double records : {2e5, 1e6, 1e7}) {
        const double found = ratio(population, records);
        EXPECT_GT(found, 0.5) << keys << " keys, exponent " << exponent << ", " << records;
        EXPECT_LT(found, 2) << keys << " keys, exponent " << exponent << ", " << records;
      }
    }
  }
}

TEST(PredictDistinct, SeesThatAllKeysDiffer) {
  u64 next = 0;
  const Prediction found =
      predict_distinct(counts_of(pieces_of(64, 1000, [&] { return next++; })), 1e8);
  EXPECT_NEAR(found.distinct_total, 1e8, 1e5);
  EXPECT_NEAR(found.repeat_factor, 1, 0.001);
}

// Each key ten times, one after another: counting occurrences alone would mislead.
TEST(PredictDistinct, SeesThroughClusters) {
  u64 next = 0;
  const Prediction found =
      predict_distinct(counts_of(pieces_of(64, 1000, [&] { return next++ / 10; })), 1e8);
  EXPECT_NEAR(found.distinct_total, 1e7, 1e5);
  EXPECT_NEAR(found.repeat_factor, 10, 0.1);
}

TEST(PredictDistinct, SeesFewUniqueKeysAmongMany) {
  u64 next = 0;
  Random random(first_seed());
  auto key = [&] { return next++ % 20 == 0 ? 1000000 + next : random() % 5000; };
  const Prediction found = predict_distinct(counts_of(pieces_of(64, 2000, key)), 1e8);
  EXPECT_NEAR(found.distinct_total, 5e6, 1e6);
}

TEST(PredictDistinct, NeverFallsBelowWhatWasSeenNorExceedsTheRecords) {
  Random random(first_seed());
  for (int i = 0; i < 500; ++i) {
    const u64 keys = u64{1} << random() % 20;
    const SampleCounts counts =
        counts_of(pieces_of(static_cast<i64>(random() % 8), static_cast<i64>(random() % 50),
                            [&] { return random() % keys; }));
    double before = static_cast<double>(counts.keys());
    for (double times : {0.0, 1.0, 1.5, 10.0, 1e9}) {
      const double total = times * static_cast<double>(counts.records);
      const Prediction found = predict_distinct(counts, total);
      ASSERT_GE(found.distinct_total, before * 0.99);
      ASSERT_LE(found.distinct_total, std::max(total, static_cast<double>(counts.records)));
      ASSERT_GE(found.repeat_factor, 1);
      before = found.distinct_total;
    }
  }
}

TEST(PredictDistinct, KnowsASampleOfEverything) {
  const SampleCounts counts = counts_of({{1, 2}, {2, 3}, {4, 4}});
  EXPECT_EQ(predict_distinct(counts, 6).distinct_total, 4);
  EXPECT_EQ(predict_distinct(counts, 6).repeat_factor, 1.5);
}

TEST(PredictDistinct, KnowsNothingOfNothing) {
  EXPECT_EQ(predict_distinct({}, 1000).distinct_total, 0);
  EXPECT_EQ(predict_distinct({}, 1000).repeat_factor, 1);
}

}  // namespace
}  // namespace mrc
