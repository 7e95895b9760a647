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

std::optional<AddressPrefix> AddressPrefix::parse(Bytes text) {
  AddressPrefix prefix;
  const size_t slash = text.find('/');
  if (slash == Bytes::npos || !read_number(text.substr(slash + 1), &prefix.bits_)) return {};
  const Bytes address = text.substr(0, slash);
  prefix.is_ipv4_ = parse_ipv4(address, &prefix.ipv4_);
  if (!prefix.is_ipv4_ && !parse_ipv6(address, &prefix.ipv6_)) return {};
  if (prefix.bits_ < 0 || prefix.bits_ > (prefix.is_ipv4_ ? kBits4 : kBits6)) return {};
  keep_bits(prefix.bits_, &prefix.ipv4_);
  keep_bits(prefix.bits_, &prefix.ipv6_);
  return prefix;
}

bool AddressPrefix::contains(Bytes text) const {
  Ipv4 ipv4;
  Ipv6 ipv6;
  bool is_ipv4 = parse_ipv4(text, &ipv4);
  if (!is_ipv4) {
    if (!parse_ipv6(text, &ipv6)) return false;
    is_ipv4 = is_mapped_ipv4(ipv6, &ipv4);
  }
  if (is_ipv4 != is_ipv4_) return false;
  if (is_ipv4) {
    keep_bits(bits_, &ipv4);
    return ipv4 == ipv4_;
  }
  keep_bits(bits_, &ipv6);
  return ipv6 == ipv6_;
}

}  // namespace mrc
