// Buckets of IP addresses: their first bits, as a prefix in CIDR notation.
#include "expr/address.h"
#include "expr/buckets.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <charconv>

namespace mrc {
namespace {

// Numbers of bits for both kinds of addresses.
class AddressBucket : public Bucket {
 public:
  AddressBucket(i64 bits4, i64 bits6) : bits4_(bits4), bits6_(bits6) {}

  bool append(Bytes value, std::string *out) const override {
    std::array<u8, 4> short_address;
    if (parse_ipv4(value, &short_address)) return append_ipv4(short_address, out);
    std::array<u8, 16> address;
    if (!parse_ipv6(value, &address)) return false;
    if (is_mapped_ipv4(address, &short_address)) return append_ipv4(short_address, out);
    keep_bits(bits6_, &address);
    std::array<char, INET6_ADDRSTRLEN> text;
    inet_ntop(AF_INET6, address.data(), text.data(), text.size());
    fmt::format_to(std::back_inserter(*out), "{}/{}", text.data(), bits6_);
    return true;
  }
  bool is_number() const override { return false; }

 private:
  bool append_ipv4(std::array<u8, 4> address, std::string *out) const {
    keep_bits(bits4_, &address);
    fmt::format_to(std::back_inserter(*out), "{}.{}.{}.{}/{}", address[0], address[1], address[2],
                   address[3], bits4_);
    return true;
  }

  i64 bits4_, bits6_;
};

// "/24" off the front.
bool take_bits(std::string_view *text, i64 largest, i64 *bits) {
  if (!text->starts_with('/')) return false;
  const char *end = text->data() + text->size();
  const auto [at, error] = std::from_chars(text->data() + 1, end, *bits);
  if (error != std::errc()) return false;
  *text = {at, static_cast<size_t>(end - at)};
  return *bits >= 1 && *bits <= largest;
}

}  // namespace

BucketOrNone make_address_bucket(std::string_view text) {
  if (!text.starts_with('/')) return BucketOrNone(nullptr);
  std::string_view left = text;
  i64 first = 0, second = 0;
  if (take_bits(&left, kBits6, &first)) {
    if (left.empty()) {
      return BucketOrNone(std::make_shared<AddressBucket>(std::min(first, kBits4), first));
    }
    if (first <= kBits4 && take_bits(&left, kBits6, &second) && left.empty()) {
      return BucketOrNone(std::make_shared<AddressBucket>(first, second));
    }
  }
  return Status::error(fmt::format(
      "bucket \"{}\": a prefix is /1 to /128, or one for IPv4 and one for IPv6, as in /24/64",
      text));
}

}  // namespace mrc
