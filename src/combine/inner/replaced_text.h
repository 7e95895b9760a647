// combine: a text of a state that is often replaced.
#pragma once

#include "combine/inner/kept_text.h"

#include <bit>

namespace mrc {

// Returns the room of a long text, a number that is stored before its bytes. A text that changes
// often, such as the last text of a key, is replaced in place if there is room.
inline u64 room_of(const KeptText &text) {
  if (!text.is_long()) return 0;
  u64 room;
  std::memcpy(&room, text.bytes().data() - sizeof room, sizeof room);
  return room;
}

// Replaces `kept` by a borrowed text, which is copied if it is long. REQUIRES: `kept` is none, or
// was set by this function
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
