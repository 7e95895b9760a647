// Finds the ends of records in text where no single byte marks them: line ends may be in quotes
// (CSV), or records end at braces (JSON).
#pragma once

#include "scan/scan_csv.h"
#include "scan/scan_json.h"

#include <optional>

namespace mrc {

// State between two bytes: CsvState or JsonState. The default is the start of a record.
struct CutState {
  u8 mode = 0;
  i64 depth = 0;

  bool operator==(const CutState &) const = default;
};
constexpr i64 kCutModes = 4;
static_assert(kCsvStates == kCutModes && kJsonModes == kCutModes);

// Result of skimming a range of bytes.
struct CutSkim {
  CutState state;         // after the last byte
  const char *end;        // the record end searched for, or nullptr
  const char *last_open;  // CSV: last quote that opens a field, or nullptr
};

class CutRule {
 public:
  static CutRule csv(CsvBytes bytes) { return {bytes, 0}; }
  // `depth` is that before the first byte of the input, -1 if an array holds all records.
  static CutRule json(i64 depth) { return {std::nullopt, depth}; }

  // Returns the state at the first byte of an input.
  CutState begin() const { return {0, depth_}; }
  // Returns the state before a byte that ends a record.
  CutState before_cut() const { return {0, csv_ ? 0 : 1}; }
  // Returns the state after an unclosed quote, which is an ordinary byte.
  CutState after_ordinary() const { return {static_cast<u8>(CsvState::plain)}; }
  // True if the input ends inside an unclosed quote. JSON strings end with their line.
  bool is_unclosed(CutState at_end) const {
    return csv_ && at_end.mode == static_cast<u8>(CsvState::quoted);
  }
  // True if each line end of the text ends a record, unless the text begins in quotes: CSV without
  // quotes.
  bool is_plain(Bytes text) const;
  // Returns the state after such a text.
  CutState after_plain(CutState before, Bytes text) const;

  // Each function skims [begin, end) and over-reads by kPadding. pass() finds no end; last() finds
  // the last byte that ends a record; first() finds the first one, and stops after its block of 64
  // bytes. REQUIRES: begin < end
  CutSkim pass(CutState state, const char *begin, const char *end) const;
  CutSkim last(CutState state, const char *begin, const char *end) const;
  CutSkim first(CutState state, const char *begin, const char *end) const;

 private:
  CutRule(std::optional<CsvBytes> csv, i64 depth) : csv_(csv), depth_(depth) {}

  std::optional<CsvBytes> csv_;  // unset: JSON
  i64 depth_;
};

}  // namespace mrc
