// A hash with k leading zeros occurs once in 2^k different hashes, so the longest run of leading
// zeros estimates their number: roughly, and in one byte. The estimator averages 2^14 such
// registers, each for the hashes whose first 14 bits are its number (Flajolet et al., 2007).
//
// A register holds 1 + the leading zeros of the other 50 bits, at most 51, and 0 if it has seen no
// hash. The estimate is the harmonic mean of 2^register, with a bias for very small and very large
// counts. The first paper switches between formulae there, and others use tables of measured bias.
// Ertl (arXiv 1702.01284, the improved raw estimator) has one formula for all counts: empty and
// full registers get the weight that they would have if registers went on below 0 and above 51. The
// weights are the series sigma and tau, which converge within some dozens of steps, because each
// step squares x or takes its root. For few keys the result is close to counting empty registers,
// so small counts need no special case.
#include "combine/hyperloglog.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace mrc {
namespace {

constexpr int kHashBits = 64 - HyperLogLog::kPrecision;
constexpr int kFull = kHashBits + 1;
constexpr double kAlpha = 0.7213475204444817;  // 1 / (2 ln 2)

// Mixes the hash again. A hash of base/hash.h may be one folded product, whose bits are good enough
// to choose a slot, but not to count zeros. (The finaliser of SplitMix64, Stafford's Mix13, a
// bijection, so different hashes stay different.)
u64 mix(u64 hash) {
  hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9;
  hash = (hash ^ hash >> 27) * 0x94D049BB133111EB;
  return hash ^ hash >> 31;
}

// The weight of empty registers: x + sum of x^(2^k) * 2^(k-1) over k >= 1.
double sigma(double x) {
  if (x == 1) return std::numeric_limits<double>::infinity();
  double sum = x, before, weight = 1;
  do {
    x *= x;
    before = sum;
    sum += x * weight;
    weight *= 2;
  } while (sum != before);
  return sum;
}

// The weight of full registers: (1 - x - sum of (1 - x^(2^-k))^2 * 2^-k over k >= 1) / 3.
double tau(double x) {
  if (x == 0 || x == 1) return 0;
  double sum = 1 - x, before, weight = 1;
  do {
    x = std::sqrt(x);
    before = sum;
    weight /= 2;
    sum -= (1 - x) * (1 - x) * weight;
  } while (sum != before);
  return sum / 3;
}

}  // namespace

void HyperLogLog::add(const u64 *hashes, i64 n) {
  for (i64 i = 0; i < n; ++i) {
    const u64 hash = mix(hashes[i]);
    // The added bit ends the run of zeros.
    const u64 others = hash << kPrecision | u64{1} << (kPrecision - 1);
    const u8 run = static_cast<u8>(std::countl_zero(others) + 1);
    u8 &longest = registers_[hash >> kHashBits];
    if (run > longest) longest = run;
  }
}

void HyperLogLog::merge(const HyperLogLog &other) {
  for (size_t i = 0; i < registers_.size(); ++i) {
    registers_[i] = std::max(registers_[i], other.registers_[i]);
  }
}

i64 HyperLogLog::estimate() const {
  std::array<i64, kFull + 1> count{};
  for (u8 value : registers_) ++count[value];
  constexpr double m = kRegisters;
  double z = m * tau(1 - static_cast<double>(count[kFull]) / m);
  for (size_t value = kFull - 1; value >= 1; --value) {
    z = (z + static_cast<double>(count[value])) / 2;
  }
  z += m * sigma(static_cast<double>(count[0]) / m);
  // The largest estimate from 64 bits does not fit into i64.
  return static_cast<i64>(std::min(std::round(kAlpha * m * m / z), 0x1p62));
}

double HyperLogLog::standard_error() { return 1.04 / std::sqrt(kRegisters); }

}  // namespace mrc
