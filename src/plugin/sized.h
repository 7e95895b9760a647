// Structs that grow: how one of another header becomes one of this.
//
// Every struct says how large it is where it was compiled. A smaller one is from an older
// header: what it does not have is zero, which is the usual thing. A larger one is from a
// newer header: it is the same as ours if all it has more is zero; otherwise the plugin
// counts on something that this mrc does not know.
#pragma once

#include "base/status.h"

#include <cstddef>
#include <cstring>
#include <string>

namespace mrc {

// What no struct of any header reaches.
constexpr size_t kLargestStruct = 1 << 16;

// `first`: the size in the first header. `what`: for the message, "job kmeans".
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
