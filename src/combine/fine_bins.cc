// Widths are powers of ten, so that a coarser bin is exactly ten finer ones: the floor of a number
// by tens, and the floor of that by tens, is its floor by hundreds. Therefore it does not matter
// whether bins were coarse when a number came or became so later.
#include "combine/inner/fine_bins.h"

#include "base/varint.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>
#include <vector>

namespace mrc {
namespace {

constexpr i64 kFirstRing = 16;         // bins
constexpr i64 kLongestShift = 18;      // 10^18 is the largest power of ten in an i64
constexpr i64 kFinestExponent = -400;  // finer than any number needs; only zeros have it

u64 *new_ring(i64 bins, Arena *arena) {
  auto *ring = reinterpret_cast<u64 *>(arena->alloc(bins * static_cast<i64>(sizeof(u64))));
  std::fill_n(ring, bins, 0);
  return ring;
}

// Returns the bin, 10^by times as wide, that contains bin `index`.
i64 coarser(i64 index, i64 by) {
  if (by > kLongestShift) return index < 0 ? -1 : 0;
  return floor_divide(index, static_cast<i64>(power_of_ten(by)));
}

Decimal decimal_of_double(double value) {
  char text[32];
  const char *end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  const char *const exponent_at = std::find(text, text + (end - text), 'e');
  i64 digits = 0, places = 0, exponent = 0;
  bool behind_point = false;
  for (const char *c = text; c < exponent_at; ++c) {
    if (*c == '.') behind_point = true;
    if (*c < '0' || *c > '9') continue;
    digits = 10 * digits + (*c - '0');
    places += behind_point;
  }
  std::from_chars(exponent_at + (exponent_at[1] == '+' ? 2 : 1), end, exponent);
  return {value < 0 ? -digits : digits, places - exponent};
}

}  // namespace

Decimal decimal_of(Number number) {
  Decimal decimal;
  if (to_decimal(number, &decimal.digits, &decimal.scale)) return decimal;
  return decimal_of_double(wide_number(number).value);
}

bool find_bin(const Decimal &decimal, i64 exponent, i64 *index) {
  const i64 shift = -decimal.scale - exponent;
  __int128 found;
  if (decimal.digits == 0) {
    found = 0;
  } else if (shift < -38) {
    found = decimal.digits < 0 ? -1 : 0;
  } else if (shift <= 0) {
    const __int128 width = power_of_ten(-shift);
    found = decimal.digits / width - (decimal.digits % width < 0);
  } else if (shift > kLongestShift || decimal.digits > kFarthestBin ||
             decimal.digits < -kFarthestBin) {
    return false;
  } else {
    found = decimal.digits * power_of_ten(shift);
  }
  *index = static_cast<i64>(found);
  return found <= kFarthestBin && found >= -kFarthestBin;
}

void FineBins::begin(i64 index, i64 at_exponent, Arena *arena) {
  counts = new_ring(kFirstRing, arena);
  mask = kFirstRing - 1;
  exponent = at_exponent;
  first = last = index;
}

// Extends the range to [from, to], which must include it.
void FineBins::use(i64 from, i64 to, Arena *arena) {
  if (to - from > mask) {
    const FineBins old = *this;
    mask = static_cast<i64>(std::bit_ceil(static_cast<u64>(to - from + 1))) - 1;
    counts = new_ring(mask + 1, arena);
    for (i64 i = first; i <= last; ++i) at(i) = old.at(i);
  }
  first = from;
  last = to;
}

void FineBins::coarsen(i64 by) {
  std::vector<u64> old;
  for (i64 i = first; i <= last; ++i) old.push_back(std::exchange(at(i), 0));
  const i64 from = first;
  exponent += by;
  first = coarser(first, by);
  last = coarser(last, by);
  for (size_t i = 0; i < old.size(); ++i) at(coarser(from + static_cast<i64>(i), by)) += old[i];
}

// Extends the range to bins `from` to `to` of an exponent that is not smaller than its own.
void FineBins::make_room(i64 from, i64 to, i64 at_exponent, Arena *arena) {
  i64 by = at_exponent - exponent;
  i64 low = std::min(from, coarser(first, by)), high = std::max(to, coarser(last, by));
  for (; high - low >= kMost; ++by) {
    low = coarser(low, 1);
    high = coarser(high, 1);
  }
  if (by > 0) coarsen(by);
  use(low, high, arena);
}

void FineBins::add(const Decimal &decimal, Arena *arena) {
  i64 at_exponent = empty() ? kFinestExponent : exponent;
  if (decimal.digits != 0) {
    at_exponent = std::max(at_exponent, -decimal.scale - kLongestShift);
  }
  i64 index;
  while (!find_bin(decimal, at_exponent, &index)) ++at_exponent;
  if (empty()) begin(index, at_exponent, arena);
  make_room(index, index, at_exponent, arena);
  ++at(coarser(index, exponent - at_exponent));
}

void FineBins::add_bin(i64 index, Arena *arena) {
  if (empty()) begin(index, 0, arena);
  use(std::min(first, index), std::max(last, index), arena);
  ++at(index);
}

void FineBins::merge(const FineBins &other, Arena *arena) {
  if (other.empty()) return;
  if (empty()) return void(*this = other);
  const i64 rise = std::max<i64>(0, exponent - other.exponent);
  make_room(coarser(other.first, rise), coarser(other.last, rise), other.exponent + rise, arena);
  for (i64 i = other.first; i <= other.last; ++i) {
    if (other.at(i) > 0) at(coarser(i, exponent - other.exponent)) += other.at(i);
  }
}

// Saves the bins that are not empty, each with its distance from the one before.
void FineBins::save(std::string *out) const {
  append_varint(zigzag(exponent), out);
  append_varint(zigzag(first), out);
  u64 used = 0;
  for (i64 i = first; i <= last && !empty(); ++i) used += at(i) > 0;
  append_varint(used, out);
  i64 before = first;
  for (i64 i = first; used > 0; ++i) {
    if (at(i) == 0) continue;
    append_varint(static_cast<u64>(i - before), out);
    append_varint(at(i), out);
    before = i;
    --used;
  }
}

void FineBins::load(Bytes *saved, Arena *arena) {
  const i64 at_exponent = unzigzag(take_varint(saved)), from = unzigzag(take_varint(saved));
  const u64 used = take_varint(saved);
  if (used > 0) begin(from, at_exponent, arena);
  for (u64 i = 0; i < used; ++i) {
    use(first, last + static_cast<i64>(take_varint(saved)), arena);
    at(last) = take_varint(saved);
  }
}

}  // namespace mrc
