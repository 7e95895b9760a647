// Where fields and records of quoted text (CSV) end: compiled for each instruction set
// and chosen at run time, as scan.h is.
//
// A quote opens a field only as the field's first byte; inside, two quotes stand for one,
// and a quote that is followed by another byte closes. Any other quote is an ordinary
// byte. So between two bytes the text is in one of four states.
#pragma once

#include "base/int.h"

#include <array>

namespace mrc {

struct CsvBytes {
  char separator = ',';
  char terminator = '\n';
};

enum class CsvState : u8 {
  field,   // a field begins here: a quote would open it
  plain,   // in a field where quotes are ordinary, also after its closing quote
  quoted,  // between quotes: no byte but a quote means anything
  closed,  // right after a closing quote, unless one more quote follows
};
constexpr i64 kCsvStates = 4;

// What is seen from one byte to another.
struct CsvSkim {
  CsvState state;         // after the last byte
  const char *end;        // the last byte that ends a record, nullptr if none does
  const char *last_open;  // the last quote that opens a field, nullptr if none does
};

// A list of delimiters, which are separators and terminators outside quotes.
struct CsvBounds {
  static constexpr i64 kSlack = 128;  // writers overshoot

  // In: room for `most` + kSlack delimiters, for `most_records` + kSlack records.
  u32 *at;
  u32 *ends;
  i64 most;
  i64 most_records;
  // Out: where the delimiters are, from the begin of the scan, and which of them end
  // records: ends[r] is an index of `at`.
  i64 size = 0;
  i64 records = 0;
  CsvState state = CsvState::field;  // where the scan stopped
  const char *next = nullptr;        // ... which is `end` unless the room was used up
};

// All over-read by kPadding. REQUIRES: begin < end.
struct CsvScanner {
  const char *name;  // of the instruction set
  // Lists delimiters from the begin of a record on.
  void (*bounds)(const char *begin, const char *end, CsvBytes bytes, CsvBounds *bounds);
  // Goes over [begin, end), which is in `state` before its first byte.
  CsvSkim (*skim)(CsvState state, const char *begin, const char *end, CsvBytes bytes);
  // As skim(), but stops after the block of 64 bytes with the first byte that ends a
  // record, which is `end` then.
  CsvSkim (*first_end)(CsvState state, const char *begin, const char *end, CsvBytes bytes);
};

// The fastest scanner that this CPU runs, and all of them, slowest first.
const CsvScanner &best_csv_scanner();
std::array<const CsvScanner *, 3> runnable_csv_scanners();  // nullptr after the last

}  // namespace mrc
