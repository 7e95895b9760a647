// A newline in quotes ends no record, nor does a brace in a string or in another value, and whether
// a split begins inside one depends on all text before it. But the effect of a piece of text on the
// modes of CutState can be computed without knowing the mode before it, by following all four;
// depths of braces are relative. Modes soon merge. In CSV, any byte but a quote leaves two of them,
// inside quotes and outside. A quote that is well placed for one of them is misplaced for the
// other, which then joins the first. In JSON no string contains a line end; only an array on one
// line is followed in two modes to its end. So the scan is one pass for nearly all of a piece. CSV
// without quotes needs none, as both results are known.
//
// Workers scan pieces in any order. Joining their transfers from front to back gives the state
// before each piece: a prefix sum whose sum is the composition of functions (Ladner and Fischer,
// Parallel Prefix Computation, 1980).
#include "split/scanned_cuts.h"

#include "base/text.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace mrc {
namespace {

// Bytes to follow all states for, before checking whether they have merged.
constexpr i64 kStep = 1024;
// Bytes that a worker claims at once.
constexpr i64 kTaskBytes = i64{2} << 20;

CutState from_csv(CsvState state) { return {static_cast<u8>(state)}; }
CsvState to_csv(CutState state) { return static_cast<CsvState>(state.mode); }

CutSkim from_csv(const CsvSkim &skim) { return {from_csv(skim.state), skim.end, skim.last_open}; }
CutSkim from_json(const JsonSkim &skim) {
  return {{skim.state.mode, skim.state.depth}, skim.end, nullptr, skim.state.low};
}
JsonState to_json(CutState state) { return {state.mode, state.depth}; }
// Scans are faster if they need not keep the lowest depth.
JsonState without_low(JsonState state) {
  return {state.mode, state.depth, -JsonState::kNeverClosed};
}

}  // namespace

void CutTransfer::append(Bytes text, i64 offset, const CutRule &rule) {
  if (text.empty()) return;
  if (rule.is_plain(text)) {
    for (CutState &state : to) state = rule.after_plain(state, text);
    return;
  }
  const char *base = text.data(), *end = base + text.size();
  for (const char *p = base; p < end;) {
    const bool one = std::ranges::count(to, to[0].mode, &CutState::mode) == kCutModes;
    const char *stop = one ? end : std::min(p + kStep, end);
    std::array<std::optional<CutSkim>, kCutModes> seen;
    for (size_t lane = 0; lane < to.size(); ++lane) {
      std::optional<CutSkim> &skim = seen[to[lane].mode];
      if (!skim) skim = rule.pass({to[lane].mode}, p, stop);
      if (skim->last_open != nullptr) opened[lane] = offset + (skim->last_open - base);
      low[lane] = std::min(low[lane], to[lane].depth + skim->low);
      to[lane] = {skim->state.mode, to[lane].depth + skim->state.depth};
    }
    p = stop;
  }
}

ScannedCuts::ScannedCuts(const std::vector<Source> &sources, const std::vector<Split> &splits,
                         std::vector<std::optional<CutRule>> rules) {
  for (size_t i = 0; i < sources.size(); ++i) {
    sources_.push_back({.source = sources[i], .rule = rules[i]});
    sources_.back().matters = sources[i].stream && rules[i];
  }
  std::vector<Split> sorted = splits;
  std::ranges::sort(sorted, {},
                    [](const Split &split) { return std::pair(split.source, split.begin); });
  for (const Split &split : sorted) {
    Scanned &of = sources_[static_cast<size_t>(split.source)];
    if (!of.rule) continue;
    // Parts of a source begin and end between records.
    const bool follows = !of.pieces.empty() && of.pieces.back().end == split.begin;
    const i64 begin = follows ? split.begin - 1 : split.begin;
    if (follows) of.pieces.back().end = begin;
    of.pieces.push_back({.begin = begin, .end = split.end, .follows = follows});
  }
  plan_tasks();
}

void ScannedCuts::adopt_stream(i64 source, const CutRule &rule) {
  Scanned &of = sources_[static_cast<size_t>(source)];
  of.rule = rule;
  of.matters = true;
}

void ScannedCuts::plan_tasks() {
  for (size_t i = 0; i < sources_.size(); ++i) {
    const std::vector<Piece> &pieces = sources_[i].pieces;
    for (size_t begin = 0, end = 0; begin < pieces.size(); begin = end) {
      const i64 enough = pieces[begin].begin + kTaskBytes;
      while (end < pieces.size() && pieces[end].begin < enough) ++end;
      tasks_.push_back({static_cast<i64>(i), begin, end});
    }
  }
}

// Reads the pieces of one source.
class ScannedCuts::PieceReader {
 public:
  PieceReader(const Scanned &of, IoMode mode, Pages *buffer)
      : of_(of), mode_(mode), buffer_(buffer) {}

  // Returns false if the source cannot be read.
  bool open() {
    Result<InputFile> file = InputFile::open(of_.source);
    if (!file.is_ok()) return false;
    file_ = std::move(*file);
    char mark[kByteOrderMark.size()];
    Result<i64> got = file_.read_at(0, mark, std::ssize(kByteOrderMark));
    const bool marked = got.is_ok() && Bytes(mark, static_cast<size_t>(*got)) == kByteOrderMark;
    text_ = marked ? std::ssize(kByteOrderMark) : 0;
    window_ = open_window(mode_, of_.source, file_, buffer_);
    return true;
  }
  i64 text() const { return text_; }

  // Appends [begin, end) of the source. Returns true if its rule matters there.
  bool append(i64 begin, i64 end, CutTransfer *transfer) {
    bool matters = false;
    for (begin = std::max(begin, text_); begin < end;) {
      Result<Bytes> seen = window_->view(begin, std::min(begin + window_->stride(), end));
      if (!seen.is_ok() || seen->empty()) break;
      matters = matters || !of_.rule->is_plain(*seen);
      transfer->append(*seen, begin, *of_.rule);
      begin += std::ssize(*seen);
    }
    return matters;
  }

 private:
  const Scanned &of_;
  IoMode mode_;
  Pages *buffer_;
  InputFile file_;
  std::unique_ptr<Window> window_;
  i64 text_ = 0;
};

void ScannedCuts::scan(IoMode mode) {
  Pages buffer;
  for (;;) {
    const size_t ticket = next_task_.fetch_add(1, std::memory_order_relaxed);
    if (ticket >= tasks_.size()) return;
    const Task &task = tasks_[ticket];
    Scanned &of = sources_[static_cast<size_t>(task.source)];
    PieceReader reader(of, mode, &buffer);
    if (!reader.open()) continue;
    if (task.begin == 0) of.text = reader.text();
    for (size_t i = task.begin; i < task.end; ++i) {
      Piece &piece = of.pieces[i];
      piece.matters = reader.append(piece.begin, piece.end, &piece.transfer);
    }
  }
}

void ScannedCuts::join() {
  for (Scanned &source : sources_) {
    if (!source.pieces.empty()) join(&source);
  }
}

void ScannedCuts::join(Scanned *source) {
  CutState state = source->rule->begin();
  i64 opened = -1;
  for (Piece &piece : source->pieces) {
    source->matters = source->matters || piece.matters;
    if (!piece.follows) state = piece.begin == 0 ? source->rule->begin() : CutState();
    piece.before = state;
    if (i64 at = piece.transfer.opened[state.mode]; at >= 0) opened = at;
    state = source->rule->after(piece.transfer, state);
  }
  if (!source->rule->is_unclosed(state)) return;
  source->unclosed = opened;
  strike_unclosed(source);
}

// Makes the text after the unclosed quote plain, and reads the rest of its piece again to find its
// effect.
void ScannedCuts::strike_unclosed(Scanned *source) {
  std::vector<Piece> &pieces = source->pieces;
  auto next = std::ranges::upper_bound(pieces, source->unclosed, {}, &Piece::begin);
  CutTransfer rest;
  Pages buffer;
  PieceReader reader(*source, IoMode::read, &buffer);
  if (reader.open()) reader.append(source->unclosed + 1, std::prev(next)->end, &rest);
  CutState state = rest(source->rule->after_ordinary());
  for (; next != pieces.end(); ++next) {
    next->before = state;
    state = next->transfer(state);
  }
}

CutState ScannedCuts::state_at(i64 source, i64 offset) const {
  const Scanned &of = sources_[static_cast<size_t>(source)];
  // Finds the last piece that begins at `offset`: an empty one may precede it. If there is none,
  // the byte ends a part of the input.
  const auto next = std::ranges::upper_bound(of.pieces, offset, {}, &Piece::begin);
  const bool has_piece = next != of.pieces.begin() && std::prev(next)->begin == offset;
  return has_piece ? std::prev(next)->before : of.rule->before_cut();
}

const char *ScannedCuts::first(i64 source, i64 offset, const char *begin, const char *end,
                               CutState *state) const {
  return find(&CutRule::first, source, offset, begin, end, state);
}

const char *ScannedCuts::last(i64 source, i64 offset, const char *begin, const char *end,
                              CutState *state) const {
  return find(&CutRule::last, source, offset, begin, end, state);
}

// Skips a byte order mark, and treats the unclosed quote as an ordinary byte.
const char *ScannedCuts::find(Skim skim, i64 source, i64 offset, const char *begin, const char *end,
                              CutState *state) const {
  const Scanned &of = sources_[static_cast<size_t>(source)];
  i64 text = of.text;
  if (of.source.stream && offset == 0 && Bytes(begin, end).starts_with(kByteOrderMark)) {
    text = std::ssize(kByteOrderMark);
  }
  if (offset == 0) *state = of.rule->begin();
  const char *p = begin + std::clamp<i64>(text - offset, 0, end - begin);
  const char *cut = nullptr;
  auto over = [&](const char *stop) {
    if (p >= stop) return;
    const CutSkim seen = ((*of.rule).*skim)(*state, p, stop);
    *state = seen.state;
    if (seen.end != nullptr) cut = seen.end;
    p = stop;
  };
  const char *unclosed = begin + (of.unclosed - offset);
  if (of.unclosed >= offset && unclosed < end) {
    over(unclosed);
    if (cut != nullptr && skim == &CutRule::first) return cut;
    *state = of.rule->after_ordinary();
    p = unclosed + 1;
  }
  over(end);
  return cut;
}

bool CutRule::is_plain(Bytes text) const {
  return csv_ && std::memchr(text.data(), '"', text.size()) == nullptr;
}

CutState CutRule::after_plain(CutState before, Bytes text) const {
  if (text.empty() || to_csv(before) == CsvState::quoted) return before;
  const bool ends = text.back() == csv_->separator || text.back() == csv_->terminator;
  return from_csv(ends ? CsvState::field : CsvState::plain);
}

CutState CutRule::after(const CutTransfer &text, CutState before) const {
  const bool closes = is_closed_by_array() && before.depth + text.low[before.mode] < 0;
  if (closes) return {.depth = closed_json().depth};
  return text(before);
}

CutSkim CutRule::skim_json(JsonSkim (*find)(JsonState, const char *, const char *), CutState state,
                           const char *begin, const char *end) const {
  if (is_closed_by_array()) {
    return from_json(skim_until_closed(find, to_json(state), begin, end));
  }
  return from_json(find(without_low(to_json(state)), begin, end));
}

CutSkim CutRule::pass(CutState state, const char *begin, const char *end) const {
  if (csv_) return last(state, begin, end);
  JsonState before = to_json(state);
  if (!is_closed_by_array()) before = without_low(before);
  return from_json({best_json_scanner().pass(before, begin, end), nullptr});
}

CutSkim CutRule::last(CutState state, const char *begin, const char *end) const {
  if (csv_) return from_csv(best_csv_scanner().skim(to_csv(state), begin, end, *csv_));
  return skim_json(best_json_scanner().last_end, state, begin, end);
}

CutSkim CutRule::first(CutState state, const char *begin, const char *end) const {
  if (csv_) return from_csv(best_csv_scanner().first_end(to_csv(state), begin, end, *csv_));
  return skim_json(best_json_scanner().first_end, state, begin, end);
}

}  // namespace mrc
