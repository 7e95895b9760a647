#include "kinds/address.h"

#include "base/typed_text.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

namespace mrc {
namespace {

// Parses four numbers up to 255.
bool parse_ipv4(Bytes text, AddressKey *key) {
  const char *at = text.data(), *end = at + text.size();
  for (size_t i = 0; i < kBits4 / 8; ++i) {
    if (i > 0 && (at == end || *at++ != '.')) return false;
    const char *begin = at;
    u32 value = 0;
    while (at < end && at - begin < 3 && static_cast<u8>(*at - '0') < 10) {
      value = value * 10 + static_cast<u32>(*at++ - '0');
    }
    if (at == begin || value > 255 || (*begin == '0' && at - begin > 1)) return false;
    (*key)[1 + i] = static_cast<u8>(value);
  }
  (*key)[0] = 4;
  return at == end;
}

bool parse_ipv6(Bytes text, AddressKey *key) {
  std::array<char, INET6_ADDRSTRLEN> copy{};
  if (text.size() >= copy.size() || text.find('\0') != Bytes::npos) return false;
  text.copy(copy.data(), text.size());
  (*key)[0] = 6;
  return inet_pton(AF_INET6, copy.data(), key->data() + 1) == 1;
}

// Returns an address such as ::ffff:10.1.2.3 as an IPv6 address.
std::optional<AddressKey> key_as_written(Bytes text) {
  AddressKey ipv4{}, ipv6{};
  if (parse_ipv4(text, &ipv4)) return ipv4;
  return parse_ipv6(text, &ipv6) ? std::optional(ipv6) : std::nullopt;
}

}  // namespace

std::optional<AddressKey> address_key(Bytes text) {
  using namespace std::string_view_literals;
  constexpr Bytes kMapped = "\6\0\0\0\0\0\0\0\0\0\0\xFF\xFF"sv;
  std::optional<AddressKey> key = key_as_written(text);
  if (!key || !bytes_of(*key).starts_with(kMapped)) return key;
  AddressKey ipv4{4};
  std::copy(key->begin() + kMapped.size(), key->end(), ipv4.begin() + 1);
  return ipv4;
}

void append_address(const AddressKey &key, std::string *out) {
  if (key[0] == 4) {
    for (size_t i = 1; i <= 4; ++i) {
      std::array<char, 3> digits;
      if (i > 1) out->push_back('.');
      out->append(digits.data(), std::to_chars(digits.begin(), digits.end(), key[i]).ptr);
    }
    return;
  }
  std::array<char, INET6_ADDRSTRLEN> text;
  out->append(inet_ntop(AF_INET6, key.data() + 1, text.data(), text.size()));
}

AddressRange AddressRange::around(const AddressKey &key, i64 bits) {
  AddressRange range{key, key};
  for (i64 at = 0; at < (key[0] == 4 ? kBits4 : kBits6) / 8; ++at) {
    const auto rest = static_cast<u8>(0xFF >> std::clamp<i64>(bits - at * 8, 0, 8));
    const auto byte = static_cast<size_t>(1 + at);
    range.first[byte] = static_cast<u8>(key[byte] & ~rest);
    range.last[byte] = static_cast<u8>(key[byte] | rest);
  }
  return range;
}

std::optional<AddressRange> AddressRange::of_prefix(Bytes text) {
  const size_t slash = text.find('/');
  i64 bits = 0;
  if (slash == Bytes::npos || !read_number(text.substr(slash + 1), &bits) || bits < 0) return {};
  const std::optional<AddressKey> key = key_as_written(text.substr(0, slash));
  if (!key || bits > ((*key)[0] == 4 ? kBits4 : kBits6)) return {};
  return around(*key, bits);
}

std::optional<AddressKey> first_address(Bytes text) {
  if (text.find('/') == Bytes::npos) [[likely]]
    return address_key(text);
  const std::optional<AddressRange> range = AddressRange::of_prefix(text);
  return range ? std::optional(range->first) : std::nullopt;
}

}  // namespace mrc
