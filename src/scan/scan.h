// Scans that read every byte for words, lines and literals: compiled for each instruction set and
// chosen at run time.
#pragma once

#include "record.h"

namespace mrc {

// Definitions of a word; see mrc-wordcount(1).
enum class Words { alpha, word, blank };

// Offsets from the position at which the scan started.
struct Bounds {
  static constexpr i64 kMost = 2 * Batch<Key16>::kCapacity - 2;
  i64 size = 0;
  std::array<u32, kMost + 64> at;  // writers overshoot
};

// Position of a scan in a chunk.
struct ScanCursor {
  const char *next;
  const char *end;
  // State of the words scan between calls.
  u64 inside = 0;        // 1 if the byte before `next` belongs to a word
  u64 after_letter = 0;  // 1 if the byte before `next` ends a letter
  int carried = 0;       // bytes from `next` on that belong to a character before it
  // All ones if that character is part of a word, and if it is a letter.
  u64 carried_word = 0;
  u64 carried_letter = 0;
};

// Scans forward from cursor->next until `end` or until `bounds` is nearly full. Fills `bounds` with
// offsets from the starting position.
// words: offsets at which words start and end, alternating (the first is an end if cursor->inside
// was set). An open word ends at the end of the chunk.
using ScanWords = void (*)(ScanCursor *cursor, Bounds *bounds);
// lines: the offsets of the byte `terminator`.
using ScanLines = void (*)(ScanCursor *cursor, char terminator, Bounds *bounds);
// separators: the offsets of any of three bytes, which may be equal.
using Separators = std::array<char, 3>;
using ScanSeparators = void (*)(ScanCursor *cursor, Separators separators, Bounds *bounds);

// Counts the occurrences of a byte.
using CountByte = i64 (*)(const char *begin, const char *end, char byte);
// Finds the first literal in [begin, end): see literals.h.
class LiteralSet;
struct FoundLiteral {
  const char *at = nullptr;  // nullptr: not found
  i64 size = 0;
};
using FindLiteral = FoundLiteral (*)(const LiteralSet &literals, const char *begin,
                                     const char *end);

struct Scanner {
  const char *name;                // instruction set
  std::array<ScanWords, 3> words;  // indexed by Words
  ScanLines lines;
  ScanSeparators separators;
  CountByte count;
  FindLiteral find;
};

// Returns the fastest scanner that this CPU runs.
const Scanner &best_scanner();
// Returns all scanners that this CPU runs, slowest first, for tests and benchmarks.
std::array<const Scanner *, 4> runnable_scanners();  // nullptr after the last

}  // namespace mrc
