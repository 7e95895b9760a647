#include "group/flat_table.h"
#include "unit/group/counted_keys.h"

#include <gtest/gtest.h>

#include <random>

namespace mrc {
namespace {

template <typename Key>
class FlatTableVisit : public CountedKeys<Key> {};
TYPED_TEST_SUITE(FlatTableVisit, KeyClasses);

// Hashes that crowd at borders of partitions and at both ends of the table.
std::vector<std::vector<Numbered>> hard_contents() {
  std::vector<std::vector<Numbered>> all(7);
  std::mt19937_64 random(1);
  for (i64 i = 0; i < 400; ++i) {
    const u64 u = static_cast<u64>(i);
    all[0].push_back({i, random()});
    all[1].push_back({i, ~u});  // run round the end
    all[2].push_back({i, u});
    all[3].push_back({i, i % 2 == 0 ? ~u : u});
    all[4].push_back({i, (u64{1} << 63) + (u % 2 == 0 ? u : ~u + 1)});
    all[5].push_back({i, (random() % 1024 << 54) - random() % 2});
    all[6].push_back({i, ~u64{0}});
  }
  all.push_back({{0, ~u64{0}}});
  all.push_back({{0, 0}, {1, ~u64{0}}});
  return all;
}

TYPED_TEST(FlatTableVisit, ShowsEachKeyOnceInItsPartitionOnly) {
  for (const std::vector<Numbered> &content : hard_contents()) {
    FlatTable<TypeParam> table(8, KeyBytes::copied);
    this->count(&table, content);
    for (int bits = 0; bits <= 10; ++bits) {
      Counts shown;
      for (i64 partition = 0; partition < i64{1} << bits; ++partition) {
        i64 slots = 0;
        table.each({partition, bits}, [&](const auto &slot) {
          ++slots;
          ++shown[std::string(key_bytes(slot.key))];
          const u64 top = bits == 0 ? 0 : slot.hash >> (64 - bits);
          ASSERT_EQ(static_cast<i64>(top), partition);
        });
        ASSERT_EQ(table.count({partition, bits}), slots);
      }
      ASSERT_EQ(shown, this->expected(content)) << "bits " << bits;
    }
  }
}

// The same contents in a table with so few slots that half of them are used, and
// with partitions smaller than a slot's share of the hashes.
TYPED_TEST(FlatTableVisit, ShowsPartitionsOfSmallTablesToo) {
  for (std::vector<Numbered> content : hard_contents()) {
    const size_t once = content.size();
    for (i64 copy = 1; content.size() < 1500 && once > 2; ++copy) {
      for (size_t i = 0; i < once; ++i) {
        content.push_back({content[i].number + 1000 * copy, content[i].hash});
      }
    }
    FlatTable<TypeParam> table(8, KeyBytes::copied);
    table.reset(0);
    this->count(&table, content, 200);
    for (int bits : {1, 9, 14}) {
      Counts shown;
      for (i64 partition = 0; partition < i64{1} << bits; ++partition) {
        table.each({partition, bits},
                   [&](const auto &slot) { ++shown[std::string(key_bytes(slot.key))]; });
      }
      ASSERT_EQ(shown, this->expected(content)) << "bits " << bits;
    }
  }
}

}  // namespace
}  // namespace mrc
