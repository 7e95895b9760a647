// Values that follow their sort keys, so that as bytes they order as the values of a kind do.
#pragma once

#include "combine/inner/kept_text.h"
#include "expr/expr.h"

#include <memory>
#include <string>

namespace mrc {

// A name is the key, the value or its name in another bucket, a byte 0 and the size of the key in
// four bytes. REQUIRES: no key is a prefix of another
class KeyedValues : public Bucket {
 public:
  // `shown` may be null.
  KeyedValues(std::shared_ptr<const Bucket> key, std::shared_ptr<const Bucket> shown)
      : key_(std::move(key)), shown_(std::move(shown)) {}

  bool append(Bytes value, std::string *out) const override {
    const size_t begin = out->size();
    if (!is_present(value) || !key_->append(value, out)) return false;
    const u32 size = static_cast<u32>(out->size() - begin);
    if (shown_ == nullptr) out->append(value);
    if (shown_ != nullptr && !shown_->append(value, out)) return out->resize(begin), false;
    out->push_back('\0');
    out->append(reinterpret_cast<const char *>(&size), sizeof size);
    return true;
  }
  bool is_number() const override { return false; }

 private:
  std::shared_ptr<const Bucket> key_, shown_;
};

// Returns the value in a name of KeyedValues.
inline Bytes without_key(Bytes name) {
  u32 size;
  const size_t end = name.size() - sizeof size;
  std::memcpy(&size, name.data() + end, sizeof size);
  return name.substr(size, end - 1 - size);
}

}  // namespace mrc
