// Finds the ends of fields and records of quoted text (CSV): compiled for each instruction set and
// chosen at run time, as in scan.h.
//
// A quote opens a field only as the field's first byte. Inside, two quotes stand for one, and a
// quote followed by another byte closes. Any other quote is an ordinary byte. So between two bytes
// the text is in one of four states.
#pragma once

#include "base/int.h"

#include <array>

namespace mrc {

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

}  // namespace mrc
