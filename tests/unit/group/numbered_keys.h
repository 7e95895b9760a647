// Keys of a class by number, and batches of them.
#pragma once

#include "map/key_image.h"
#include "record.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Owns the bytes of the keys it makes: what borrows them must not outlive it.
template <typename Key>
class NumberedKeys {
 public:
  // Of a length that belongs to the class; numbers and keys correspond.
  static std::string text(i64 number) {
    std::string digits = std::to_string(number);
    if constexpr (std::is_same_v<Key, Key16>) return digits;
    if constexpr (std::is_same_v<Key, Key32>) return digits + std::string(16, '-');
    return digits + std::string(32 + static_cast<size_t>(number % 50), '-');
  }

  Key make(i64 number) {
    std::string &padded = bytes_.emplace_back(text(number));
    const u64 size = padded.size();
    if constexpr (std::is_same_v<Key, KeyRef>) return {padded.data(), size};
    padded.append(kPadding, 'x');
    Key key{};
    if constexpr (std::is_same_v<Key, Key16>) key = image16<Fold::none>(padded.data(), size);
    if constexpr (std::is_same_v<Key, Key32>) key = image32<Fold::none>(padded.data(), size);
    bytes_.pop_back();
    return key;
  }

 private:
  std::deque<std::string> bytes_;
};

// A key and the hash that the test wants it to have.
struct Numbered {
  i64 number;
  u64 hash;
};

template <typename Key>
std::unique_ptr<Batch<Key>> make_batch(NumberedKeys<Key> *keys,
                                       const std::vector<Numbered> &content) {
  auto batch = std::make_unique<Batch<Key>>();
  for (const Numbered &one : content) {
    const size_t at = static_cast<size_t>(batch->size++);
    batch->keys[at] = keys->make(one.number);
    batch->hashes[at] = one.hash;
  }
  return batch;
}

// Calls `each` with stretches of `content` that fit into a batch.
template <typename Each>
void by_batch(const std::vector<Numbered> &content, i64 batch_size, Each each) {
  for (size_t at = 0; at < content.size(); at += static_cast<size_t>(batch_size)) {
    const size_t end = std::min(content.size(), at + static_cast<size_t>(batch_size));
    each(std::vector<Numbered>(content.begin() + static_cast<i64>(at),
                               content.begin() + static_cast<i64>(end)));
  }
}

inline u64 &counter(State *state) { return *reinterpret_cast<u64 *>(state); }
inline u64 counter(const State *state) { return *reinterpret_cast<const u64 *>(state); }

}  // namespace mrc
