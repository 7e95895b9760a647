// Texts that states keep, in 16 bytes if they are short.
#pragma once

#include "base/arena.h"
#include "base/hash.h"
#include "map/key_image.h"

#include <bit>

namespace mrc {

// A text of up to 15 bytes is in the two words, as a Key16. For a longer text the words are its
// address and its size, with 255 in the top byte. Equal short texts have equal words. All zero
// bytes are no text. Plain data; longer texts belong to an arena, or to the owner of the borrowed
// text.
struct KeptText {
  u64 word[2];

  static constexpr u64 kLong = u64{0xFF} << 56;

  bool is_none() const { return word[1] == 0; }
  bool is_long() const { return word[1] >> 56 == 0xFF; }
  // Valid as long as this and, for a long text, its bytes.
  Bytes bytes() const {
    if (!is_long()) return {reinterpret_cast<const char *>(word), (word[1] >> 56) - 1};
    return {reinterpret_cast<const char *>(word[0]), word[1] & ~kLong};
  }
};

// Copies a short text into the words, and borrows a long one. The bytes may be over-read by
// kPadding.
MRC_INLINE KeptText borrow_text(Bytes text) {
  if (text.size() <= 15) [[likely]] {
    const Key16 image = image16<Fold::none>(text.data(), text.size());
    return {{image.word[0], image.word[1]}};
  }
  return {{reinterpret_cast<u64>(text.data()), text.size() | KeptText::kLong}};
}
// Does what borrow_text() does, for bytes that must not be over-read.
inline KeptText borrow_exactly(Bytes text) {
  if (text.size() > 15) return borrow_text(text);
  KeptText kept{};
  std::memcpy(kept.word, text.data(), text.size());
  kept.word[1] |= (text.size() + 1) << 56;
  return kept;
}
// Copies a long text into the arena.
inline KeptText keep_text(KeptText text, Arena *arena) {
  if (text.is_long()) text.word[0] = reinterpret_cast<u64>(arena->copy(text.bytes()).data());
  return text;
}

MRC_INLINE bool operator==(const KeptText &a, const KeptText &b) {
  if (a.word[1] != b.word[1]) return false;
  return a.word[0] == b.word[0] || (a.is_long() && a.bytes() == b.bytes());
}

MRC_INLINE u64 hash_of(const KeptText &text, const Seed &seed) {
  return text.is_long() ? hash_bytes(text.bytes(), seed)
                        : fold_multiply(text.word[0] ^ seed.a, text.word[1] ^ seed.b);
}

// True if a field has a value: logs write "-" for a missing one.
MRC_INLINE bool is_present(Bytes text) {
  return text.size() > 1 || (text.size() == 1 && text[0] != '-');
}

// A text of a state that is often replaced.

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
