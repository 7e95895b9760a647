// A sink that remembers what it was given.
#pragma once

#include "map/emitter.h"
#include "map/key_image.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace mrc {

class CollectedKeys : public BatchSink {
 public:
  explicit CollectedKeys(Seed seed = {1, 2}) : seed_(seed) {}

  void take(const Batch<Key16> &batch) override { collect(batch, 0, Key16::kLongest); }
  void take(const Batch<Key32> &batch) override {
    collect(batch, Key16::kLongest + 1, Key32::kLongest);
  }
  void take(const Batch<KeyRef> &batch) override { collect(batch, Key32::kLongest + 1, INT64_MAX); }

  Seed seed() const { return seed_; }
  i64 batches() const { return batches_; }
  // By class of length, in the order they came.
  const std::vector<std::string> &keys() const { return keys_; }
  std::vector<std::string> sorted() const {
    std::vector<std::string> all = keys_;
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  template <typename Key>
  void collect(const Batch<Key> &batch, i64 shortest, i64 longest) {
    ++batches_;
    EXPECT_GT(batch.size, 0);
    ASSERT_LE(batch.size, Batch<Key>::kCapacity);
    for (i64 i = 0; i < batch.size; ++i) {
      const Key &key = batch.keys[static_cast<size_t>(i)];
      keys_.push_back(std::string(key_bytes(key)));
      EXPECT_GE(static_cast<i64>(keys_.back().size()), shortest);
      EXPECT_LE(static_cast<i64>(keys_.back().size()), longest);
      EXPECT_EQ(batch.hashes[static_cast<size_t>(i)], hash(key, seed_));
    }
  }

  Seed seed_;
  i64 batches_ = 0;
  std::vector<std::string> keys_;
};

}  // namespace mrc
