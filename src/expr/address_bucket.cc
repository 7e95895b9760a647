// Buckets of IP addresses: their prefixes, in CIDR notation.
#include "base/make_error.h"
#include "expr/address.h"
#include "expr/inner/buckets.h"

#include <fmt/format.h>

#include <charconv>

namespace mrc {
namespace {

// Prefixes with a number of bits for each kind of address.
class AddressBucket : public Bucket {
 public:
  AddressBucket(i64 bits4, i64 bits6) : bits4_(bits4), bits6_(bits6) {}

  bool append(Bytes value, std::string *out) const override {
    const std::optional<AddressKey> key = address_key(value);
    if (!key) return false;
    const i64 bits = (*key)[0] == 4 ? bits4_ : bits6_;
    append_address(AddressRange::around(*key, bits).first, out);
    fmt::format_to(std::back_inserter(*out), "/{}", bits);
    return true;
  }

 private:
  i64 bits4_, bits6_;
};

// Takes "/24" off the front.
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
  return make_error(
      "bucket \"{}\": a prefix is /1 to /128, or one for IPv4 and one for IPv6, as in /24/64",
      text);
}

}  // namespace mrc
