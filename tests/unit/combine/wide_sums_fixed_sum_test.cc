#include "combine/inner/wide_sums.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <cfloat>

namespace mrc {
namespace {

template <size_t kWords>
std::string shown_sum(const FixedSum<kWords> &sum) {
  return to_mpz(sum.words(), sum.kSize).get_str();
}

TEST(FixedSum, AddsAndTakesAway) {
  FixedSum<3> sum{};
  const u64 one = 1, most[2] = {~u64{0}, ~u64{0}};
  sum.add(most, 2, 0, false);
  sum.add(&one, 1, 0, false);
  EXPECT_EQ(shown_sum(sum), mpz_class(mpz_class(1) << 128).get_str()) << "carried twice";
  sum.add(&one, 1, 1, true);
  EXPECT_EQ(shown_sum(sum), mpz_class((mpz_class(1) << 128) - (mpz_class(1) << 64)).get_str());
  sum.add(most, 2, 0, true);
  EXPECT_EQ(shown_sum(sum), "-18446744073709551615");
}

TEST(FixedSum, HoldsAllDoublesAndDecimals) {
  WideSum<1> sum{};
  WideSum<2> squares{};
  for (double value : {DBL_MAX, -DBL_MAX, 5e-324, -5e-324, 1.0, -2.5}) {
    sum.add_double(value);
    squares.add_double(value);
  }
  EXPECT_EQ(mpz_class(to_mpz(sum.doubles.words(), sum.doubles.kSize) >> 1073).get_str(), "-3");
  const mpz_class smallest = 2;  // 5e-324 twice, squared
  const mpz_class rest = to_mpz(squares.doubles.words(), squares.doubles.kSize) -
                         2 * (mpz_class(DBL_MAX) * mpz_class(DBL_MAX) << 2148) - smallest;
  EXPECT_EQ(mpz_class(rest >> 2146).get_str(), "29") << "7.25, in quarters";
  const __int128 most = power_of_ten(38) - 1;
  for (int i = 0; i < 1000; ++i) sum.add_decimal(-most, power_of_ten(38));
  EXPECT_EQ(to_mpz(sum.decimals.words(), sum.decimals.kSize).get_str(),
            mpz_class(-1000 * (power(10, 76) - power(10, 38))).get_str());
}

TEST(FixedSum, IsTheSameWhenLoaded) {
  std::mt19937_64 random(first_seed());
  for (int round = 0; round < 2000; ++round) {
    FixedSum<9> sum{}, loaded{};
    const u64 words[] = {random() >> random() % 64, random() % 2 == 0 ? 0 : ~u64{0}};
    const size_t at = random() % 7;
    sum.add(words, 1 + random() % 2, at, random() % 2 == 0);
    std::string saved;
    save_words(sum.words(), sum.kSize, &saved);
    Bytes bytes = saved;
    load_words(&bytes, loaded.words(), loaded.kSize);
    EXPECT_TRUE(bytes.empty());
    ASSERT_EQ(shown_sum(sum), shown_sum(loaded));
    EXPECT_LE(saved.size(), 2 + 8 * 9u);
  }
}

}  // namespace
}  // namespace mrc
