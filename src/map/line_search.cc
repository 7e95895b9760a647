// Which literals are rare depends on the text: `GET` is rare in books, but is in every line of an
// access log. So the search counts literals at the beginning of each chunk, and looks for the set
// that is found least often. If all sets are frequent, candidates save nothing, and the automaton
// is faster.
//
// If the text is not valid UTF-8 and the pattern cannot cope with that, the automaton searches a
// masked copy. For word searches, the copy has line ends in place of bytes that belong to no
// character, since words end there. A pattern that looks beside a match could take these for ends
// of lines, so it is searched line by line.
#include "base/text.h"
#include "map/line_matcher.h"

#include <string.h>

#include <algorithm>

namespace mrc {

LineSearch::LineSearch(const LineMatcher &matcher, Bytes text)
    : matcher_(matcher),
      way_(matcher.way_),
      text_(text),
      next_(text.data()),
      end_(next_ + text.size()) {
  if (way_ == LineMatcher::Way::candidates) choose_literals();
  if (way_ == LineMatcher::Way::text) prepare_text();
}

void LineSearch::prepare_text() {
  if (!matcher_.characters_ || !matcher_.characters_->wants_masked() || is_utf8(text_)) return;
  if (matcher_.word_ && matcher_.looks_beside_) {
    way_ = LineMatcher::Way::lines;
  } else {
    copy_ = masked(text_, matcher_.word_ ? matcher_.terminator_ : kNoCharacter);
  }
}

void LineSearch::choose_literals() {
  constexpr i64 kSample = i64{16} << 10, kMany = 80;
  const char *end = text_.data() + std::min(std::ssize(text_), kSample);
  i64 least = kMany;
  for (const LiteralSet &set : matcher_.literals_) {
    i64 times = 0;
    for (const char *at = text_.data(); times < least; ++times) {
      const FoundLiteral found = matcher_.scanner_->find(set, at, end);
      if (found.at == nullptr) break;
      at = found.at + 1;
    }
    if (times >= least && literals_ != nullptr) continue;
    least = times;
    literals_ = &set;
  }
  if (least == kMany && matcher_.one_automaton_) way_ = LineMatcher::Way::text;
}

bool LineSearch::next(Line *line) {
  if (next_ >= end_) return false;
  switch (way_) {
    case LineMatcher::Way::literals: return next_literal(line);
    case LineMatcher::Way::candidates: return next_candidate(line);
    case LineMatcher::Way::text: return next_in_text(line);
    case LineMatcher::Way::lines: break;
  }
  return next_by_line(line);
}

bool LineSearch::next_literal(Line *line) {
  const FoundLiteral found = matcher_.find_literal(next_, text_);
  if (found.at == nullptr) {
    next_ = end_;
    return false;
  }
  *line = line_around(found.at);
  return leave(*line);
}

bool LineSearch::next_candidate(Line *line) {
  while (next_ < end_) {
    const FoundLiteral found = matcher_.scanner_->find(*literals_, next_, end_);
    if (found.at == nullptr) break;
    *line = line_around(found.at);
    leave(*line);
    if (matcher_.matches(Bytes(line->begin, static_cast<size_t>(line->end - line->begin)))) {
      return true;
    }
  }
  next_ = end_;
  return false;
}

bool LineSearch::next_in_text(Line *line) {
  // A terminator at the end of the text starts no further line.
  const size_t ended = text_.back() == matcher_.terminator_;
  const Bytes lines = (copy_.empty() ? text_ : copy_).substr(0, text_.size() - ended);
  const Regex &regex = matcher_.characters_ ? *matcher_.characters_ : *matcher_.bytes_;
  Match match;
  if (!regex.find(lines, next_ - text_.data(), matcher_.word_, &match)) {
    next_ = end_;
    return false;
  }
  *line = line_around(text_.data() + match.begin);
  return leave(*line);
}

bool LineSearch::next_by_line(Line *line) {
  while (next_ < end_) {
    *line = line_around(next_);
    leave(*line);
    if (matcher_.matches(Bytes(line->begin, static_cast<size_t>(line->end - line->begin)))) {
      return true;
    }
  }
  return false;
}

// Returns the line of a byte, or of a position at the end of a line.
LineSearch::Line LineSearch::line_around(const char *at) const {
  const char terminator = matcher_.terminator_;
  const void *before =
      at == next_ ? nullptr : memrchr(next_, terminator, static_cast<size_t>(at - next_));
  const void *after = memchr(at, terminator, static_cast<size_t>(end_ - at));
  return {before == nullptr ? next_ : static_cast<const char *>(before) + 1,
          after == nullptr ? end_ : static_cast<const char *>(after)};
}

bool LineSearch::leave(const Line &line) {
  next_ = std::min(line.end + 1, end_);
  return true;
}

}  // namespace mrc
