#include "reduce/state_writer.h"
#include "support/temporary_folder.h"
#include "unit/reduce/totalled.h"

#include <gtest/gtest.h>

#include <utility>

namespace mrc {
namespace {

class PartitionWriters : public testing::Test {
 protected:
  PartitionWriters() {
    spec_.shape.state_bytes = layout_.state_bytes();
    spec_.partition_bits = 3;
    spec_.seed = {5, 7};
    spec_.tmpdir = folder_.path(".");
  }

  // Counts numbers of [from, to), as keys of one class.
  template <typename Key>
  void count(MapOutput *output, i64 from, i64 to) {
    NumberedKeys<Key> keys;
    std::vector<Numbered> content;
    for (i64 i = from; i < to; ++i) {
      content.push_back({i, spread(i)});
      ++expected_[NumberedKeys<Key>::text(i)];
    }
    std::vector<State *> states(Batch<Key>::kCapacity);
    by_batch(content, 1024, [&](const std::vector<Numbered> &some) {
      output->groups.container<Key>().group(*make_batch(&keys, some), states.data());
      layout_.add(states.data(), {}, static_cast<i64>(some.size()), &output->arena);
    });
  }
  RunFile written(Groups *groups) {
    Result<RunFile> file = RunFile::temporary(spec_.tmpdir);
    PartitionWriter writer(&*file, layout_, spec_);
    EXPECT_TRUE(writer.write(groups).is_ok());
    EXPECT_EQ(writer.is_empty(), groups->usage().keys == 0);
    return std::move(*file);
  }
  std::unique_ptr<MapOutput> adopted(RunFile run) {
    auto output = std::make_unique<MapOutput>(ContainerSpec{});
    auto buffer = OverflowBuffer::adopt(spec_, std::move(run));
    EXPECT_TRUE(buffer.is_ok());
    if (buffer.is_ok()) output->overflow = std::move(*buffer);
    return output;
  }

  const TemporaryFolder folder_;
  StateLayout layout_{count_aggregation()};
  OverflowSpec spec_;
  Totals expected_;
};

TEST_F(PartitionWriters, WriteGroupsThatAreReducedWhereTheyAre) {
  MapOutput one(ContainerSpec{}), other(ContainerSpec{}), empty(ContainerSpec{});
  count<Key16>(&one, 0, 60'000);
  count<Key32>(&one, 0, 3'000);
  count<KeyRef>(&one, 0, 2'000);
  count<Key16>(&other, 50'000, 70'000);
  std::vector<std::unique_ptr<MapOutput>> outputs;
  for (MapOutput *output : {&one, &other, &empty}) {
    outputs.push_back(adopted(written(&output->groups)));
  }
  EXPECT_GT(outputs[0]->overflow->adopted_keys(7), 5'000);
  EXPECT_EQ(outputs[2]->overflow->adopted_keys(7), 0);
  Totalled sink;
  Arena arena;
  PartitionReducer reducer(outputs, {}, layout_, &arena);
  for (i64 partition = 0; partition < 8; ++partition) {
    EXPECT_TRUE(reducer.reduce({partition, 3}, &sink).is_ok());
  }
  EXPECT_EQ(sink.totals, expected_);
}

TEST_F(PartitionWriters, HandOverWhatABufferHasSpilled) {
  OverflowBuffer buffer(spec_);
  NumberedKeys<Key16> keys;
  const std::vector<Numbered> content = {{1, spread(1)}, {2, spread(2)}, {1, spread(1)}};
  buffer.append_all(*make_batch(&keys, content));
  ASSERT_TRUE(buffer.spill().is_ok());
  Result<RunFile> run = buffer.hand_over();
  ASSERT_TRUE(run.is_ok());
  EXPECT_EQ(adopted(std::move(*run))->overflow->spilled_records(), 3);
}

TEST_F(PartitionWriters, AreNotTakenForAnotherJob) {
  MapOutput one(ContainerSpec{});
  count<Key16>(&one, 0, 10);
  OverflowSpec other = spec_;
  other.seed.a = 6;
  EXPECT_FALSE(OverflowBuffer::adopt(other, written(&one.groups)).is_ok());
  other = spec_;
  other.partition_bits = 2;
  EXPECT_FALSE(OverflowBuffer::adopt(other, written(&one.groups)).is_ok());
  other = spec_;
  other.shape.state_bytes = 16;
  EXPECT_FALSE(OverflowBuffer::adopt(other, written(&one.groups)).is_ok());
}

}  // namespace
}  // namespace mrc
