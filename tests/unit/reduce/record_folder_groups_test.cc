#include "reduce/inner/record_folder.h"
#include "reduce/shared_partitions.h"
#include "unit/reduce/totalled.h"

namespace mrc {
namespace {

// Groups of numbers [from, to), each counted once.
void count_numbers(const StateLayout &layout, i64 from, i64 to, Groups *groups) {
  NumberedKeys<Key16> keys;
  std::vector<Numbered> content;
  for (i64 i = from; i < to; ++i) content.push_back({i, hash_bytes(std::to_string(i), {1, 2})});
  Arena arena;
  by_batch(content, 1024, [&](const std::vector<Numbered> &some) {
    const auto batch = make_batch(&keys, some);
    std::vector<State *> states(some.size());
    groups->container<Key16>().group(*batch, states.data());
    layout.add(states.data(), {batch->values.data(), 0}, batch->size, &arena);
  });
}

// The slots that keys of workers walk past when they are merged into tables that others share.
i64 steps_of_merging(i64 keys, i64 workers) {
  const StateLayout layout(count_aggregation());
  SharedPartitions shared(layout, 0, 0, {1, 1, 1});
  for (i64 worker = 0; worker < workers; ++worker) {
    Groups groups(ContainerSpec{});
    count_numbers(layout, worker * keys, (worker + 1) * keys, &groups);
    shared.merge(0, groups);
  }
  EXPECT_EQ(shared.tables(0)->size(), keys * workers);
  return shared.tables(0)->short_keys.steps();
}

TEST(GroupMerger, TakesTimeLinearInTheKeys) {
  for (i64 keys : {20000, 25000, 32000}) {
    const i64 once = steps_of_merging(keys, 3), twice = steps_of_merging(2 * keys, 3);
    EXPECT_LE(once, 3 * 8 * keys);
    EXPECT_LE(static_cast<double>(twice), 2.25 * static_cast<double>(once)) << keys;
  }
}

}  // namespace
}  // namespace mrc
