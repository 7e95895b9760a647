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
// Returns the colon right before the first blank or the end; `end` if there is none.
MRC_INLINE const char *find_colon(const char *p, const char *end) {
  const char *blank = find_blank(p, end);
  return blank > p && blank[-1] == ':' ? blank - 1 : end;
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

LogLayout::LogLayout(const Pattern &pattern) {
  for (const PatternStep &step : pattern.alternatives[0].steps) {
    if (step.kind == PatternStep::Kind::value) add_value(step);
    for (const char c : step.literal) {
      steps_.push_back({.kind = c == ' ' ? Step::Kind::blanks : Step::Kind::byte, .byte = c});
    }
  }
  steps_.back().kind = Step::Kind::rest;
  find_brackets();
  find_ends();
  find_front();
}

void LogLayout::add_value(const PatternStep &value) {
  const bool is_time = value.type == ValueType::time;
  Step step = {.kind = is_time ? Step::Kind::time : Step::Kind::value, .type = value.type};
  if (step.type == ValueType::level) {
    const auto is_text = [](const Step &before) { return before.kind != Step::Kind::blanks; };
    const auto before = std::find_if(steps_.rbegin(), steps_.rend(), is_text);
    step.may_be_digit = before != steps_.rend() && (before->byte == '<' || before->byte == ',');
  }
  fields_.push_back(value.field);
  steps_.push_back(step);
}

// Brackets within others stand for themselves.
void LogLayout::find_brackets() {
  size_t last = 0;
  for (size_t i = 0; i < steps_.size(); ++i) {
    const size_t end = i < last ? 0 : end_of_bracket(i);
    if (end == 0) continue;
    steps_[i].kind = Step::Kind::open;
    steps_[i].close = steps_[end].byte;
    steps_[end].kind = Step::Kind::close;
    last = end;
  }
}

// Returns the step that closes the bracket; 0 if it is none, or the time is inside.
size_t LogLayout::end_of_bracket(size_t open) const {
  const char close = closing_bracket(steps_[open].byte);
  if (steps_[open].kind != Step::Kind::byte || close == '\0') return 0;
  i64 depth = 0;
  for (size_t i = open; i < steps_.size() && steps_[i].kind != Step::Kind::time; ++i) {
    if (steps_[i].kind != Step::Kind::byte) continue;
    depth += steps_[i].byte == steps_[open].byte;
    if (steps_[i].byte == close && --depth == 0) return i;
  }
  return 0;
}

void LogLayout::find_ends() {
  using enum Step::End;
  i64 depth = 0;
  for (size_t i = 0; i < steps_.size(); ++i) {
    Step &step = steps_[i];
    depth += step.kind == Step::Kind::open;
    depth -= step.kind == Step::Kind::close;
    const Step *next = i + 1 < steps_.size() ? &steps_[i + 1] : nullptr;
    const Step *after = i + 2 < steps_.size() ? &steps_[i + 2] : nullptr;
    const bool is_end = step.kind == Step::Kind::value || step.kind == Step::Kind::close ||
                        step.kind == Step::Kind::time;
    const bool goes_on = next != nullptr && next->kind == Step::Kind::open;
    step.commits = is_end && depth == 0 && !(step.kind == Step::Kind::value && goes_on);
    if (step.kind != Step::Kind::value || next == nullptr) continue;
    if (next->kind == Step::Kind::time) step.end = letter;
    if (next->kind == Step::Kind::close) step.end = brackets;
    if (next->kind == Step::Kind::open) step.end = byte_of_word;
    if (next->kind == Step::Kind::byte) {
      const bool ends_word =
          after == nullptr || after->kind == Step::Kind::blanks || after->kind == Step::Kind::rest;
      step.end = depth > 0                        ? last_byte
                 : next->byte == '|'              ? byte
                 : next->byte == ':' && ends_word ? colon
                                                  : byte_of_word;
    }
    step.byte = next->byte;
  }
}

void LogLayout::find_front() {
  const auto is_value = [](const Step &step) {
    return step.kind == Step::Kind::value || step.kind == Step::Kind::time;
  };
  auto front = std::ranges::find(steps_, ValueType::time, &Step::type);
  if (front == steps_.end()) front = std::ranges::find(steps_, ValueType::level, &Step::type);
  if (front == steps_.end()) front = std::ranges::find_if(steps_, is_value);
  const auto end = std::find_if(front, steps_.end(), [](const Step &step) { return step.commits; });
  front_ = static_cast<size_t>(std::count_if(steps_.begin(), front, is_value));
  front_end_ = static_cast<size_t>(end - steps_.begin());
  if (front != steps_.end()) front_type_ = front->type;
}

size_t LogLayout::place_of(int field) const {
  return static_cast<size_t>(std::ranges::find(fields_, field) - fields_.begin());
}

MRC_INLINE bool LogLayout::is_right(const Step &step, Bytes value) {
  if (step.type == ValueType::text || step.type == ValueType::word) return true;
  if (step.type != ValueType::level) return is_all(step.type, value);
  return is_log_level(value) || (step.may_be_digit && value.size() == 1 && is_digit(value[0]));
}

bool LogLayout::take_value(const Step &step, Cursor *at, LogValues::Value *value) {
  const char *p = at->at, *end = at->end, *stop = end;
  switch (step.end) {
    case Step::End::word: stop = find_blank(p, end); break;
    case Step::End::letter: stop = std::min(p + 1, end); break;
    case Step::End::brackets: break;
    case Step::End::colon: stop = find_colon(p, end); break;
    case Step::End::byte: stop = find_byte(p, end, step.byte); break;
    case Step::End::byte_of_word:
      stop = find_byte(p, end, step.byte);
      if (find_blank(p, stop) != stop) return false;
      break;
    case Step::End::last_byte:
      while (stop > p && stop[-1] != step.byte) --stop;
      stop = stop == p ? end : stop - 1;
      break;
  }
  const bool needs_byte = step.end != Step::End::word && step.end != Step::End::letter &&
                          step.end != Step::End::brackets;
  if (needs_byte && stop == end) return false;
  at->at = stop;
  while (stop > p && is_blank(stop[-1])) --stop;
  *value = {p, stop};
  const bool may_be_empty = step.end == Step::End::brackets && step.type == ValueType::text;
  return (stop > p || may_be_empty) && is_right(step, between(p, stop));
}

bool LogLayout::take_time(Cursor *at, LogValues::Value *value) {
  const i64 size = timestamp_size(between(at->at, at->end_of_line));
  *value = {at->at, at->at + size};
  at->at += size;
  return size > 0;
}

MRC_INLINE bool LogLayout::take(const Step &step, Cursor *at, LogValues *found, size_t *count) {
  switch (step.kind) {
    case Step::Kind::blanks: at->at = skip_blanks(at->at, at->end); return true;
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
    case Step::Kind::time: return take_time(at, &found->values[(*count)++]);
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
      if (i <= front_end_) return false;
      break;
    }
    if (step.kind == Step::Kind::rest) left = at.at;
    if (!step.commits || i < front_end_) continue;
    found->known = count;
    left = at.at;
  }
  found->values[rest()] = {skip_blanks(left, at.end_of_line), at.end_of_line};
  return true;
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
