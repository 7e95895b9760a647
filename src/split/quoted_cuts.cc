// A newline in quotes ends no record, and whether a split begins in quotes depends on all
// that lies before it. But what a piece of text does to the four states of scan_csv.h can
// be told without knowing which of them it begins in, by following all four. They fall
// together soon: any byte but a quote leaves two of them, in quotes or not, and where
// those meet a quote that is right for one of them it is wrong for the other, which
// comes out of step and joins it. So the scan is one pass for nearly all of a piece, and
// none where there is no quote at all: then two answers are known without it.
//
// Workers scan pieces in any order. Joining their transfers from front to back gives the
// state before each piece: a prefix sum, where the sum is the composition of functions
// (Ladner and Fischer, Parallel Prefix Computation, 1980).
#include "split/quoted_cuts.h"

#include "base/text.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace mrc {
namespace {

// All states are followed for so many bytes at a time until they are one.
constexpr i64 kStep = 1024;
// What a worker claims at once.
constexpr i64 kTaskBytes = i64{2} << 20;

size_t index(CsvState state) { return static_cast<size_t>(state); }

// Text without quotes.
void append_unquoted(Bytes text, CsvBytes bytes, QuoteTransfer *transfer) {
  const bool ends = text.back() == bytes.separator || text.back() == bytes.terminator;
  for (CsvState &state : transfer->to) {
    if (state != CsvState::quoted) state = ends ? CsvState::field : CsvState::plain;
  }
}

}  // namespace

void QuoteTransfer::append(Bytes text, i64 offset, CsvBytes bytes) {
  if (text.empty()) return;
  const char *base = text.data(), *end = base + text.size();
  if (std::memchr(base, '"', text.size()) == nullptr) return append_unquoted(text, bytes, this);
  for (const char *p = base; p < end;) {
    const bool one = std::ranges::count(to, to[0]) == kCsvStates;
    const char *stop = one ? end : std::min(p + kStep, end);
    std::array<std::optional<CsvSkim>, kCsvStates> seen;
    for (size_t lane = 0; lane < to.size(); ++lane) {
      std::optional<CsvSkim> &skim = seen[index(to[lane])];
      if (!skim) skim = best_csv_scanner().skim(to[lane], p, stop, bytes);
      if (skim->last_open != nullptr) opened[lane] = offset + (skim->last_open - base);
      to[lane] = skim->state;
    }
    p = stop;
  }
}

QuotedCuts::QuotedCuts(const std::vector<Source> &sources, const std::vector<Split> &splits,
                       std::vector<std::optional<CsvBytes>> bytes)
    : scanner_(best_csv_scanner()) {
  for (size_t i = 0; i < sources.size(); ++i) {
    sources_.push_back({.source = sources[i], .bytes = bytes[i]});
    sources_.back().quoted = sources[i].stream && bytes[i];
  }
  std::vector<Split> sorted = splits;
  std::ranges::sort(sorted, {},
                    [](const Split &split) { return std::pair(split.source, split.begin); });
  for (const Split &split : sorted) {
    Quoted &of = sources_[static_cast<size_t>(split.source)];
    if (!of.bytes) continue;
    // Parts of a source begin and end where records do.
    const bool follows = !of.pieces.empty() && of.pieces.back().end == split.begin;
    const i64 begin = follows ? split.begin - 1 : split.begin;
    if (follows) of.pieces.back().end = begin;
    of.pieces.push_back({.begin = begin, .end = split.end, .follows = follows});
  }
  plan_tasks();
}

void QuotedCuts::adopt_stream(i64 source, CsvBytes bytes) {
  Quoted &of = sources_[static_cast<size_t>(source)];
  of.bytes = bytes;
  of.quoted = true;
}

void QuotedCuts::plan_tasks() {
  for (size_t i = 0; i < sources_.size(); ++i) {
    const std::vector<Piece> &pieces = sources_[i].pieces;
    for (size_t begin = 0, end = 0; begin < pieces.size(); begin = end) {
      const i64 enough = pieces[begin].begin + kTaskBytes;
      while (end < pieces.size() && pieces[end].begin < enough) ++end;
      tasks_.push_back({static_cast<i64>(i), begin, end});
    }
  }
}

// Reads pieces of one source.
class QuotedCuts::PieceReader {
 public:
  PieceReader(const Quoted &of, IoMode mode, Pages *buffer)
      : of_(of), mode_(mode), buffer_(buffer) {}

  // False if it cannot be read.
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

  // Appends [begin, end) of the source. Returns whether there is a quote in it.
  bool append(i64 begin, i64 end, QuoteTransfer *transfer) {
    bool has_quote = false;
    for (begin = std::max(begin, text_); begin < end;) {
      Result<Bytes> seen = window_->view(begin, std::min(begin + window_->stride(), end));
      if (!seen.is_ok() || seen->empty()) break;
      has_quote = has_quote || std::memchr(seen->data(), '"', seen->size()) != nullptr;
      transfer->append(*seen, begin, *of_.bytes);
      begin += std::ssize(*seen);
    }
    return has_quote;
  }

 private:
  const Quoted &of_;
  IoMode mode_;
  Pages *buffer_;
  InputFile file_;
  std::unique_ptr<Window> window_;
  i64 text_ = 0;
};

void QuotedCuts::scan(IoMode mode) {
  Pages buffer;
  for (;;) {
    const size_t ticket = next_task_.fetch_add(1, std::memory_order_relaxed);
    if (ticket >= tasks_.size()) return;
    const Task &task = tasks_[ticket];
    Quoted &of = sources_[static_cast<size_t>(task.source)];
    PieceReader reader(of, mode, &buffer);
    if (!reader.open()) continue;
    if (task.begin == 0) of.text = reader.text();
    for (size_t i = task.begin; i < task.end; ++i) {
      Piece &piece = of.pieces[i];
      piece.has_quote = reader.append(piece.begin, piece.end, &piece.transfer);
    }
  }
}

void QuotedCuts::join() {
  for (Quoted &source : sources_) {
    if (!source.pieces.empty()) join(&source);
  }
}

void QuotedCuts::join(Quoted *source) {
  CsvState state = CsvState::field;
  i64 opened = -1;
  for (Piece &piece : source->pieces) {
    source->quoted = source->quoted || piece.has_quote;
    if (!piece.follows) state = CsvState::field;
    piece.before = state;
    if (i64 at = piece.transfer.opened[index(state)]; at >= 0) opened = at;
    state = piece.transfer.to[index(state)];
  }
  if (state != CsvState::quoted) return;
  source->unclosed = opened;
  strike_unclosed(source);
}

// After the quote that nothing closes the text is plain: what that changes is found by
// reading the rest of its piece once more.
void QuotedCuts::strike_unclosed(Quoted *source) {
  std::vector<Piece> &pieces = source->pieces;
  auto next = std::ranges::upper_bound(pieces, source->unclosed, {}, &Piece::begin);
  QuoteTransfer rest;
  Pages buffer;
  PieceReader reader(*source, IoMode::read, &buffer);
  if (reader.open()) reader.append(source->unclosed + 1, std::prev(next)->end, &rest);
  CsvState state = rest.to[index(CsvState::plain)];
  for (; next != pieces.end(); ++next) {
    next->before = state;
    state = next->transfer.to[index(state)];
  }
}

CsvState QuotedCuts::state_at(i64 source, i64 offset) const {
  const std::vector<Piece> &pieces = sources_[static_cast<size_t>(source)].pieces;
  // The last of those that begin there: before it there may be an empty one. Where none does, the
  // byte ends a part of what is read.
  const auto next = std::ranges::upper_bound(pieces, offset, {}, &Piece::begin);
  const bool has_piece = next != pieces.begin() && std::prev(next)->begin == offset;
  return has_piece ? std::prev(next)->before : CsvState::field;
}

const char *QuotedCuts::first(i64 source, i64 offset, const char *begin, const char *end,
                              CsvState *state) const {
  return find(scanner_.first_end, source, offset, begin, end, state);
}

const char *QuotedCuts::last(i64 source, i64 offset, const char *begin, const char *end,
                             CsvState *state) const {
  return find(scanner_.skim, source, offset, begin, end, state);
}

// Passes over a byte order mark, and takes the quote that nothing closes for a letter.
const char *QuotedCuts::find(Skim skim, i64 source, i64 offset, const char *begin, const char *end,
                             CsvState *state) const {
  const Quoted &of = sources_[static_cast<size_t>(source)];
  i64 text = of.text;
  if (of.source.stream && offset == 0 && Bytes(begin, end).starts_with(kByteOrderMark)) {
    text = std::ssize(kByteOrderMark);
  }
  const char *p = begin + std::clamp<i64>(text - offset, 0, end - begin);
  const char *cut = nullptr;
  auto over = [&](const char *stop) {
    if (p >= stop) return;
    const CsvSkim seen = skim(*state, p, stop, *of.bytes);
    *state = seen.state;
    if (seen.end != nullptr) cut = seen.end;
    p = stop;
  };
  const char *unclosed = begin + (of.unclosed - offset);
  if (of.unclosed >= offset && unclosed < end) {
    over(unclosed);
    if (cut != nullptr && skim == scanner_.first_end) return cut;
    *state = CsvState::plain;
    p = unclosed + 1;
  }
  over(end);
  return cut;
}

}  // namespace mrc
