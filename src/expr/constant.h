// Constants of expressions: what a word that begins with a digit, and text in quotes, stand for.
#pragma once

#include "base/status.h"
#include "expr/address.h"
#include "expr/time_text.h"
#include "fields/kind.h"

#include <optional>
#include <string>
#include <string_view>

namespace mrc {

// Nanoseconds since 1970: all times that a literal means, without `end`. An instant has no length.
struct TimeSpan {
  i64 begin = 0, end = 0;

  bool is_instant() const { return begin == end; }
};

// A value that is the same for all records.
struct Constant {
  ValueKind kind = ValueKind::text;
  // The digits of a number, of the seconds of a duration or of the rank of a level; 1 or 0 for
  // truth; the text itself for text.
  std::string text = {};
  TimeSpan span = {};        // of a time
  AddressRange range = {};   // of an address or a prefix
  std::string pattern = {};  // of text: as typed between the quotes, for regular expressions
};

// Reads a bare word: a number, with a unit of sizes or not, a duration, a date with a
// time of day or not, an address, a prefix of addresses; true, false, now, today, yesterday.
// Error: why it is none of them, and the right form.
Result<Constant> read_constant(std::string_view word, const TimeContext &context, i64 now);

// Reads text in quotes as a value of the kind, in the form of a bare word or of records. Returns
// nothing if the text is not such a value.
std::optional<Constant> constant_of_kind(ValueKind kind, const std::string &text,
                                         const TimeContext &context);
// The kind that text in quotes looks like, where an order is asked for: a number, a time, an
// address, else text.
Constant constant_by_look(const std::string &text, const TimeContext &context);

// 2026-11, 2026-11-03, 2026-11-03T10:00[:05[.5]][Z|+01:00]: the month, day, minute, second.
std::optional<TimeSpan> read_time_span(std::string_view text, const TimeContext &context);
// True if the word is a time that depends on when it is read: now, today, yesterday.
bool is_relative_time(std::string_view word);
// Returns a literal that means today what the word does.
std::string literal_of_relative_time(std::string_view word, const TimeContext &context, i64 now);

}  // namespace mrc
