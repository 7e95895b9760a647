// Finds the ends of records in text where no single byte marks them: line ends may be in quotes
// (CSV), or records end at braces (JSON).
#pragma once

#include "input/input.h"
#include "record.h"
#include "scan/scan.h"

#include <array>
#include <atomic>
#include <optional>
#include <vector>

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
  CutState state;                     // after the last byte
  const char *end;                    // the record end searched for, or nullptr
  const char *last_open;              // CSV: last quote that opens a field, or nullptr
  i64 low = JsonState::kNeverClosed;  // of pass() over JSON: see JsonState
};

struct CutTransfer;

class CutRule {
 public:
  static CutRule csv(CsvBytes bytes) { return {bytes, 0}; }
  // `depth` is that before the first byte of the input: -1 if an array holds all records, -2 if
  // that array is in an object. Then no record ends after the array.
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
  // Returns the state after a text that was passed.
  CutState after(const CutTransfer &text, CutState before) const;

  // Each function skims [begin, end) and over-reads by kPadding. pass() finds no end; last() finds
  // the last byte that ends a record; first() finds the first one, and stops after its block of 64
  // bytes. REQUIRES: begin < end
  CutSkim pass(CutState state, const char *begin, const char *end) const;
  CutSkim last(CutState state, const char *begin, const char *end) const;
  CutSkim first(CutState state, const char *begin, const char *end) const;

 private:
  CutRule(std::optional<CsvBytes> csv, i64 depth) : csv_(csv), depth_(depth) {}
  CutSkim skim_json(JsonSkim (*find)(JsonState, const char *, const char *), CutState state,
                    const char *begin, const char *end) const;
  bool is_closed_by_array() const { return depth_ < -1; }

  std::optional<CsvBytes> csv_;  // unset: JSON
  i64 depth_;
};

// The effect of a piece of text on the state, for every state before it: an automaton's transition
// function, so that pieces can be scanned in any order.
struct CutTransfer {
  // Indexed by the mode before the piece; depths are relative to the depth before it.
  std::array<CutState, kCutModes> to = {{{0}, {1}, {2}, {3}}};
  // Indexed likewise: offset of the last quote that opens a field, -1 for none.
  std::array<i64, kCutModes> opened = {-1, -1, -1, -1};
  // Indexed likewise: lowest depth that a closing brace of JSON leaves.
  std::array<i64, kCutModes> low = {JsonState::kNeverClosed, JsonState::kNeverClosed,
                                    JsonState::kNeverClosed, JsonState::kNeverClosed};

  // Appends text that begins at `offset` of its source. Over-reads by kPadding.
  void append(Bytes text, i64 offset, const CutRule &rule);
  CutState operator()(CutState before) const {
    const CutState &after = to[before.mode];
    return {after.mode, before.depth + after.depth};
  }
};

// Knows the exact state at the start of each split, as all input is scanned first. One thread makes
// it, many scan, one joins; then any thread may ask.
//
// An unclosed CSV quote counts as an ordinary byte, so that only its line is malformed. Streams are
// the exception: there the quote extends to the end, as the rest is not known yet. An unclosed
// brace always extends to the end.
class ScannedCuts {
 public:
  // `rules` is indexed by source; unset if every terminator ends a record. Splits may be in any
  // order.
  ScannedCuts(const std::vector<Source> &sources, const std::vector<Split> &splits,
              std::vector<std::optional<CutRule>> rules);

  // Scans pieces that no other thread has claimed, until none is left. Skips unreadable pieces,
  // whose next reader will report the error.
  void scan(IoMode mode);
  void join();

  // Adds the rule of a stream whose format is detected when it begins. Call from its reader, before
  // it is cut.
  void adopt_stream(i64 source, const CutRule &rule);

  // True if states matter: CSV without quotes is cut like other lines.
  bool cuts(i64 source) const { return sources_[static_cast<size_t>(source)].matters; }

  // Returns the state before the last byte that precedes the split. REQUIRES: the source does not
  // begin with this split
  CutState before(const Split &split) const { return state_at(split.source, split.begin - 1); }
  // Returns before() of the next split. REQUIRES: the source does not end with this split
  CutState before_end(const Split &split) const { return state_at(split.source, split.end - 1); }

  // Return the first (last) byte in [begin, end) that ends a record, or nullptr. `offset` is that
  // of `begin` in the source, and *state the state there. A call that finds nothing sets *state to
  // that at `end`.
  const char *first(i64 source, i64 offset, const char *begin, const char *end,
                    CutState *state) const;
  const char *last(i64 source, i64 offset, const char *begin, const char *end,
                   CutState *state) const;

 private:
  // A range from the byte before one split to the byte before the next one.
  struct Piece {
    i64 begin = 0;
    i64 end = 0;
    bool follows = false;  // no gap after the previous piece
    bool matters = false;
    CutState before = {};  // set by join()
    CutTransfer transfer = {};
  };
  struct Scanned {
    Source source;
    std::optional<CutRule> rule;
    bool matters = false;
    i64 text = 0;       // offset of the text, after a byte order mark
    i64 unclosed = -1;  // offset of the unclosed quote
    std::vector<Piece> pieces = {};
  };
  // Pieces of one source that one worker scans.
  struct Task {
    i64 source;
    size_t begin;
    size_t end;
  };
  class PieceReader;

  void plan_tasks();
  void join(Scanned *source);
  void strike_unclosed(Scanned *source);
  CutState state_at(i64 source, i64 offset) const;
  using Skim = CutSkim (CutRule::*)(CutState, const char *, const char *) const;
  const char *find(Skim skim, i64 source, i64 offset, const char *begin, const char *end,
                   CutState *state) const;

  std::vector<Scanned> sources_;
  std::vector<Task> tasks_;
  std::atomic<size_t> next_task_{0};
};

}  // namespace mrc
