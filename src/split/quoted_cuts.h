// Cutting text whose records may hold line ends in quotes (CSV).
#pragma once

#include "input/input.h"
#include "record.h"
#include "scan/scan_csv.h"

#include <array>
#include <atomic>
#include <optional>
#include <vector>

namespace mrc {

// What a piece of text does to the state of quoting, whatever that is before it: an
// automaton's transition function, so that pieces are looked at in any order.
struct QuoteTransfer {
  std::array<CsvState, kCsvStates> to = {CsvState::field, CsvState::plain, CsvState::quoted,
                                         CsvState::closed};
  // By the state before it: where the last quote that opens a field is, -1 for none.
  std::array<i64, kCsvStates> opened = {-1, -1, -1, -1};

  // Appends text, which begins at `offset` of its source. Over-reads by kPadding.
  void append(Bytes text, i64 offset, CsvBytes bytes);
};

// Knows for each split whether it begins in quotes, exactly: all input is scanned before.
// Made by one thread; scanned by many; joined by one; then all may ask.
//
// A quote that nothing closes is an ordinary byte here, so that its line is bad, and not
// all that follows it. In a stream that is unknown before its end: the quote takes the rest.
class QuotedCuts {
 public:
  // `bytes`: by source; unset where records end at any terminator. Splits in any order.
  QuotedCuts(const std::vector<Source> &sources, const std::vector<Split> &splits,
             std::vector<std::optional<CsvBytes>> bytes);

  // Scans what no other thread does, and returns when all is claimed. What cannot be
  // read is passed over: its next reader complains.
  void scan(IoMode mode);
  void join();

  // The same for a stream whose format is found out when it begins. To be called by its
  // reader, before it is cut.
  void adopt_stream(i64 source, CsvBytes bytes);

  // Whether quotes matter: files without any are cut as all others.
  bool is_quoted(i64 source) const { return sources_[static_cast<size_t>(source)].quoted; }

  // The state before the byte before a split. REQUIRES: the source does not begin with it.
  CsvState before(const Split &split) const { return state_at(split.source, split.begin - 1); }
  // The same of the split after this one. REQUIRES: the source does not end with this one.
  CsvState before_end(const Split &split) const { return state_at(split.source, split.end - 1); }

  // The first (last) byte in [begin, end) that ends a record, nullptr if none does.
  // `offset` is where in the source `begin` is, *state how it is there; after a call
  // that found nothing it is that at `end`.
  const char *first(i64 source, i64 offset, const char *begin, const char *end,
                    CsvState *state) const;
  const char *last(i64 source, i64 offset, const char *begin, const char *end,
                   CsvState *state) const;

 private:
  // From the byte before one split to the byte before the next one.
  struct Piece {
    i64 begin = 0;
    i64 end = 0;
    bool follows = false;  // the piece before it, without a gap
    bool has_quote = false;
    CsvState before = CsvState::field;  // once joined
    QuoteTransfer transfer = {};
  };
  struct Quoted {
    Source source;
    std::optional<CsvBytes> bytes;
    bool quoted = false;
    i64 text = 0;       // where it begins: after a byte order mark
    i64 unclosed = -1;  // the quote that nothing closes
    std::vector<Piece> pieces = {};
  };
  // Pieces of one source that one worker scans at a time.
  struct Task {
    i64 source;
    size_t begin;
    size_t end;
  };
  class PieceReader;

  void plan_tasks();
  void join(Quoted *source);
  void strike_unclosed(Quoted *source);
  CsvState state_at(i64 source, i64 offset) const;
  using Skim = decltype(CsvScanner::skim);
  const char *find(Skim skim, i64 source, i64 offset, const char *begin, const char *end,
                   CsvState *state) const;

  const CsvScanner &scanner_;
  std::vector<Quoted> sources_;
  std::vector<Task> tasks_;
  std::atomic<size_t> next_task_{0};
};

}  // namespace mrc
