#include "fields/inner/log_layout.h"

#include "base/text.h"
#include "fields/level_words.h"
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

LogLayout::LogLayout(Bytes text, TimeShape shape) : shape_(shape) {
  const Bytes time = "{time}";
  const size_t time_at = text.find(time);
  std::string open_ones;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool doubled = (c == '{' || c == '}') && text.substr(i + 1).starts_with(c);
    if (c == '{' && !doubled) {
      const size_t close = text.find('}', i);
      add_placeholder(text.substr(i + 1, close - i - 1));
      i = close;
      continue;
    }
    Step step = {.kind = is_blank(c) ? Step::Kind::blanks : Step::Kind::byte, .byte = c};
    const size_t closed =
        closing_bracket(c) == '\0' ? Bytes::npos : text.find(closing_bracket(c), i);
    const bool around_time = time_at != Bytes::npos && i < time_at && closed > time_at;
    if (closed != Bytes::npos && !around_time) {
      step.kind = Step::Kind::open;
      step.close = closing_bracket(c);
      open_ones += step.close;
    } else if (!open_ones.empty() && c == open_ones.back()) {
      step.kind = Step::Kind::close;
      open_ones.pop_back();
    }
    i += doubled;
    steps_.push_back(step);
  }
  find_ends();
  if (time_at == Bytes::npos) time_ = end_of_level();
}

// Returns the step with which the level ends, with its brackets. A line without a time must have a
// level.
size_t LogLayout::end_of_level() const {
  const auto is_level = [](const Step &step) {
    return step.check == Step::Check::level || step.check == Step::Check::level_or_digit;
  };
  const auto level = std::ranges::find_if(steps_, is_level);
  const auto end = std::find_if(level, steps_.end(), [](const Step &step) { return step.commits; });
  return end == steps_.end() ? 0 : static_cast<size_t>(end - steps_.begin());
}

void LogLayout::add_placeholder(Bytes name) {
  Step step = {.kind = Step::Kind::value};
  if (name == "time") {
    step.kind = Step::Kind::time;
    time_ = steps_.size();
  } else if (name == "message") {
    step.kind = Step::Kind::message;
  }
  if (name == "level") {
    auto before = steps_.rbegin();
    while (before != steps_.rend() && before->kind == Step::Kind::blanks) ++before;
    const bool marked = before != steps_.rend() && (before->byte == '<' || before->byte == ',');
    step.check = marked ? Step::Check::level_or_digit : Step::Check::level;
  }
  if (name == "pid") step.check = Step::Check::digits;
  names_.emplace_back(name);
  steps_.push_back(step);
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
      const bool ends_word = after == nullptr || after->kind == Step::Kind::blanks ||
                             after->kind == Step::Kind::message;
      step.end = depth > 0                        ? last_byte
                 : next->byte == '|'              ? byte
                 : next->byte == ':' && ends_word ? colon
                                                  : byte_of_word;
    }
    step.byte = next->byte;
  }
}

MRC_INLINE bool LogLayout::is_right(Step::Check check, Bytes value) {
  switch (check) {
    case Step::Check::any: return true;
    case Step::Check::level: return is_log_level(value);
    case Step::Check::digits: return is_digits(value);
    case Step::Check::level_or_digit:
      return is_log_level(value) || (value.size() == 1 && is_digit(value[0]));
  }
  return false;
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
  const bool may_be_empty = step.end == Step::End::brackets && step.check == Step::Check::any;
  return (stop > p || may_be_empty) && is_right(step.check, between(p, stop));
}

bool LogLayout::take_time(Cursor *at, LogValues::Value *value) const {
  const Bytes rest = between(at->at, at->end_of_line);
  Timestamp time = find_timestamp(rest, shape_);
  if (time.size == 0) [[unlikely]]
    time = find_timestamp(rest);
  if (time.size == 0) return false;
  *value = {at->at, at->at + time.size};
  at->at += time.size;
  return true;
}

MRC_INLINE bool LogLayout::take(const Step &step, Cursor *at, LogValues *found,
                                size_t *count) const {
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
    case Step::Kind::message: return true;
  }
  return false;
}

bool LogLayout::match(Bytes line, LogValues *found) const {
  Cursor at{line.data(), line.data() + line.size(), line.data() + line.size()};
  const char *message = nullptr;
  size_t count = 0;
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Step &step = steps_[i];
    if (!take(step, &at, found, &count)) {
      if (i <= time_) return false;
      break;
    }
    if (step.kind == Step::Kind::message) message = at.at;
    if (!step.commits || i < time_) continue;
    found->known = count;
    message = at.at;
  }
  message = skip_blanks(message, at.end_of_line);
  found->values[names_.size() - 1] = {message, at.end_of_line};
  return true;
}

void LogLayout::forget_after(size_t place) {
  size_t count = 0;
  for (size_t i = 0; i < steps_.size(); ++i) {
    count += steps_[i].kind == Step::Kind::value || steps_[i].kind == Step::Kind::time;
    if (i < time_ || count <= place || !steps_[i].commits) continue;
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
