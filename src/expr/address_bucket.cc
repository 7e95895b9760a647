// Buckets of IP addresses: their prefixes, in CIDR notation.
#include "base/make_error.h"
#include "base/typed_text.h"
#include "expr/inner/buckets.h"
#include "kinds/address.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mrc {
namespace {

// Prefixes with a number of bits for each kind of address.
class AddressBucket : public Bucket {
 public:
  AddressBucket(i64 bits4, i64 bits6) : prefixes_{prefix_of(bits4), prefix_of(bits6)} {}

  bool append(Bytes value, std::string *out) const override {
    const std::optional<AddressKey> key = address_key(value);
    if (!key) return false;
    const Prefix &prefix = prefixes_[(*key)[0] != 4];
    append_address(AddressRange::around(*key, prefix.bits).first, out);
    out->append(prefix.text);
    return true;
  }
  std::string name_like(const std::string &text) const override {
    const std::string name = name_for(text.substr(0, text.find('/')));
    return name.empty() ? name_for("192.0.2.1") : name;
  }

 private:
  struct Prefix {
    i64 bits;
    std::string text;  // as it follows an address
  };
  static Prefix prefix_of(i64 bits) { return {bits, fmt::format("/{}", bits)}; }

  std::array<Prefix, 2> prefixes_;  // of IPv4 and of IPv6
};

}  // namespace

BucketOrNone make_address_bucket(std::string_view text) {
  if (!text.starts_with('/')) return BucketOrNone(nullptr);
  const size_t slash = text.find('/', 1);
  const bool is_one = slash == text.npos;
  i64 bits4 = 0, bits6 = 0;
  const bool are_bits = read_number(text.substr(1, slash - 1), &bits4) &&
                        read_number(text.substr(is_one ? 1 : slash + 1), &bits6);
  if (are_bits && bits4 >= 1 && bits4 <= (is_one ? kBits6 : kBits4) && bits6 >= 1 &&
      bits6 <= kBits6) {
    return BucketOrNone(std::make_shared<AddressBucket>(std::min(bits4, kBits4), bits6));
  }
  return make_error(
      "bucket \"{}\": a prefix is /1 to /128, or one for IPv4 and one for IPv6, as in /24/64",
      text);
}

}  // namespace mrc
