// Scans that read every byte for words, lines, literals, and the ends of records in CSV and JSON:
// compiled for each instruction set and chosen at run time.
#pragma once

#include "base/int.h"
#include "record.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// Searches text for several strings at once.

// Rarity of a byte in text and logs, from 0 (blanks, `e`) to 255.
int rarity(char byte);

// A few strings, prepared for searching: a Scanner finds the first occurrence of any of them. If
// two match at the same position, the one listed first wins. Immutable.
class LiteralSet {
 public:
  static constexpr i64 kMost = 32;

  // Two bytes of a literal: the rest is compared only if both match.
  struct Probe {
    i64 at[2];     // offsets in the literal
    char byte[2];  // their values ...
    char blur[2];  // ... after setting these bits: 0x20 for a letter in either case
  };

  // The literals as bits, by the low and the high four bits of a byte that they have at an offset.
  // Every eighth literal shares a bit.
  struct Bits {
    i64 at;
    std::array<u8, 16> low, high;
  };

  LiteralSet() = default;
  // With `fold`, ASCII letters of the text count as lower case. REQUIRES: 1 to kMost literals, none
  // of them empty, and in lower case if `fold` is set
  LiteralSet(std::vector<std::string> literals, bool fold);

  bool empty() const { return literals_.empty(); }
  std::span<const Probe> probes() const { return probes_; }
  // Returns three offsets at which the bytes of all literals are rare.
  const std::array<Bits, 3> &bits() const { return bits_; }
  i64 shortest() const { return shortest_; }

  // Returns the size of the first literal that matches at `p`, 0 if none does.
  i64 size_at(const char *p, const char *end) const;

 private:
  std::vector<std::string> literals_;
  std::vector<Probe> probes_;
  std::array<Bits, 3> bits_{};
  i64 shortest_ = 0;
  bool fold_ = false;
};

// Scans that read every byte for words, lines and literals: compiled for each instruction set and
// chosen at run time.

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
// Finds the first literal in [begin, end): see LiteralSet.
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

// Finds the ends of fields and records of quoted text (CSV): compiled for each instruction set and
// chosen at run time, as in scan.h.
//
// A quote opens a field only as the field's first byte. Inside, two quotes stand for one, and a
// quote followed by another byte closes. Any other quote is an ordinary byte. So between two bytes
// the text is in one of four states.

struct CsvBytes {
  char separator = ',';
  char terminator = '\n';
};

enum class CsvState : u8 {
  field,   // at the start of a field: a quote would open it
  plain,   // in a field where quotes are ordinary, such as after its closing quote
  quoted,  // inside quotes: only a quote has a meaning
  closed,  // after a closing quote, unless one more quote follows
};
constexpr i64 kCsvStates = 4;

// Result of skimming a range of bytes.
struct CsvSkim {
  CsvState state;         // after the last byte
  const char *end;        // last byte that ends a record, or nullptr
  const char *last_open;  // last quote that opens a field, or nullptr
};

// A list of delimiters: separators and terminators outside quotes.
struct CsvBounds {
  static constexpr i64 kSlack = 128;  // writers overshoot

  // In: room for `most` + kSlack delimiters and `most_records` + kSlack records.
  u32 *at;
  u32 *ends;
  i64 most;
  i64 most_records;
  // Out: offsets of the delimiters from the start of the scan, and the delimiters that end records:
  // ends[r] is an index into `at`.
  i64 size = 0;
  i64 records = 0;
  CsvState state = CsvState::field;  // after the last byte scanned
  const char *next = nullptr;        // `end`, unless the room was used up
};

// All functions over-read by kPadding. REQUIRES: begin < end
struct CsvScanner {
  const char *name;  // instruction set
  // Lists delimiters from the start of a record on.
  void (*bounds)(const char *begin, const char *end, CsvBytes bytes, CsvBounds *bounds);
  // Skims [begin, end), which starts in `state`.
  CsvSkim (*skim)(CsvState state, const char *begin, const char *end, CsvBytes bytes);
  // Does what skim() does, but stops after the block of 64 bytes with the first byte that ends a
  // record, which becomes `end`.
  CsvSkim (*first_end)(CsvState state, const char *begin, const char *end, CsvBytes bytes);
};

// Return the fastest scanner that this CPU runs, and all of them, slowest first.
const CsvScanner &best_csv_scanner();
std::array<const CsvScanner *, 3> runnable_csv_scanners();  // nullptr after the last

// Finds the ends of JSON values in text: compiled for each instruction set and chosen at run time,
// as in scan.h.
//
// Braces and brackets outside strings open and close. A backslash escapes the next byte, inside
// strings and outside. No string contains a line end: it ends an unclosed string, so that the state
// after it is known.

// State between two bytes.
struct JsonState {
  static constexpr u8 kInString = 1, kEscapes = 2;  // the byte before this place is a backslash
                                                    // that escapes the next one

  u8 mode = 0;    // combines the two bits
  i64 depth = 0;  // number of open braces and brackets; negative if too many were closed
  // Lowest depth that a closing brace or bracket has left. Scans keep it only if it was not
  // negative before, since that takes time, and first_end() and last_end() if it becomes negative.
  i64 low = kNeverClosed;

  static constexpr i64 kNeverClosed = i64{1} << 60;

  bool operator==(const JsonState &) const = default;
};
constexpr i64 kJsonModes = 4;

struct JsonSkim {
  JsonState state;  // after the last byte
  const char *end;  // a brace that ends a value, or nullptr
};

// A value ends at a closing brace that leaves a depth of 0. All functions over-read by kPadding.
// REQUIRES: begin < end
struct JsonScanner {
  const char *name;  // instruction set
  // Passes over [begin, end), which starts in `state`.
  JsonState (*pass)(JsonState state, const char *begin, const char *end);
  // Does what pass() does, and finds the last brace that ends a value.
  JsonSkim (*last_end)(JsonState state, const char *begin, const char *end);
  // Stops after the block of 64 bytes with the first such brace, which becomes `end`.
  JsonSkim (*first_end)(JsonState state, const char *begin, const char *end);
};

// Return the fastest scanner that this CPU runs, and all of them, slowest first.
const JsonScanner &best_json_scanner();
std::array<const JsonScanner *, 3> runnable_json_scanners();  // nullptr after the last

// Does what `find` does, one of a scanner's functions, up to the first closing brace that leaves a
// negative depth, which ends the array or the object around all values. After it, no value ends.
JsonSkim skim_until_closed(JsonSkim (*find)(JsonState, const char *, const char *), JsonState state,
                           const char *begin, const char *end);
// Returns the state after that brace.
inline JsonState closed_json() { return {0, -JsonState::kNeverClosed}; }

}  // namespace mrc
