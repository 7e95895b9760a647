// Converts structs of other versions of the plugin header, which grow.
//
// Every struct has the size that it had when it was compiled. A smaller one comes from an older
// header: missing members are zero, which is the default. A larger one comes from a newer header:
// it is equal to ours if all its additional bytes are zero; otherwise the plugin uses something
// that this mrc does not know.
#pragma once

#include "base/status.h"

#include <cstddef>
#include <cstring>
#include <string>

namespace mrc {

// No struct of any header is larger.
constexpr size_t kLargestStruct = 1 << 16;

// `first`: its size in the first header. `what`: its name in messages, "job kmeans".
template <typename T>
Status copy_sized(const void *from, size_t size, size_t first, const std::string &what, T *to) {
  if (size < first || size > kLargestStruct) {
    return Status::error(what + " says that its size is " + std::to_string(size) +
                         "; it is at least " + std::to_string(first) +
                         ": begin it with sizeof of its type");
  }
  *to = T{};
  memcpy(static_cast<void *>(to), from, size < sizeof(T) ? size : sizeof(T));
  const auto *bytes = static_cast<const unsigned char *>(from);
  for (size_t i = sizeof(T); i < size; ++i) {
    if (bytes[i] == 0) continue;
    return Status::error(what + " uses what this mrc does not have: it is built for a newer one");
  }
  return Status::ok();
}

}  // namespace mrc
