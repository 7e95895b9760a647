// Buckets of a hash: hash/64 divides values into 64 partitions of about equal size. Equal bytes are
// in one partition, in this version and all later ones, because directories of mrc load have the
// names of partitions.
#include "expr/hash_bucket.h"

#include "base/make_error.h"
#include "base/text.h"
#include "base/typed_text.h"
#include "expr/inner/buckets.h"

#include <fmt/format.h>

#include <iterator>

namespace mrc {
namespace {

constexpr i64 kMostPartitions = 65536;
constexpr std::string_view kHash = "hash";

// A partition is called by its number, with as many digits as the last one has.
class HashBucket : public Bucket {
 public:
  explicit HashBucket(i64 partitions)
      : partitions_(partitions), digits_(fmt::formatted_size("{}", partitions - 1)) {}

  bool append(Bytes value, std::string *out) const override {
    if (value.empty()) return false;
    append_number(hash_partition(value, partitions_), out);
    return true;
  }
  std::string name_like(const std::string &text) const override {
    i64 number = 0;
    const bool is_name = is_digits(text) && read_number(text, &number) && number < partitions_;
    std::string name;
    append_number(is_name ? number : 0, &name);
    return name;
  }
  i64 partitions() const { return partitions_; }

 private:
  void append_number(i64 number, std::string *out) const {
    fmt::format_to(std::back_inserter(*out), "{:0{}}", number, digits_);
  }

  const i64 partitions_;
  const size_t digits_;
};

}  // namespace

i64 hash_partitions(const Bucket *bucket) {
  const auto *hash = dynamic_cast<const HashBucket *>(bucket);
  return hash == nullptr ? 0 : hash->partitions();
}

BucketOrNone make_hash_bucket(std::string_view text) {
  const size_t slash = text.find('/');
  if (text.substr(0, slash) != kHash) return BucketOrNone(nullptr);
  i64 partitions = 0;
  const bool is_there = slash != text.npos && read_number(text.substr(slash + 1), &partitions);
  if (is_there && partitions >= 1 && partitions <= kMostPartitions) {
    return BucketOrNone(std::make_shared<HashBucket>(partitions));
  }
  return make_error("bucket \"{}\": a hash has from 1 to {} partitions, as in hash/64", text,
                    kMostPartitions);
}

}  // namespace mrc
