// IP addresses as logs write them, and prefixes of them in CIDR notation.
#pragma once

#include "base/int.h"

#include <array>
#include <optional>

namespace mrc {

using Ipv4 = std::array<u8, 4>;
using Ipv6 = std::array<u8, 16>;
inline constexpr i64 kBits4 = 32, kBits6 = 128;

// Four numbers up to 255, without zeros in front: those are octal to some.
bool parse_ipv4(Bytes text, Ipv4 *address);
bool parse_ipv6(Bytes text, Ipv6 *address);
// What is written ::ffff:10.1.2.3 is an IPv4 address to everybody but the kernel.
bool is_mapped_ipv4(const Ipv6 &address, Ipv4 *ipv4);

// Clears all bits but the first ones.
template <size_t kBytes>
void keep_bits(i64 bits, std::array<u8, kBytes> *address) {
  for (size_t i = 0; i < kBytes; ++i) {
    const i64 left = bits - static_cast<i64>(i) * 8;
    (*address)[i] &= static_cast<u8>(0xFF00 >> (left < 0 ? 0 : left > 8 ? 8 : left));
  }
}

// The family, 4 or 6, and the address. As bytes, keys are in the order of their addresses.
using AddressKey = std::array<u8, 1 + sizeof(Ipv6)>;
// Returns nothing if the text is not an address.
std::optional<AddressKey> address_key(Bytes text);

// All addresses of a prefix.
struct AddressRange {
  AddressKey first, last;

  // Reads 10.0.0.0/8 or 2001:db8::/32. Returns nothing if the text is not a prefix.
  static std::optional<AddressRange> of_prefix(Bytes text);
};

// The address, or of a prefix the first one. Returns nothing if the text is neither.
std::optional<AddressKey> first_address(Bytes text);

}  // namespace mrc
