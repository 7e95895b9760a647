// Words that may be a client or a virtual host, at the beginning of an access log line.
#pragma once

#include "base/int.h"
#include "scan/vector.h"

namespace mrc {

// Certainty that a word is a client. Months, dates and times are not clients.
enum class ClientKind {
  none,
  label,    // localhost, unknown, -, unix: only the words after it can confirm it
  name,     // client.isp.example
  address,  // 192.0.2.1, 192.0.2.1:5678, 2001:db8::7, [2001:db8::7]:443
};

struct ClientWord {
  ClientKind kind = ClientKind::none;
  Bytes ip;  // the word; without port and brackets if it is an address
};

// REQUIRES: the word contains no blank. May over-read by kPadding bytes.
ClientWord read_client(Bytes word);

// True if all bytes are bytes of names. May over-read by kPadding bytes.
bool has_name_bytes(Bytes text);
// True if the text has the form of an IPv6 address. May over-read by kPadding bytes.
bool is_ipv6(Bytes text);
// Returns the size of the IPv4 address at `p`, or 0 if there is none: digits and at least three
// dots, because numbers and dates have fewer. May over-read by kPadding bytes.
MRC_INLINE size_t ipv4_size(const char *p) {
  u64 known = 0, dots = 0;  // bit i stands for byte i
  for (int i = 0; i < 16; i += BaselineVector::kBytes) {
    const BaselineVector bytes = BaselineVector::load(p + i);
    const auto is_dot = bytes.equal('.');
    known |= (bytes.in_range('0', '9') | is_dot).bits() << i;
    dots |= is_dot.bits() << i;
  }
  const auto size = static_cast<size_t>(__builtin_ctzll(~known));
  dots &= (u64{1} << size) - 1;
  dots &= dots - 1;
  dots &= dots - 1;
  return size < 16 && dots != 0 ? size : 0;
}
// True if all of the text is an IPv4 address.
bool is_ipv4(Bytes text);

}  // namespace mrc
