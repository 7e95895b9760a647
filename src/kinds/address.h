// Parses IP addresses as logs write them, and prefixes in CIDR notation.
#pragma once

#include "base/int.h"

#include <array>
#include <optional>
#include <string>

namespace mrc {

inline constexpr i64 kBits4 = 32, kBits6 = 128;

// The family, 4 or 6, and the 4 or 16 bytes of the address. Keys order as bytes in the order of
// addresses.
using AddressKey = std::array<u8, 1 + 16>;
inline Bytes bytes_of(const AddressKey &key) {
  return {reinterpret_cast<const char *>(key.data()), key.size()};
}
// Returns nothing if the text is not an address. Leading zeros of decimal numbers are refused,
// because some programs read such numbers as octal. ::ffff:10.1.2.3 is an IPv4 address.
std::optional<AddressKey> address_key(Bytes text);
// Appends the address in its one form.
void append_address(const AddressKey &key, std::string *out);

// The range of all addresses of a prefix.
struct AddressRange {
  AddressKey first, last;

  // Reads 10.0.0.0/8 or 2001:db8::/32. Returns nothing if the text is not a prefix.
  static std::optional<AddressRange> of_prefix(Bytes text);
  // Returns the addresses whose first `bits` are those of an address.
  static AddressRange around(const AddressKey &key, i64 bits);
};

// Returns the address, or the first address of a prefix. Returns nothing if the text is neither.
std::optional<AddressKey> first_address(Bytes text);

}  // namespace mrc
