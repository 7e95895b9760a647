// Where values of a pattern end. Each function takes the value's first byte and the end of the
// line, and returns where the value ends, or null if there is none. All may over-read by kPadding.
//
//   name       a letter, and letters, digits, _ - and . after it
//   class      a class and its package: names with two points or more, such as com.example.Shop
//   letter     one letter, and no other after it
//   sign       one byte that is no letter, digit or blank, and a blank or the end after it
//   integer    digits, with a sign or not
//   number     the same with a fraction or an exponent, or not
//   hex        hexadecimal digits, after 0x or not
//   ip         an IPv4 or IPv6 address, with a zone or not
//   time       a timestamp of any shape, with its zone
//   level      a word that says how bad something is: INFO, warn, E
// Numbers, addresses and times may also be a lone "-", for what is not known.
#pragma once

#include "base/text.h"
#include "scan/vector.h"

#include <array>

namespace mrc {

const char *end_of_name(const char *p, const char *end);
const char *end_of_class(const char *p, const char *end);
const char *end_of_letter(const char *p, const char *end);
const char *end_of_sign(const char *p, const char *end);
const char *end_of_ip(const char *p, const char *end);
const char *end_of_time(const char *p, const char *end);
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

// A value between two bytes, and where the line goes on; text.data() is null if there is none.
struct EnclosedValue {
  Bytes text;
  const char *next = nullptr;
};
// "text", in which a backslash or a second quote keeps a quote from ending it, or "-".
EnclosedValue find_quoted(const char *p, const char *end);
// [text], in which brackets are paired. If they are not, the first one that closes ends it.
EnclosedValue find_bracketed(const char *p, const char *end);
// An address or a name, and what is written around it: ip, ip:port, [ip]:port.
EnclosedValue find_client(const char *p, const char *end);

// The first of three bytes in [p, end), or `end`.
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

}  // namespace mrc
