// What can stand for a client, or for a virtual host, at the beginning of an access log line.
#pragma once

#include "base/int.h"
#include "scan/vector.h"

namespace mrc {

// How surely a word is a client. A month, a date or a time is none.
enum class ClientKind {
  none,
  label,    // localhost, unknown, -, unix: only what follows such a word can confirm it
  name,     // client.isp.example
  address,  // 192.0.2.1, 192.0.2.1:5678, 2001:db8::7, [2001:db8::7]:443
};

struct ClientWord {
  ClientKind kind = ClientKind::none;
  Bytes ip;  // the word, but an address without its port and brackets
};

// REQUIRES: no blank is in the word. May over-read by kPadding bytes.
ClientWord read_client(Bytes word);

// Whether all bytes are those of names. May over-read by kPadding bytes.
bool has_name_bytes(Bytes text);
// Whether the text has the shape of an IPv6 address. May over-read by kPadding bytes.
bool is_ipv6(Bytes text);
// The size of the IPv4 address that `p` begins with: digits and three dots at least, since
// numbers and dates have fewer. 0 if there is none. May over-read by kPadding bytes.
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
// Whether it is all of the text.
bool is_ipv4(Bytes text);

}  // namespace mrc
