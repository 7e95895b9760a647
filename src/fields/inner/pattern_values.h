// Finds the ends of values of a pattern. Each function takes the value's first byte and the end of
// the line, and returns the end of the value, or null if there is none. All may over-read by
// kPadding.
//
//   name       a letter, followed by letters, digits, _ - and .
//   class      a class and its package: names with two points or more, such as com.example.Shop
//   letter     one letter that no other follows
//   sign       one byte other than a letter, digit or blank, before a blank or the end
//   integer    digits, with or without a sign
//   number     an integer, with or without a fraction or an exponent
//   hex        hexadecimal digits, with or without 0x
//   ip         an IPv4 or IPv6 address, with or without a zone
//   peer       an address before a colon and a port: IPv6 without brackets ends at the last colon
//   time       a timestamp of any shape, with its zone
//   ctime      a timestamp whose year follows the clock, after a blank
//   level      a word for the severity of a record: INFO, warn, E
// Numbers, addresses and times may also be a lone "-", which stands for an unknown value.
#pragma once

#include "base/text.h"
#include "fields/fields.h"
#include "scan/vector.h"

#include <array>

namespace mrc {

const char *end_of_name(const char *p, const char *end);
const char *end_of_class(const char *p, const char *end);
const char *end_of_letter(const char *p, const char *end);
const char *end_of_sign(const char *p, const char *end);
const char *end_of_ip(const char *p, const char *end);
const char *end_of_peer(const char *p, const char *end);
const char *end_of_time(const char *p, const char *end);
// A time whose year follows the clock.
const char *end_of_ctime(const char *p, const char *end);
// Seconds since 1970, in ten digits, perhaps with a fraction; or in smaller units.
const char *end_of_epoch(const char *p, const char *end);
const char *end_of_level(const char *p, const char *end);
const char *end_of_number(const char *p, const char *end);
const char *end_of_hex(const char *p, const char *end);

MRC_INLINE const char *end_of_integer(const char *p, const char *end) {
  const char *digits = p;
  if (digits < end && (*digits == '-' || *digits == '+')) ++digits;
  const char *at = digits;
  while (at < end && is_digit(*at)) ++at;
  return at > digits || (at == p + 1 && *p == '-') ? at : nullptr;
}

// True if all of the text is one value of a type whose extent does not depend on what follows.
enum class ValueType : u8;
bool is_all(ValueType type, Bytes text);

// A value between two bytes, and the place where the line continues; text.data() is null if there
// is no value.
struct EnclosedValue {
  Bytes text;
  const char *next = nullptr;
};
// Finds "text", in which a backslash or a second quote escapes a quote, or "-".
EnclosedValue find_quoted(const char *p, const char *end);
// Finds [text] with balanced brackets. If they are not balanced, the first closing one ends it.
EnclosedValue find_bracketed(const char *p, const char *end);
// Finds an address or a name in the forms ip, ip:port and [ip]:port.
EnclosedValue find_client(const char *p, const char *end);

// Returns the first of three bytes in [p, end), or `end`.
MRC_INLINE const char *find_any(const char *p, const char *end, std::array<char, 3> bytes) {
  for (; p < end; p += BaselineVector::kBytes) {
    const BaselineVector text = BaselineVector::load(p);
    const u64 found = (text.equal(bytes[0]) | text.equal(bytes[1]) | text.equal(bytes[2])).bits();
    if (found == 0) continue;
    p += __builtin_ctzll(found);
    return p < end ? p : end;
  }
  return end;
}

// Splits records with a pattern.

// Makes a reader for the dialect's pattern. A record that the pattern does not match is bad.
Result<std::unique_ptr<RecordReader>> make_pattern_reader(const Dialect &dialect,
                                                          std::span<const FieldName> wanted);

// Number of lines that match, and of other lines that look like a continuation of a record: they
// begin with a blank, or like lines of stack traces.
struct PatternVotes {
  i64 matching = 0, going_on = 0;
};
struct Pattern;
// Stops if more than `most_failing` lines do neither.
PatternVotes count_matching(const Pattern &pattern, const std::vector<Bytes> &lines,
                            i64 most_failing = INT64_MAX);
// Returns the number of lines that neither match nor continue a record, because they have a time of
// their own.
i64 count_foreign(const Pattern &pattern, const std::vector<Bytes> &lines);

}  // namespace mrc
