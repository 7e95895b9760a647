#include "fields/inner/log_layout.h"

#include "base/text.h"
#include "fields/inner/pattern_values.h"
#include "kinds/level.h"
#include "kinds/timestamp_reader.h"
#include "scan/vector.h"

#include <algorithm>

namespace mrc {
namespace {

Bytes between(const char *begin, const char *end) {
  return {begin, static_cast<size_t>(end - begin)};
}

MRC_INLINE const char *skip_blanks(const char *p, const char *end) {
  while (p < end && is_blank(*p)) ++p;
  return p;
}
MRC_INLINE const char *find_blank(const char *p, const char *end) {
  for (; p < end; p += BaselineVector::kBytes) {
    const BaselineVector bytes = BaselineVector::load(p);
    const u64 found = (bytes.equal(' ') | bytes.equal('\t')).bits();
    if (found == 0) continue;
    p += __builtin_ctzll(found);
    return p < end ? p : end;
  }
  return end;
}
MRC_INLINE bool is_separator_byte(char c) { return c == '|' || c == ':' || c == ',' || c == ';'; }
// Returns the colon right before the first blank or the end; `end` if there is none.
MRC_INLINE const char *find_colon(const char *p, const char *end) {
  const char *blank = find_blank(p, end);
  return blank > p && blank[-1] == ':' ? blank - 1 : end;
}
// Returns the first single colon, because pairs belong to names such as app::http.
const char *past_pairs(const char *colon, const char *end) {
  while (end - colon > 1 && colon[1] == ':') colon = find_byte(colon + 2, end, ':');
  return colon;
}
// Returns the bracket that closes the one opened before `p`; `end` if there is none.
const char *find_close(const char *p, const char *end, char open, char close) {
  const char *found = find_byte(p, end, close);
  if (find_byte(p, found, open) == found) return found;
  i64 depth = 0;
  for (; p < end; ++p) {
    if (*p == close && depth-- == 0) return p;
    depth += *p == open;
  }
  return found;
}

}  // namespace

// Position of the matcher, and the end of its text: the end of the brackets it is in, or of the
// line.
struct LogLayout::Cursor {
  const char *at;
  const char *end;
  const char *end_of_line;
};

size_t LogLayout::place_of(int field) const {
  return static_cast<size_t>(std::ranges::find(fields_, field) - fields_.begin());
}

MRC_INLINE bool LogLayout::is_right(const Step &step, Bytes value) {
  if (step.is_no_level && is_sure_level(value)) return false;
  if (step.type == ValueType::text || step.type == ValueType::word) return true;
  if (step.type != ValueType::level) return is_all(step.type, value);
  return is_log_level(value) || (step.may_be_digit && value.size() == 1 && is_digit(value[0]));
}

bool LogLayout::take_value(const Step &step, Cursor *at, LogValues::Value *value) {
  const char *p = at->at, *end = at->end, *stop = end;
  if (step.is_word && p < end && is_separator_byte(*p)) return false;
  if (step.is_early && !may_be_word(between(p, at->end_of_line))) return false;
  switch (step.end) {
    case Step::End::word:
      stop = find_blank(p, end);
      stop -= step.is_no_level && stop - p > 1 && stop[-1] == ':';  // it ends a name
      break;
    case Step::End::letter: stop = std::min(p + 1, end); break;
    case Step::End::brackets: break;
    case Step::End::word_or_byte: stop = find_byte(p, find_blank(p, end), step.byte); break;
    case Step::End::word_and_byte:
      stop = find_blank(p, end);
      stop -= stop > p && stop[-1] == step.byte;
      break;
    case Step::End::colon: stop = find_colon(p, end); break;
    case Step::End::byte: stop = find_byte(p, end, step.byte); break;
    case Step::End::byte_of_word:
    case Step::End::colon_of_word:
      stop = find_byte(p, end, step.byte);
      if (step.end == Step::End::colon_of_word) stop = past_pairs(stop, end);
      if (find_blank(p, stop) != stop) return false;
      break;
    case Step::End::last_byte:
      while (stop > p && stop[-1] != step.byte) --stop;
      stop = stop == p ? end : stop - 1;
      break;
  }
  if (step.end >= Step::End::colon && stop == end) return false;
  at->at = stop;
  while (stop > p && is_blank(stop[-1])) --stop;
  *value = {p, stop};
  const bool may_be_empty = step.end == Step::End::brackets && step.type == ValueType::text;
  if ((stop > p || may_be_empty) && is_right(step, between(p, stop))) return true;
  return step.type == ValueType::level && take_level_and_colon(step, at, value);
}

// Takes a level and the colon that some lines have after it.
[[gnu::cold]] bool LogLayout::take_level_and_colon(const Step &step, Cursor *at,
                                                   LogValues::Value *value) {
  const bool ends = step.end == Step::End::word && value->end > value->begin &&
                    value->end[-1] == ':' && value->end == at->at;
  return ends && is_right(step, between(value->begin, --value->end));
}

namespace {

// True if the text begins like a date with the name of a month, and a number follows the time.
MRC_INLINE bool may_precede_year(Bytes text, i64 size) {
  const auto at = static_cast<size_t>(size);
  if (at + 5 > text.size() || text[at] != ' ' || at < 4) return false;
  return (is_digit(text[at + 1]) || text[at + 1] == ' ') &&
         (is_letter(text[0]) || is_letter(text[2]) || is_letter(text[3]));
}
// Returns 0 if a number that may be the year follows the time: then it is not known what the time
// is.
[[gnu::cold]] i64 size_before_number(Bytes text, i64 size) {
  return year_after_clock(text, find_timestamp(text)).year == 0 ? size : 0;
}

}  // namespace

bool LogLayout::take_time(const Step &step, Cursor *at, LogValues::Value *value) {
  const Bytes text = between(at->at, at->end_of_line);
  i64 size =
      step.form.shape == TimeShape::none ? timestamp_size(text) : timestamp_size(text, step.form);
  if (step.is_ctime) [[unlikely]] {
    size = size == 0 ? 0 : dated_size(text);
  } else if (may_precede_year(text, size) && !step.precedes_number) [[unlikely]] {
    size = size_before_number(text, size);
  }
  *value = {at->at, at->at + size};
  at->at += size;
  return size > 0;
}

MRC_INLINE bool LogLayout::take(const Step &step, Cursor *at, LogValues *found, size_t *count) {
  switch (step.kind) {
    case Step::Kind::blanks: at->at = skip_blanks(at->at, at->end); return true;
    case Step::Kind::gap:
      if (at->at < at->end && !is_blank(*at->at)) return false;
      at->at = skip_blanks(at->at, at->end);
      return true;
    case Step::Kind::byte:
      if (at->at == at->end || *at->at != step.byte) return false;
      ++at->at;
      return true;
    case Step::Kind::open:
      if (at->at == at->end || *at->at != step.byte) return false;
      at->end = find_close(at->at + 1, at->end_of_line, step.byte, step.close);
      if (at->end == at->end_of_line) return false;
      at->at = skip_blanks(at->at + 1, at->end);
      return true;
    case Step::Kind::close:
      if (skip_blanks(at->at, at->end) != at->end) return false;
      at->at = at->end + 1;
      at->end = at->end_of_line;
      return true;
    case Step::Kind::time: return take_time(step, at, &found->values[(*count)++]);
    case Step::Kind::value: return take_value(step, at, &found->values[(*count)++]);
    case Step::Kind::rest: return true;
  }
  return false;
}

bool LogLayout::match(Bytes line, LogValues *found) const {
  Cursor at{line.data(), line.data() + line.size(), line.data() + line.size()};
  const char *left = at.at;
  size_t count = 0;
  found->known = 0;
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Step &step = steps_[i];
    if (!take(step, &at, found, &count)) {
      if (i <= front_end_ || needs_all_) return false;
      break;
    }
    if (step.kind == Step::Kind::rest) left = at.at;
    if (!step.commits || i < front_end_) continue;
    found->known = count;
    left = at.at;
  }
  left = skip_blanks(left, at.end_of_line);
  if (at.end_of_line - left > 1 && *left == ':' && is_blank(left[1])) {
    left = skip_blanks(left + 1, at.end_of_line);  // some lines have a colon before the message
  }
  found->values[rest()] = {left, at.end_of_line};
  return true;
}

void LogLayout::set_time_form(const TimeForm &form) {
  for (Step &step : steps_) step.form = form;
}

void LogLayout::forget_after(size_t place) {
  size_t count = 0;
  for (size_t i = 0; i < steps_.size(); ++i) {
    count += steps_[i].kind == Step::Kind::value || steps_[i].kind == Step::Kind::time;
    if (i < front_end_ || count <= place || !steps_[i].commits) continue;
    return steps_.resize(i + 1);
  }
}

size_t LogLayout::match_all(Bytes text) const {
  Cursor at{text.data(), text.data() + text.size(), text.data() + text.size()};
  LogValues found;
  size_t count = 0;
  for (const Step &step : steps_) {
    if (!take(step, &at, &found, &count)) return 0;
  }
  return static_cast<size_t>(at.at - text.data());
}

}  // namespace mrc
