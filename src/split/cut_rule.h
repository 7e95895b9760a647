// How records end in text where no byte tells by itself: line ends may be in quotes (CSV), or
// records end at braces (JSON).
#pragma once

#include "scan/scan_csv.h"
#include "scan/scan_json.h"

#include <optional>

namespace mrc {

// What is known between two bytes: CsvState, or JsonState. At first, a record begins here.
struct CutState {
  u8 mode = 0;
  i64 depth = 0;

  bool operator==(const CutState &) const = default;
};
constexpr i64 kCutModes = 4;
static_assert(kCsvStates == kCutModes && kJsonModes == kCutModes);

// What is seen from one byte to another.
struct CutSkim {
  CutState state;         // after the last byte
  const char *end;        // the byte that was looked for, nullptr if there is none
  const char *last_open;  // CSV: the last quote that opens a field, nullptr if none does
};

class CutRule {
 public:
  static CutRule csv(CsvBytes bytes) { return {bytes, 0}; }
  // `depth`: before the first byte of the input; -1 if an array has all records.
  static CutRule json(i64 depth) { return {std::nullopt, depth}; }

  // At the first byte of an input.
  CutState begin() const { return {0, depth_}; }
  // Before the byte that ends a record.
  CutState before_cut() const { return {0, csv_ ? 0 : 1}; }
  // After a quote that nothing closes: it is an ordinary byte.
  CutState after_ordinary() const { return {static_cast<u8>(CsvState::plain)}; }
  // Whether the input ends in quotes that nothing closes. Strings of JSON end with their line.
  bool is_unclosed(CutState at_end) const {
    return csv_ && at_end.mode == static_cast<u8>(CsvState::quoted);
  }
  // Whether records end in the text as lines do, unless it begins in quotes: CSV without quotes.
  bool is_plain(Bytes text) const;
  // The state after such a text.
  CutState after_plain(CutState before, Bytes text) const;

  // Each goes over [begin, end), over-reads by kPadding, and returns what is seen: no end; the last
  // byte that ends a record; the first one, after whose block of 64 bytes it stops.
  // REQUIRES: begin < end
  CutSkim pass(CutState state, const char *begin, const char *end) const;
  CutSkim last(CutState state, const char *begin, const char *end) const;
  CutSkim first(CutState state, const char *begin, const char *end) const;

 private:
  CutRule(std::optional<CsvBytes> csv, i64 depth) : csv_(csv), depth_(depth) {}

  std::optional<CsvBytes> csv_;  // unset: JSON
  i64 depth_;
};

}  // namespace mrc
