// Where words and lines begin and end, and where literals are: what reads every byte,
// compiled for each instruction set and chosen at run time.
#pragma once

#include "record.h"

namespace mrc {

// What a word is; see mrc-wordcount(1).
enum class Words { alpha, word, blank };

// Offsets from the position at which a scan started.
struct Bounds {
  static constexpr i64 kMost = 2 * Batch<Key16>::kCapacity - 2;
  i64 size = 0;
  std::array<u32, kMost + 64> at;  // writers overshoot
};

// Where a scan stands in a chunk.
struct ScanCursor {
  const char *next;
  const char *end;
  // Of the words scan, across calls.
  u64 inside = 0;          // 1 if the byte before `next` belongs to a word
  u64 after_letter = 0;    // 1 if the byte before `next` ends a letter
  int carried = 0;         // bytes from `next` on that belong to a character before it,
  u64 carried_word = 0;    // ... all ones if that is part of a word,
  u64 carried_letter = 0;  // ... all ones if it is a letter
};

// Scans forward from cursor->next until `end`, or bounds is nearly full, and
// fills bounds with offsets from where it started:
// words: the places where a word starts or ends, in turn (the first is an end if
// cursor->inside was set); an open word ends where the chunk ends.
using ScanWords = void (*)(ScanCursor *cursor, Bounds *bounds);
// lines: the places of the byte `terminator`.
using ScanLines = void (*)(ScanCursor *cursor, char terminator, Bounds *bounds);
// separators: the places of any of three bytes, which may be the same one.
using Separators = std::array<char, 3>;
using ScanSeparators = void (*)(ScanCursor *cursor, Separators separators, Bounds *bounds);

// How often a byte occurs.
using CountByte = i64 (*)(const char *begin, const char *end, char byte);
// The first of the literals in [begin, end): see literals.h.
class LiteralSet;
struct FoundLiteral {
  const char *at = nullptr;  // nullptr: there is none
  i64 size = 0;
};
using FindLiteral = FoundLiteral (*)(const LiteralSet &literals, const char *begin,
                                     const char *end);

struct Scanner {
  const char *name;                // of the instruction set
  std::array<ScanWords, 3> words;  // by Words
  ScanLines lines;
  ScanSeparators separators;
  CountByte count;
  FindLiteral find;
};

// The fastest scanner that this CPU runs.
const Scanner &best_scanner();
// All scanners that this CPU runs, slowest first, for tests and benchmarks.
std::array<const Scanner *, 4> runnable_scanners();  // nullptr after the last

}  // namespace mrc
