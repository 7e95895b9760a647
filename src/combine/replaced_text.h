// combine: a text of a state that others take the place of.
#pragma once

#include "combine/kept_text.h"

#include <bit>

namespace mrc {

// Long texts have room to be replaced in place, as the last text of a key is all the time: in
// front of their bytes is for how many.
inline u64 room_of(const KeptText &text) {
  if (!text.is_long()) return 0;
  u64 room;
  std::memcpy(&room, text.bytes().data() - sizeof room, sizeof room);
  return room;
}

// Puts a borrowed text, which is copied if it is long, in the place of what `kept` is, which is
// none or was put there by this.
inline void replace_text(KeptText *kept, KeptText text, Arena *arena) {
  if (!text.is_long()) {
    *kept = text;
    return;
  }
  const Bytes bytes = text.bytes();
  char *to = reinterpret_cast<char *>(kept->word[0]);
  if (room_of(*kept) < bytes.size()) {
    const u64 room = std::bit_ceil(bytes.size());
    to = reinterpret_cast<char *>(arena->alloc(static_cast<i64>(sizeof room + room)));
    std::memcpy(to, &room, sizeof room);
    to += sizeof room;
  }
  std::memcpy(to, bytes.data(), bytes.size());
  *kept = {{reinterpret_cast<u64>(to), text.word[1]}};
}

}  // namespace mrc
