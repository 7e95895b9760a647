// Counting a byte and finding literals, as templates over a byte vector (vector.h).
//
// A literal is searched by two of its bytes, those that are rarest in text, at their offsets: two
// loads and compares of 64 bytes test 64 positions at once. A position that passes is compared as a
// whole, which is seldom with rare bytes. Several literals cost two loads each, from the L1 cache.
#pragma once

#include "scan/literals.h"
#include "scan/scan.h"
#include "scan/vector.h"

namespace mrc {

template <typename V>
i64 count_byte(const char *begin, const char *end, char byte) {
  i64 count = 0;
  for (const char *p = begin; p < end; p += 64) {
    const u64 bits = mask64<V>(p, [&](V v) { return v.equal(byte); }) & valid_bytes(p, end);
    count += __builtin_popcountll(bits);
  }
  return count;
}

// Returns the positions among 64 at which both bytes of the probe match.
template <typename V>
MRC_INLINE u64 probe64(const LiteralSet::Probe &probe, const char *p) {
  u64 bits = 0;
#pragma GCC unroll 8
  for (int i = 0; i < 64; i += V::kBytes) {
    const V first = V::load(p + probe.at[0] + i) | probe.blur[0];
    const V second = V::load(p + probe.at[1] + i) | probe.blur[1];
    bits |= (first.equal(probe.byte[0]) & second.equal(probe.byte[1])).bits() << i;
  }
  return bits;
}

// `probes(p)` returns the mask of candidates among the 64 positions from `p` on.
template <typename Probes>
MRC_INLINE FoundLiteral find_where(const LiteralSet &literals, const char *begin, const char *end,
                                   Probes probes) {
  const char *places_end = end - literals.shortest() + 1;
  for (const char *p = begin; p < places_end; p += 64) {
    u64 places = probes(p);
    if (places == 0) [[likely]]
      continue;
    for (places &= valid_bytes(p, places_end); places != 0; places &= places - 1) {
      const char *at = p + lowest_bit(places);
      if (const i64 size = literals.size_at(at, end); size > 0) return {at, size};
    }
  }
  return {};
}

template <typename V>
FoundLiteral find_literal(const LiteralSet &literals, const char *begin, const char *end) {
  const std::span<const LiteralSet::Probe> probes = literals.probes();
  if (probes.size() == 1) {
    const LiteralSet::Probe probe = probes[0];
    return find_where(literals, begin, end, [&](const char *p) { return probe64<V>(probe, p); });
  }
  return find_where(literals, begin, end, [&](const char *p) {
    u64 places = 0;
    for (const LiteralSet::Probe &probe : probes) places |= probe64<V>(probe, p);
    return places;
  });
}

}  // namespace mrc
