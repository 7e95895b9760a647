#include "expr/address.h"

#include "base/typed_text.h"

#include <arpa/inet.h>

#include <algorithm>

namespace mrc {

bool parse_ipv4(Bytes text, Ipv4 *address) {
  const char *at = text.data(), *end = at + text.size();
  for (size_t i = 0; i < address->size(); ++i) {
    if (i > 0 && (at == end || *at++ != '.')) return false;
    const char *begin = at;
    u32 value = 0;
    while (at < end && at - begin < 3 && static_cast<u8>(*at - '0') < 10) {
      value = value * 10 + static_cast<u32>(*at++ - '0');
    }
    if (at == begin || value > 255 || (*begin == '0' && at - begin > 1)) return false;
    (*address)[i] = static_cast<u8>(value);
  }
  return at == end;
}

bool parse_ipv6(Bytes text, Ipv6 *address) {
  std::array<char, INET6_ADDRSTRLEN> copy{};
  if (text.size() >= copy.size() || text.find('\0') != Bytes::npos) return false;
  text.copy(copy.data(), text.size());
  return inet_pton(AF_INET6, copy.data(), address->data()) == 1;
}

bool is_mapped_ipv4(const Ipv6 &address, Ipv4 *ipv4) {
  constexpr std::array<u8, 12> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
  if (!std::equal(kMapped.begin(), kMapped.end(), address.begin())) return false;
  std::copy(address.begin() + 12, address.end(), ipv4->begin());
  return true;
}

namespace {

template <size_t kBytes>
AddressKey key_of(u8 family, const std::array<u8, kBytes> &address) {
  AddressKey key{};
  key[0] = family;
  std::ranges::copy(address, key.begin() + 1);
  return key;
}

}  // namespace

std::optional<AddressKey> address_key(Bytes text) {
  Ipv4 ipv4;
  Ipv6 ipv6;
  if (parse_ipv4(text, &ipv4)) return key_of(4, ipv4);
  if (!parse_ipv6(text, &ipv6)) return std::nullopt;
  return is_mapped_ipv4(ipv6, &ipv4) ? key_of(4, ipv4) : key_of(6, ipv6);
}

std::optional<AddressRange> AddressRange::of_prefix(Bytes text) {
  const size_t slash = text.find('/');
  const Bytes address = text.substr(0, slash);
  Ipv4 ipv4;
  Ipv6 ipv6;
  i64 bits = 0;
  if (slash == Bytes::npos || !read_number(text.substr(slash + 1), &bits) || bits < 0) return {};
  const bool is_short = parse_ipv4(address, &ipv4);
  if (!is_short && !parse_ipv6(address, &ipv6)) return {};
  const i64 most = is_short ? kBits4 : kBits6;
  if (bits > most) return {};
  const AddressKey key = is_short ? key_of(4, ipv4) : key_of(6, ipv6);
  AddressRange range{key, key};
  for (i64 bit = bits; bit < most; ++bit) {
    const auto at = static_cast<size_t>(1 + bit / 8);
    const auto mask = static_cast<u8>(0x80 >> (bit % 8));
    range.first[at] = static_cast<u8>(range.first[at] & ~mask);
    range.last[at] = static_cast<u8>(range.last[at] | mask);
  }
  return range;
}

std::optional<AddressKey> first_address(Bytes text) {
  if (text.find('/') == Bytes::npos) [[likely]]
    return address_key(text);
  const std::optional<AddressRange> range = AddressRange::of_prefix(text);
  return range ? std::optional(range->first) : std::nullopt;
}

}  // namespace mrc
