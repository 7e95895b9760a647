#include "lab/inner/containers.h"
#include "unit/group/numbered_keys.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// The counts that are shown, by hash and in the order in which they are.
class Counted : public GroupVisitor<Key32> {
 public:
  void take(const Batch<Key32> &batch, State *const *states) override {
    for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
      counts.push_back({batch.hashes[i], counter(states[i])});
    }
  }
  std::vector<std::pair<u64, u64>> counts;
};

class Appending : public testing::Test {
 protected:
  // Counts keys by their numbers, which are their hashes too, and seals.
  std::vector<std::pair<u64, u64>> counts(const std::vector<i64> &numbers) {
    std::vector<Numbered> content;
    for (i64 number : numbers) content.push_back({number, static_cast<u64>(number)});
    std::vector<State *> states(Batch<Key32>::kCapacity);
    by_batch(content, 1000, [&](const std::vector<Numbered> &some) {
      buffer_->group(*make_batch(&keys_, some), states.data());
      for (size_t i = 0; i < some.size(); ++i) ++counter(states[i]);
    });
    buffer_->seal([this](State *const *into, State *const *from, i64 n) {
      merged_ += n;
      for (i64 i = 0; i < n; ++i) counter(into[i]) += counter(from[i]);
    });
    Counted counted;
    buffer_->visit({}, &counted);
    return counted.counts;
  }

  std::unique_ptr<AppendBuffer<Key32>> buffer_;
  NumberedKeys<Key32> keys_;
  i64 merged_ = 0;
};

TEST_F(Appending, LeavesEqualKeysBesideOneAnother) {
  buffer_ = std::make_unique<AppendBuffer<Key32>>(8, EqualKeys::apart);
  const std::vector<std::pair<u64, u64>> expected = {{1, 1}, {2, 1}, {2, 1},
                                                     {7, 1}, {7, 1}, {7, 1}};
  EXPECT_EQ(counts({7, 2, 7, 1, 2, 7}), expected);
  EXPECT_EQ(buffer_->usage().keys, 6);
  EXPECT_EQ(merged_, 0);
}

TEST_F(Appending, MergesEqualKeys) {
  buffer_ = std::make_unique<AppendBuffer<Key32>>(8, EqualKeys::merged);
  const std::vector<std::pair<u64, u64>> expected = {{1, 1}, {2, 2}, {7, 3}};
  EXPECT_EQ(counts({7, 2, 7, 1, 2, 7}), expected);
  EXPECT_EQ(buffer_->usage().keys, 3);
  EXPECT_EQ(merged_, 3);
}

TEST_F(Appending, MergesManyStatesOfOneKey) {
  buffer_ = std::make_unique<AppendBuffer<Key32>>(8, EqualKeys::merged);
  for (size_t records : {1024, 1025, 1026, 50000}) {
    const std::vector<std::pair<u64, u64>> expected = {{5, records}};
    EXPECT_EQ(counts(std::vector<i64>(records, 5)), expected);
    buffer_->clear();
  }
}

TEST_F(Appending, KeepsItsMemoryWhenCleared) {
  buffer_ = std::make_unique<AppendBuffer<Key32>>(8, EqualKeys::apart);
  counts(std::vector<i64>(50000, 5));
  const ContainerUsage first = buffer_->usage();
  EXPECT_GT(first.growths, 0);
  buffer_->clear();
  counts(std::vector<i64>(50000, 6));
  EXPECT_EQ(buffer_->usage().growths, first.growths);
  EXPECT_EQ(buffer_->usage().bytes, first.bytes);
}

}  // namespace
}  // namespace mrc
