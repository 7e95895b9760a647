// The matcher of patterns, in a header so that it is inlined into the loop over records.
#pragma once

#include "fields/inner/pattern_values.h"
#include "fields/pattern.h"

#include <vector>

namespace mrc {
namespace pattern {

// Returns the end of the literal with which the text begins, or null if it begins otherwise. A
// blank of the literal stands for a run of blanks, and a line end also for CR LF.
MRC_INLINE const char *match_literal(const char *p, const char *end, const std::string &literal) {
  for (const char wanted : literal) {
    if (p == end) return nullptr;
    if (wanted == ' ') {
      if (!is_blank(*p)) return nullptr;
      do ++p;
      while (p < end && is_blank(*p));
    } else if (*p++ != wanted) {
      const bool is_line_end = wanted == '\n' && p[-1] == '\r' && p < end && *p == '\n';
      if (!is_line_end) return nullptr;
      ++p;
    }
  }
  return p;
}

MRC_INLINE const char *find_stop(const char *p, const char *end, const PatternStop &stop) {
  if (stop.few) [[likely]]
    return find_any(p, end, stop.bytes);
  while (p < end && !stop.begins[static_cast<u8>(*p)]) ++p;
  return p;
}

MRC_INLINE const char *without_blanks(const char *p, const char *end) {
  while (end > p && is_blank(end[-1])) --end;
  return end;
}

// True if the follower's part matches at `p`.
inline bool matches_part(const char *p, const char *end, const PatternAlternative &in,
                         const PatternStop::Follower &follower);
MRC_INLINE bool follows(const char *p, const char *end, const PatternAlternative &in,
                        const PatternStop &stop) {
  for (const PatternStop::Follower &each : stop.followers) {
    if (match_literal(p, end, each.literal) == nullptr) continue;
    if (each.part < 0 || matches_part(p, end, in, each)) return true;
  }
  return false;
}

// Returns the end of a text or word; null if there is none. Blanks that do not end it are skipped
// as a run, so that no byte is examined again and again.
MRC_INLINE const char *end_of_text(const char *p, const char *end, const PatternAlternative &in,
                                   const PatternStop &stop) {
  for (const char *at = p;;) {
    at = find_stop(at, end, stop);
    if (at == end) return stop.at_end ? end : nullptr;
    if (follows(at, end, in, stop)) return at;
    if (!is_blank(*at)) {
      ++at;
      continue;
    }
    const char *run = at;
    while (at < end && is_blank(*at)) ++at;
    if (stop.at_blank || (at == end && stop.at_end)) return run;
  }
}

MRC_INLINE EnclosedValue as_value(const char *p, const char *end) {
  return end == nullptr ? EnclosedValue() : EnclosedValue{{p, static_cast<size_t>(end - p)}, end};
}

MRC_INLINE EnclosedValue find_value(const char *p, const char *end, const PatternStep &step,
                                    const PatternAlternative &in) {
  switch (step.type) {
    case ValueType::text:
      return as_value(p, end_of_text(p, end, in, in.stops[static_cast<size_t>(step.stop)]));
    case ValueType::word: {
      const char *at = end_of_text(p, end, in, in.stops[static_cast<size_t>(step.stop)]);
      return as_value(p, at == p ? nullptr : at);
    }
    case ValueType::name: return as_value(p, end_of_name(p, end));
    case ValueType::class_name: return as_value(p, end_of_class(p, end));
    case ValueType::letter: return as_value(p, end_of_letter(p, end));
    case ValueType::sign: return as_value(p, end_of_sign(p, end));
    case ValueType::rest: return {{p, static_cast<size_t>(end - p)}, end};
    case ValueType::integer: return as_value(p, end_of_integer(p, end));
    case ValueType::number: return as_value(p, end_of_number(p, end));
    case ValueType::hex: return as_value(p, end_of_hex(p, end));
    case ValueType::ip: return as_value(p, end_of_ip(p, end));
    case ValueType::peer: return as_value(p, end_of_peer(p, end));
    case ValueType::client: return find_client(p, end);
    case ValueType::time: return as_value(p, end_of_time(p, end));
    case ValueType::ctime: return as_value(p, end_of_ctime(p, end));
    case ValueType::epoch: return as_value(p, end_of_epoch(p, end));
    case ValueType::level: return as_value(p, end_of_level(p, end));
    case ValueType::quoted: return find_quoted(p, end);
    case ValueType::bracketed: return find_bracketed(p, end);
  }
  __builtin_unreachable();
}

// Matches the steps from `from` to `to`. Returns the end of the match, or null. put() takes the
// number of a field and its value; a value without data takes a value back.
template <typename Put>
const char *match_steps(const char *p, const char *end, const PatternAlternative &in, size_t from,
                        size_t to, Put &put) {
  for (size_t i = from; i < to; ++i) {
    const PatternStep &step = in.steps[i];
    if (step.kind == PatternStep::Kind::literal) {
      p = match_literal(p, end, step.literal);
      if (p == nullptr) return nullptr;
    } else if (step.kind == PatternStep::Kind::value) {
      const EnclosedValue value = find_value(p, end, step, in);
      if (value.next == nullptr) return nullptr;
      if (step.field >= 0) put(step.field, value.text);
      p = value.next;
    } else {
      const auto next = static_cast<size_t>(step.skip);
      const char *after = match_steps(p, end, in, i + 1, next, put);
      if (after != nullptr) {
        if (step.field >= 0) put(step.field, {p, static_cast<size_t>(after - p)});
        p = after;
      } else if (step.kind == PatternStep::Kind::group) {
        return nullptr;
      } else {
        for (size_t k = i + 1; k < next; ++k) {
          if (in.steps[k].field >= 0) put(in.steps[k].field, Bytes());
        }
      }
      i = next - 1;
    }
  }
  return p;
}

inline bool matches_part(const char *p, const char *end, const PatternAlternative &in,
                         const PatternStop::Follower &follower) {
  auto put = [](int, Bytes) {};
  const auto part = static_cast<size_t>(follower.part);
  const auto after = static_cast<size_t>(in.steps[part].skip);
  const char *at = match_steps(p, end, in, part + 1, after, put);
  return at != nullptr && (!follower.is_last || without_blanks(at, end) == at);
}

}  // namespace pattern

// True if the line matches one of the alternatives, whose values are put.
template <typename Put>
MRC_INLINE bool match_pattern(Bytes line, const std::vector<PatternAlternative> &alternatives,
                              Put &put) {
  const char *begin = line.data(), *end = begin + line.size();
  for (const PatternAlternative &each : alternatives) {
    const size_t steps = each.steps.size();
    const char *at = pattern::match_steps(begin, end, each, 0, steps, put);
    if (at != nullptr && pattern::without_blanks(at, end) == at) return true;
    for (const PatternStep &step : each.steps) {
      if (step.field >= 0) put(step.field, Bytes());
    }
  }
  return false;
}

}  // namespace mrc
