#include "base/hash.h"
#include "kept/identify.h"

#include <bit>

namespace mrc {

i64 Heads::levels_of(i64 size) {
  i64 levels = 0;
  while (levels < kLevels && bytes(levels) <= size) ++levels;
  return levels;
}

Heads Heads::of(Bytes head) {
  Heads heads;
  heads.levels = levels_of(std::ssize(head));
  for (i64 i = 0; i < heads.levels; ++i) {
    heads.hash[static_cast<size_t>(i)] =
        checksum_bytes(head.substr(0, static_cast<size_t>(bytes(i))));
  }
  return heads;
}

Heads Heads::up_to(i64 size) const {
  Heads shorter;
  shorter.levels = std::min(levels, levels_of(size));
  for (size_t i = 0; i < static_cast<size_t>(shorter.levels); ++i) shorter.hash[i] = hash[i];
  return shorter;
}

}  // namespace mrc
