// Cutting text whose records end where no byte tells by itself (cut_rule.h).
#pragma once

#include "input/input.h"
#include "record.h"
#include "split/cut_rule.h"

#include <array>
#include <atomic>
#include <optional>
#include <vector>

namespace mrc {

// What a piece of text does to the state, whatever that is before it: an automaton's transition
// function, so that pieces are looked at in any order.
struct CutTransfer {
  // By the mode before it; depths are counted from that.
  std::array<CutState, kCutModes> to = {{{0}, {1}, {2}, {3}}};
  // By the mode before it: where the last quote that opens a field is, -1 for none.
  std::array<i64, kCutModes> opened = {-1, -1, -1, -1};

  // Appends text, which begins at `offset` of its source. Over-reads by kPadding.
  void append(Bytes text, i64 offset, const CutRule &rule);
  CutState operator()(CutState before) const {
    const CutState &after = to[before.mode];
    return {after.mode, before.depth + after.depth};
  }
};

// Knows for each split in which state it begins, exactly: all input is scanned before.
// Made by one thread; scanned by many; joined by one; then all may ask.
//
// A quote of CSV that nothing closes is an ordinary byte here, so that its line is bad, and not
// all that follows it. In a stream that is unknown before its end: the quote takes the rest. A
// brace that nothing closes takes the rest.
class ScannedCuts {
 public:
  // `rules`: by source; unset where records end at any terminator. Splits in any order.
  ScannedCuts(const std::vector<Source> &sources, const std::vector<Split> &splits,
              std::vector<std::optional<CutRule>> rules);

  // Scans what no other thread does, and returns when all is claimed. What cannot be
  // read is passed over: its next reader complains.
  void scan(IoMode mode);
  void join();

  // The same for a stream whose format is found out when it begins. To be called by its
  // reader, before it is cut.
  void adopt_stream(i64 source, const CutRule &rule);

  // Whether states matter: CSV without quotes is cut as all other lines.
  bool cuts(i64 source) const { return sources_[static_cast<size_t>(source)].matters; }

  // The state before the byte before a split. REQUIRES: the source does not begin with it.
  CutState before(const Split &split) const { return state_at(split.source, split.begin - 1); }
  // The same of the split after this one. REQUIRES: the source does not end with this one.
  CutState before_end(const Split &split) const { return state_at(split.source, split.end - 1); }

  // The first (last) byte in [begin, end) that ends a record, nullptr if none does.
  // `offset` is where in the source `begin` is, *state how it is there; after a call
  // that found nothing it is that at `end`.
  const char *first(i64 source, i64 offset, const char *begin, const char *end,
                    CutState *state) const;
  const char *last(i64 source, i64 offset, const char *begin, const char *end,
                   CutState *state) const;

 private:
  // From the byte before one split to the byte before the next one.
  struct Piece {
    i64 begin = 0;
    i64 end = 0;
    bool follows = false;  // the piece before it, without a gap
    bool matters = false;
    CutState before = {};  // once joined
    CutTransfer transfer = {};
  };
  struct Scanned {
    Source source;
    std::optional<CutRule> rule;
    bool matters = false;
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
