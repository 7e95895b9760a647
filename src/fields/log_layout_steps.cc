// Makes the steps of the matcher of a loose pattern.
#include "base/text.h"
#include "fields/inner/log_layout.h"

#include <algorithm>

namespace mrc {

LogLayout::LogLayout(const Pattern &pattern) {
  for (const PatternStep &step : pattern.alternatives[0].steps) {
    if (step.kind == PatternStep::Kind::value) add_value(pattern, step);
    for (const char c : step.literal) add_literal(c);
  }
  steps_.back().kind = Step::Kind::rest;
  find_brackets();
  find_ends();
  find_commits();
  find_front();
  find_numbers();
}

// Without a blank after it, a dash belongs to the value: -5.
void LogLayout::add_literal(char c) {
  const bool after_dash =
      !steps_.empty() && steps_.back().kind == Step::Kind::byte && steps_.back().byte == '-';
  const Step::Kind blanks = after_dash ? Step::Kind::gap : Step::Kind::blanks;
  steps_.push_back({.kind = c == ' ' ? blanks : Step::Kind::byte, .byte = c});
}

void LogLayout::add_value(const Pattern &pattern, const PatternStep &value) {
  Step step = {.kind = Step::Kind::value, .type = value.type};
  if (is_time(value.type)) {
    step.kind = Step::Kind::time;
    step.type = ValueType::time;
    step.is_ctime = value.type == ValueType::ctime;
  }
  if (step.type == ValueType::level) {
    const auto is_text = [](const Step &before) { return before.byte != ' '; };
    const auto before = std::find_if(steps_.rbegin(), steps_.rend(), is_text);
    step.may_be_digit = before != steps_.rend() && (before->byte == '<' || before->byte == ',');
  }
  if (value.field >= 0) {
    const std::string &name = pattern.fields[static_cast<size_t>(value.field)];
    step.is_no_level = name == "logger" || name == "thread" || name == "host";
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
  i64 depth = 0;
  for (size_t i = 0; i < steps_.size(); ++i) {
    depth += steps_[i].kind == Step::Kind::open;
    depth -= steps_[i].kind == Step::Kind::close;
    steps_[i].inside = depth > 0;
    if (steps_[i].kind == Step::Kind::value && i + 1 < steps_.size()) find_end(i);
  }
}

// The steps after a value tell where it ends.
void LogLayout::find_end(size_t i) {
  using enum Step::End;
  Step &step = steps_[i];
  const Step &next = steps_[i + 1];
  switch (next.kind) {
    case Step::Kind::time: step.end = letter; break;
    case Step::Kind::close: step.end = brackets; break;
    case Step::Kind::open: step.end = byte_of_word; break;
    case Step::Kind::blanks:
      if (!step.inside && is_byte(i + 2)) find_padded_end(i);
      return;
    case Step::Kind::byte:
      step.end = step.inside           ? last_byte
                 : next.byte == '|'    ? byte
                 : next.byte != ':'    ? byte_of_word
                 : is_blanks(i + 2)    ? colon
                 : is_byte(i + 2, ':') ? byte_of_word
                                       : colon_of_word;
      break;
    default: break;
  }
  step.byte = next.byte;
}

// A blank before a separator may only pad the value, so that a longer value has none.
void LogLayout::find_padded_end(size_t i) {
  using enum Step::End;
  const char mark = steps_[i + 2].byte;
  if (Bytes("|:,;").find(mark) == Bytes::npos) return;
  const bool ends_word = is_blanks(i + 3);
  steps_[i].byte = mark;
  steps_[i].end =
      mark == '|' ? (ends_word ? word_or_byte : byte) : (ends_word ? word_and_byte : word_or_byte);
}

// Finds the steps that commit. A time, a level and brackets are there for sure. Another value needs
// the separators after it, or else the next step that commits. Separators after a step that commits
// do so, too, because they are no part of the message.
void LogLayout::find_commits() {
  enum class Before { committed, pending, neither } before = Before::neither;
  for (size_t i = 0; i < steps_.size(); ++i) {
    Step &step = steps_[i];
    const bool ends_run = !is_byte(i + 1) && !is_gap(i + 1);
    switch (step.kind) {
      case Step::Kind::blanks:
      case Step::Kind::rest: continue;
      case Step::Kind::open: before = Before::neither; break;
      case Step::Kind::time:
      case Step::Kind::close: step.commits = true; break;
      case Step::Kind::value: step.commits = is_sure(i); break;
      case Step::Kind::byte:
        if (!is_separator(i)) before = Before::neither;
        [[fallthrough]];
      case Step::Kind::gap:
        step.commits =
            ends_run ? before != Before::neither : before == Before::committed && step.byte != '-';
        if (!step.commits) continue;
    }
    step.commits &= !step.inside;
    if (step.commits) before = Before::committed;
    if (step.kind == Step::Kind::value && !step.commits) before = Before::pending;
  }
}
// True if nothing after a value has to show that it is there.
bool LogLayout::is_sure(size_t value) const {
  const auto kind_at = [&](size_t i) {
    return i < steps_.size() ? steps_[i].kind : Step::Kind::rest;
  };
  const Step::Kind next = kind_at(value + 1);
  if (next == Step::Kind::open) return false;
  if (next == Step::Kind::time || next == Step::Kind::rest) return true;
  return steps_[value].type == ValueType::level ||
         (next == Step::Kind::blanks && kind_at(value + 2) == Step::Kind::rest);
}
bool LogLayout::is_separator(size_t i) const {
  const bool ends_time = i > 0 && steps_[i - 1].kind == Step::Kind::time;
  return Bytes("])>}|:,;-").find(steps_[i].byte) != Bytes::npos ||
         (steps_[i].byte == '"' && ends_time);
}

// A number after a time is another value if the layout has one there.
void LogLayout::find_numbers() {
  for (size_t i = 0; i + 1 < steps_.size(); ++i) {
    const size_t next = i + 1 + is_blanks(i + 1);
    if (next < steps_.size()) steps_[i].precedes_number = steps_[next].type == ValueType::integer;
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
  for (auto step = steps_.begin(); step != steps_.end(); ++step) {
    const bool is_any = step->type == ValueType::text || step->type == ValueType::word;
    step->is_word = step->kind == Step::Kind::value && is_any && !step->inside;
    step->is_early = step->is_word && step < front;
  }
}

}  // namespace mrc
