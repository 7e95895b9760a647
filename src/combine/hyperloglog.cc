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

#include "base/hash.h"
#include "combine/aggregates.h"
#include "combine/inner/kept_text.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <new>
#include <vector>

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

// Estimates the number of different values of a key in 32 KiB. Up to kMostHashes, the state keeps
// the hashes themselves: their number is exact except for collisions of 64 bits, and most keys have
// too few values to justify 16 KiB. More hashes move to a HyperLogLog of 16 KiB; outgrown tables
// take the other 16 KiB. The set of values alone decides whether they move, so the result does not
// depend on the order.

constexpr u64 kMostHashes = 768;  // three quarters of 8 KiB
constexpr u64 kFirstCapacity = 4;
constexpr u64 kDense = ~u64{0};

// A set of hashes by open addressing; 0 is an empty slot.
struct HashSet {
  u64 capacity;  // a power of two
  u64 *begin() { return reinterpret_cast<u64 *>(this + 1); }
  u64 *end() { return begin() + capacity; }

  static HashSet *make(u64 capacity, Arena *arena) {
    const u64 bytes = sizeof(HashSet) + capacity * sizeof(u64);
    auto *set = reinterpret_cast<HashSet *>(arena->alloc(static_cast<i64>(bytes)));
    std::memset(set, 0, bytes);
    set->capacity = capacity;
    return set;
  }
  u64 *place_of(u64 hash) {
    for (u64 at = hash;; ++at) {
      u64 *place = begin() + (at & (capacity - 1));
      if (*place == 0 || *place == hash) return place;
    }
  }
};

struct Distinct {
  u64 count;  // number of hashes; kDense: the state is a HyperLogLog
  u64 word;   // the hash, if there is one; else the address of the set or the registers

  bool is_dense() const { return count == kDense; }
  HashSet *set() const { return reinterpret_cast<HashSet *>(word); }
  HyperLogLog *registers() const { return reinterpret_cast<HyperLogLog *>(word); }

  void add(u64 hash, Arena *arena) {
    if (is_dense()) return registers()->add(&hash, 1);
    if (count == 0) {
      *this = {1, hash};
    } else if (count > 1 || word != hash) {
      insert(hash, arena);
    }
  }

  template <typename Take>
  void each(Take take) const {
    if (count == 1) take(word);
    if (count <= 1) return;
    for (u64 hash : *set()) {
      if (hash != 0) take(hash);
    }
  }

  void make_dense(Arena *arena) {
    auto *dense = new (arena->alloc(sizeof(HyperLogLog))) HyperLogLog;
    each([&](u64 hash) { dense->add(&hash, 1); });
    *this = {kDense, reinterpret_cast<u64>(dense)};
  }

 private:
  void insert(u64 hash, Arena *arena) {
    if (count == 1) move_to(HashSet::make(kFirstCapacity, arena));
    u64 *place = set()->place_of(hash);
    if (*place == hash) return;
    if (count == kMostHashes) {
      make_dense(arena);
      return registers()->add(&hash, 1);
    }
    if (4 * (count + 1) > 3 * set()->capacity) {
      move_to(HashSet::make(2 * set()->capacity, arena));
      place = set()->place_of(hash);
    }
    *place = hash;
    ++count;
  }

  void move_to(HashSet *larger) {
    each([&](u64 hash) { *larger->place_of(hash) = hash; });
    word = reinterpret_cast<u64>(larger);
  }
};

Distinct *distinct(State *state) { return reinterpret_cast<Distinct *>(state); }
const Distinct *distinct(const State *state) { return reinterpret_cast<const Distinct *>(state); }

void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    const Bytes text = values.text(i, part.value);
    if (!is_present(text)) continue;
    const u64 hash = hash_bytes(text, kFixedSeed);
    distinct(states[i] + part.offset)->add(hash + (hash == 0), arena);
  }
}

void merge_two(Distinct *into, Distinct *from, Arena *arena) {
  if (from->is_dense()) std::swap(*into, *from);
  if (from->is_dense()) return into->registers()->merge(*from->registers());
  if (!into->is_dense() && from->count > into->count) std::swap(*into, *from);
  from->each([&](u64 hash) { into->add(hash, arena); });
}

void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    merge_two(distinct(into[i] + part.offset), distinct(from[i] + part.offset), arena);
  }
}

// Saves the hashes, ascending, or the registers. Registers are longer than any list of hashes, so
// load() tells them apart by size.
void save(const Part &part, const State *state, std::string *out) {
  const Distinct &own = *distinct(state + part.offset);
  if (own.count <= 1) return;
  if (own.is_dense()) {
    out->append(reinterpret_cast<const char *>(own.registers()), sizeof(HyperLogLog));
    return;
  }
  std::vector<u64> hashes;
  own.each([&](u64 hash) { hashes.push_back(hash); });
  std::sort(hashes.begin(), hashes.end());
  out->append(reinterpret_cast<const char *>(hashes.data()), hashes.size() * sizeof(u64));
}
static_assert(kMostHashes * sizeof(u64) < sizeof(HyperLogLog));

void load(const Part &part, State *state, Bytes saved, Arena *arena) {
  Distinct *own = distinct(state + part.offset);
  if (saved.size() == sizeof(HyperLogLog)) {
    own->make_dense(arena);
    std::memcpy(static_cast<void *>(own->registers()), saved.data(), saved.size());
    return;
  }
  assert(saved.size() % sizeof(u64) == 0 && saved.size() <= kMostHashes * sizeof(u64));
  for (; !saved.empty(); saved.remove_prefix(sizeof(u64))) {
    u64 hash;
    std::memcpy(&hash, saved.data(), sizeof hash);
    own->add(hash, arena);
  }
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

const Reducer kApproximateDistinct = make_reducer<add, merge, save, load>(sizeof(Distinct));

u64 approximate_distinct_of(const State *own) {
  const Distinct &state = *distinct(own);
  return state.is_dense() ? static_cast<u64>(state.registers()->estimate()) : state.count;
}

}  // namespace mrc
