#include "reduce/sealed_groups.h"

#include "base/hash.h"
#include "support/temporary_folder.h"
#include "unit/reduce/totalled.h"

namespace mrc {
namespace {

using std::string;

class SealedGroupsTest : public testing::Test {
 protected:
  SealedGroupsTest() : file_(std::move(*RunFile::temporary(folder_.path(".")))) {}

  // Writes a count for each number, in this order.
  SealedBlocks write(SealedRun *run, const std::vector<i64> &numbers,
                     i64 memory_bytes = INT64_MAX) {
    SealedGroups groups(layout_, std::ssize(numbers), 0, folder_.path("."), memory_bytes);
    for (const i64 number : numbers) {
      u64 state = static_cast<u64>(number) + 1;
      groups.take(NumberedKeys<KeyRef>::text(number), reinterpret_cast<State *>(&state));
    }
    SealedBlocks written;
    EXPECT_TRUE(groups.write(run, &written).is_ok());
    EXPECT_EQ(written.keys, std::ssize(numbers));
    return written;
  }
  // All records of a block, which are in order.
  std::vector<std::pair<string, u64>> read(const BlockInfo &block) const {
    const Result<Bytes> records = read_block(file_, {0, 8}, block, &pages_);
    EXPECT_TRUE(records.is_ok());
    std::vector<std::pair<string, u64>> all;
    const auto *at = reinterpret_cast<const std::byte *>(records->data());
    for (const std::byte *end = at + records->size(); at < end;) {
      StoredRecord record;
      at = read_record(at, {0, 8}, &record);
      EXPECT_TRUE(record.is_state);
      all.emplace_back(record.key, load<u64>(record.fixed));
    }
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
    return all;
  }
  static std::vector<i64> numbers(i64 count) {
    std::vector<i64> all;
    for (i64 i = 0; i < count; ++i) all.push_back(i);
    return all;
  }

  const TemporaryFolder folder_;
  const StateLayout layout_{count_aggregation()};
  const RunFile file_;
  mutable Pages pages_;
};

TEST_F(SealedGroupsTest, AreInTheOrderOfTheirKeys) {
  SealedRun run(&file_, {0, 8});
  const SealedBlocks written = write(&run, {9, 100, 3, 20});
  ASSERT_EQ(written.count, 1);
  const BlockInfo &block = run.blocks()[0];
  EXPECT_EQ(block.order, RunOrder::key);
  EXPECT_EQ(block.partition_bits, 0);
  const auto all = read(block);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0], std::pair(NumberedKeys<KeyRef>::text(100), u64{101}));
}

TEST_F(SealedGroupsTest, AreTheSameBytesInWhateverOrderTheyCome) {
  std::vector<i64> some = numbers(3000);
  SealedRun run(&file_, {0, 8});
  const SealedBlocks first = write(&run, some);
  std::reverse(some.begin(), some.end());
  const SealedBlocks second = write(&run, some), third = write(&run, some, 10000);
  ASSERT_EQ(second.first, first.first + first.count);
  ASSERT_EQ(third.first, second.first + second.count);
  for (i64 i = 0; i < first.count; ++i) {
    const u64 checksum = run.blocks()[static_cast<size_t>(i)].checksum;
    EXPECT_EQ(run.blocks()[static_cast<size_t>(second.first + i)].checksum, checksum);
    EXPECT_EQ(run.blocks()[static_cast<size_t>(third.first + i)].checksum, checksum);
  }
}

// By the hash without a seed, which the next run knows, too.
TEST_F(SealedGroupsTest, OfManyKeysAreInPartitions) {
  SealedRun run(&file_, {0, 8});
  const SealedBlocks written = write(&run, numbers(20000));
  EXPECT_GT(written.count, 200);
  Totals all;
  for (const BlockInfo &block : run.blocks()) {
    EXPECT_EQ(block.partition_bits, 8);
    for (const auto &[key, count] : read(block)) {
      EXPECT_EQ(checksum_bytes(key) >> 56, static_cast<u64>(block.partition));
      EXPECT_TRUE(all.emplace(key, count).second);
    }
  }
  EXPECT_EQ(all.size(), 20000u);
}

TEST_F(SealedGroupsTest, CountPositionsFromTheFrontOfTheirSource) {
  const StateLayout first(first_aggregation());
  SealedRun run(&file_, {0, 8});
  SealedGroups groups(first, 1, -position_of(3, 0), folder_.path("."), INT64_MAX);
  u64 state = ~position_of(3, 70);
  groups.take("key", reinterpret_cast<State *>(&state));
  SealedBlocks written;
  ASSERT_TRUE(groups.write(&run, &written).is_ok());
  EXPECT_EQ(read(run.blocks()[0])[0].second, ~position_of(0, 70));
}

TEST_F(SealedGroupsTest, OfNothingAreNoBlocks) {
  SealedRun run(&file_, {0, 8});
  EXPECT_EQ(write(&run, {}).count, 0);
  EXPECT_TRUE(run.is_empty());
}

TEST_F(SealedGroupsTest, SayThatTheyCouldNotBeSpilled) {
  SealedGroups groups(layout_, 1000, 0, folder_.path("none"), 1);
  u64 state = 1;
  for (i64 i = 0; i < 1000; ++i) {
    groups.take(std::to_string(i), reinterpret_cast<State *>(&state));
  }
  EXPECT_FALSE(groups.status().is_ok());
  SealedRun run(&file_, {0, 8});
  SealedBlocks written;
  EXPECT_FALSE(groups.write(&run, &written).is_ok());
  EXPECT_TRUE(run.is_empty());
}

}  // namespace
}  // namespace mrc
