#include "engine/sinks/saved_groups.h"
#include "support/temporary_folder.h"
#include "unit/reduce/totalled.h"

namespace mrc {
namespace {

class GroupsOfATile : public testing::Test {
 protected:
  GroupsOfATile() : file_(std::move(*RunFile::temporary(folder_.path(".")))) {}

  // The groups of a worker that had these numbers.
  static std::unique_ptr<MapOutput> output(const std::vector<i64> &numbers) {
    auto output = std::make_unique<MapOutput>(ContainerSpec{});
    NumberedKeys<Key16> keys;
    std::vector<Numbered> content;
    for (const i64 number : numbers) content.push_back({number, spread(number)});
    std::vector<State *> states(Batch<Key16>::kCapacity);
    const auto batch = make_batch(&keys, content);
    output->groups.container<Key16>().group(*batch, states.data());
    for (i64 i = 0; i < batch->size; ++i) ++counter(states[static_cast<size_t>(i)]);
    return output;
  }
  Totals seal(GroupOutputs outputs) {
    SealedBlocks blocks;
    EXPECT_TRUE(kept_.seal(std::move(outputs), 0, &run_, &blocks).is_ok());
    Totals all;
    Pages pages;
    for (i64 i = blocks.first; i < blocks.first + blocks.count; ++i) {
      const BlockInfo &block = run_.blocks()[static_cast<size_t>(i)];
      const Result<Bytes> records = read_block(file_, kept_.shape(), block, &pages);
      EXPECT_TRUE(records.is_ok());
      const auto *at = reinterpret_cast<const std::byte *>(records->data());
      for (const std::byte *end = at + records->size(); at < end;) {
        StoredRecord record;
        at = read_record(at, kept_.shape(), &record);
        EXPECT_TRUE(all.emplace(record.key, load<u64>(record.fixed)).second);
      }
    }
    return all;
  }

  const TemporaryFolder folder_;
  const StateLayout layout_{count_aggregation()};
  KeptGroups kept_{layout_, folder_.path("."), 0, INT64_MAX};
  const RunFile file_;
  SealedRun run_{&file_, kept_.shape()};
};

TEST_F(GroupsOfATile, HaveEachKeyOnce) {
  GroupOutputs outputs;
  outputs.push_back(output({1, 2}));
  outputs.push_back(output({2, 3}));
  EXPECT_EQ(seal(std::move(outputs)), (Totals{{"1", 1}, {"2", 2}, {"3", 1}}));
}

TEST_F(GroupsOfATile, LeaveTheirMemoryToTheNext) {
  EXPECT_EQ(kept_.take_empty(), nullptr);
  GroupOutputs outputs;
  outputs.push_back(output({7}));
  EXPECT_EQ(seal(std::move(outputs)), (Totals{{"7", 1}}));
  const std::unique_ptr<MapOutput> empty = kept_.take_empty();
  ASSERT_NE(empty, nullptr);
  EXPECT_EQ(empty->groups.usage().keys, 0);
}

TEST_F(GroupsOfATile, MayBeNone) {
  GroupOutputs outputs;
  outputs.push_back(output({}));
  EXPECT_TRUE(seal(std::move(outputs)).empty());
}

}  // namespace
}  // namespace mrc
