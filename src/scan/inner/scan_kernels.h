// The kernels of scans for words, separators, line ends and literals.
#pragma once

#include "base/text.h"
#include "scan/scan.h"
#include "scan/vector.h"

namespace mrc {

// Counting a byte and finding literals, as templates over a byte vector (vector.h).
//
// A literal is searched by two of its bytes, those that are rarest in text, at their offsets: two
// loads and compares of 64 bytes test 64 positions at once. A position that passes is compared as a
// whole, which is seldom with rare bytes.
//
// Three literals or more are searched by their bytes at three offsets that all share: one bit of a
// byte for each, which tables have for the low and the high half of the byte that was read.
// Literals with all three bytes have their bit in all six (Teddy, by Langdale). Vectors without
// tables take each literal by itself.

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
FoundLiteral find_by_bits(const LiteralSet &literals, const char *begin, const char *end) {
  const auto &[first, second, third] = literals.bits();
  const V first_low = V::table(first.low.data()), first_high = V::table(first.high.data());
  const V second_low = V::table(second.low.data()), second_high = V::table(second.high.data());
  const V third_low = V::table(third.low.data()), third_high = V::table(third.high.data());
  return find_where(literals, begin, end, [&](const char *p) {
    u64 none = 0;
#pragma GCC unroll 8
    for (int i = 0; i < 64; i += V::kBytes) {
      const V found = V::load(p + first.at + i).look_up(first_low, first_high) &
                      V::load(p + second.at + i).look_up(second_low, second_high) &
                      V::load(p + third.at + i).look_up(third_low, third_high);
      none |= found.equal(0).bits() << i;
    }
    return ~none;
  });
}

template <typename V>
FoundLiteral find_literal(const LiteralSet &literals, const char *begin, const char *end) {
  const std::span<const LiteralSet::Probe> probes = literals.probes();
  if (probes.size() == 1) {
    const LiteralSet::Probe probe = probes[0];
    return find_where(literals, begin, end, [&](const char *p) { return probe64<V>(probe, p); });
  }
  if constexpr (requires(const u8 *table) { V::table(table); }) {
    if (probes.size() > 2) return find_by_bits<V>(literals, begin, end);
  }
  return find_where(literals, begin, end, [&](const char *p) {
    u64 places = 0;
    for (const LiteralSet::Probe &probe : probes) places |= probe64<V>(probe, p);
    return places;
  });
}

// The scan kernels, as templates over a byte vector (vector.h).
//
// 64 bytes become one 64-bit mask of the bytes that belong to words. A word starts or ends where a
// bit differs from the one before it, so the edges are mask ^ (mask << 1 | last bit of the previous
// block): one word of edges per 64 bytes of any text, and no branch that depends on a letter. The
// edges are then listed by counting trailing zeros.

// Appends the positions of the set bits of `bits`, plus `base`. Always writing `kUsual` positions,
// and seldom more, keeps the branch predictable; the surplus is overwritten. Text has about 12
// words in 64 bytes, hence 24. Some vectors have their own list_bits(), of one or two steps.
template <typename V, int kUsual = 24>
MRC_INLINE u32 *list_bits(u64 bits, u32 base, u32 *out) {
  if constexpr (requires { V::list_bits(bits, base, out); }) {
    return V::list_bits(bits, base, out);
  }
  const int count = __builtin_popcountll(bits);
  u32 *to = out;
  auto eight = [&] {
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
      *to++ = base + static_cast<u32>(lowest_bit(bits));
      bits &= bits - 1;
    }
  };
#pragma GCC unroll 3
  for (int i = 0; i < kUsual; i += 8) eight();
  if (count > kUsual) [[unlikely]] {
    while (to - out < count) eight();
  }
  return out + count;
}

// Bit i of the result is the parity of the bits up to and including i.
MRC_INLINE u64 prefix_xor(u64 bits) {
#pragma GCC unroll 6
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

template <typename V>
MRC_INLINE u64 bytes64(const char *p, char byte) {
  return mask64<V>(p, [&](V v) { return v.equal(byte); });
}

MRC_INLINE int last_valid(const char *p, const char *end) {
  return end - p >= 64 ? 63 : static_cast<int>(end - p) - 1;
}

template <typename V>
MRC_INLINE u64 letters64(const char *p) {
  return mask64<V>(p, [](V v) { return (v | 0x20).in_range('a', 'z'); });
}

// Words of [A-Za-z]+.
template <typename V>
struct AlphaClass {
  using Vector = V;
  static MRC_INLINE u64 classify(ScanCursor *, const char *p, const char *end) {
    return letters64<V>(p) & valid_bytes(p, end);
  }
};

// Words of bytes that are not blank.
template <typename V>
struct BlankClass {
  using Vector = V;
  static MRC_INLINE u64 classify(ScanCursor *, const char *p, const char *end) {
    u64 blank = mask64<V>(p, [](V v) { return v.in_range('\t', '\r') | v.equal(' '); });
    return ~blank & valid_bytes(p, end);
  }
};

// Words of letters of all scripts, digits, '_', and apostrophes between letters.
template <typename V>
struct WordClass {
  using Vector = V;
  static MRC_INLINE u64 classify(ScanCursor *cursor, const char *p, const char *end) {
    const u64 valid = valid_bytes(p, end);
    u64 letters = letters64<V>(p) & valid;
    u64 others = mask64<V>(p, [](V v) { return v.in_range('0', '9') | v.equal('_'); }) & valid;
    u64 high = mask64<V>(p, [](V v) { return v.in_range(0x80, 0xFF); }) & valid;
    if ((high | static_cast<u64>(cursor->carried)) != 0) [[unlikely]] {
      add_high(cursor, p, end, high, &letters, &others);
    }
    u64 quotes = mask64<V>(p, [](V v) { return v.equal('\''); }) & valid;
    if (quotes != 0) {
      u64 before = letters << 1 | cursor->after_letter;
      u64 after = letters >> 1;
      if (quotes >> 63 != 0 && letter_at(p + 64, end)) after |= u64{1} << 63;
      others |= quotes & before & after;
    }
    cursor->after_letter = letters >> 63;
    return letters | others;
  }

  // Adds the characters outside ASCII, one by one: `high` marks their bytes.
  static __attribute__((noinline)) void add_high(ScanCursor *cursor, const char *p, const char *end,
                                                 u64 high, u64 *letters, u64 *others) {
    if (cursor->carried > 0) {
      u64 bytes = (u64{1} << cursor->carried) - 1;
      *letters |= bytes & cursor->carried_letter;
      *others |= bytes & cursor->carried_word;
      high &= ~bytes;
      cursor->carried = 0;
    }
    while (high != 0) {
      const int at = lowest_bit(high);
      const Decoded c = decode_utf8(p + at, end);
      if (c.size == 0) {
        high &= high - 1;
        continue;
      }
      const u64 bytes = ((u64{1} << c.size) - 1) << at;
      const u64 letter = is_letter_outside_ascii(c.code) ? ~u64{0} : 0;
      u64 word = letter;
      if (c.code == 0x2019) {  // right single quotation mark, the typographer's apostrophe
        u64 after_letter = at > 0 ? *letters >> (at - 1) & 1 : cursor->after_letter;
        if (after_letter != 0 && letter_at(p + at + c.size, end)) word = ~u64{0};
      }
      *letters |= bytes & letter;
      *others |= bytes & word;
      high &= ~bytes;
      if (at + c.size > 64) {
        cursor->carried = at + c.size - 64;
        cursor->carried_letter = letter;
        cursor->carried_word = word;
      }
    }
  }
};

template <typename Class>
void scan_words(ScanCursor *cursor, Bounds *bounds) {
  const char *base = cursor->next, *p = base, *end = cursor->end;
  // Keeps the state in registers: writes through `out` cannot alias a local copy.
  ScanCursor state = *cursor;
  u64 inside = state.inside;
  u32 *out = bounds->at.data();
  const u32 *full = out + Bounds::kMost - 64;
  while (p < end && out <= full && p - base < i64{1} << 30) {
    u64 word = Class::classify(&state, p, end);
    u64 edges = word ^ (word << 1 | inside);
    inside = word >> 63;
    out = list_bits<typename Class::Vector>(edges, static_cast<u32>(p - base), out);
    p += 64;
  }
  if (p >= end && inside != 0) {
    *out++ = static_cast<u32>(end - base);
    inside = 0;
  }
  state.next = p;
  state.inside = inside;
  *cursor = state;
  bounds->size = out - bounds->at.data();
}

template <typename V>
void scan_lines(ScanCursor *cursor, char terminator, Bounds *bounds) {
  const char *base = cursor->next, *p = base, *end = cursor->end;
  u32 *out = bounds->at.data();
  const u32 *full = out + Batch<Key16>::kCapacity - 65;
  while (p < end && out <= full && p - base < i64{1} << 30) {
    u64 ends = mask64<V>(p, [&](V v) { return v.equal(terminator); }) & valid_bytes(p, end);
    if (ends != 0) out = list_bits<V>(ends, static_cast<u32>(p - base), out);
    p += 64;
  }
  cursor->next = p;
  bounds->size = out - bounds->at.data();
}

// Logs have about two separators in 64 bytes, and tables of short fields ten.
template <typename V>
void scan_separators(ScanCursor *cursor, Separators separators, Bounds *bounds) {
  const char *base = cursor->next, *p = base, *end = cursor->end;
  u32 *out = bounds->at.data();
  const u32 *full = out + Bounds::kMost - 64;
  while (p < end && out <= full && p - base < i64{1} << 30) {
    const u64 found =
        valid_bytes(p, end) & mask64<V>(p, [&](V v) {
          return v.equal(separators[0]) | v.equal(separators[1]) | v.equal(separators[2]);
        });
    out = list_bits<V, 8>(found, static_cast<u32>(p - base), out);
    p += 64;
  }
  cursor->next = p;
  bounds->size = out - bounds->at.data();
}

template <typename V>
constexpr Scanner make_scanner(const char *name) {
  return {name,
          {scan_words<AlphaClass<V>>, scan_words<WordClass<V>>, scan_words<BlankClass<V>>},
          scan_lines<V>,
          scan_separators<V>,
          count_byte<V>,
          find_literal<V>};
}

}  // namespace mrc
