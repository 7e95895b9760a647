// Constants of expressions: words that begin with a digit, and text in quotes.
#pragma once

#include "base/status.h"
#include "kinds/address.h"
#include "kinds/kind.h"
#include "kinds/time_text.h"

#include <optional>
#include <string>
#include <string_view>

namespace mrc {

// The times that a literal means, in nanoseconds since 1970, without `end`. An instant has no
// length.
struct TimeSpan {
  i64 begin = 0, end = 0;

  bool is_instant() const { return begin == end; }
};

// A value that is equal for all records.
struct Constant {
  ValueKind kind = ValueKind::text;
  // The digits of a number, of the seconds of a duration or of the rank of a level; 1 or 0 for
  // truth; the text itself for text.
  std::string text = {};
  TimeSpan span = {};        // if it is a time
  AddressRange range = {};   // if it is an address or a prefix
  std::string pattern = {};  // if it is text: as typed between the quotes, for regular expressions
};

// Reads a bare word: a number, with or without a unit of size; a duration; a date, with or without
// a time of day; an address or a prefix of addresses; true, false, now, today or yesterday. An
// error says why it is none of these, and gives the right form.
Result<Constant> read_constant(std::string_view word, const TimeContext &context, i64 now);

// Reads text in quotes as a value of the kind, in the form of a bare word or of records. Returns
// nothing if the text is not such a value.
std::optional<Constant> constant_of_kind(ValueKind kind, const std::string &text,
                                         const TimeContext &context);
// Reads quoted text, where an order is asked for, as the kind that it looks like: a number, a time,
// an address, or else text.
Constant constant_by_look(const std::string &text, const TimeContext &context);

// Reads 2026-11, 2026-11-03 or 2026-11-03T10:00[:05[.5]][Z|+01:00] as a month, day, minute or
// second.
std::optional<TimeSpan> read_time_span(std::string_view text, const TimeContext &context);
// True if the meaning of the word depends on the present time: now, today, yesterday.
bool is_relative_time(std::string_view word);
// Returns a literal with the word's present meaning.
std::string literal_of_relative_time(std::string_view word, const TimeContext &context, i64 now);

}  // namespace mrc
