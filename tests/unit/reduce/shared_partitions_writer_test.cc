#include "reduce/reduce.h"
#include "reduce/shared_partitions.h"
#include "unit/reduce/totalled.h"

#include <gtest/gtest.h>

#include <thread>

namespace mrc {
namespace {

// Several workers fold numbers into partitions that they share.
class Sharing : public testing::Test {
 protected:
  static constexpr int kBits = 3;

  struct Worker {
    explicit Worker(SharedPartitions *into)
        : overflow(spec()), writer(into, 0, 0, [this]() -> OverflowBuffer & { return overflow; }) {}
    OverflowBuffer overflow;
    SharedWriter writer;
  };
  static OverflowSpec spec() {
    OverflowSpec spec;
    spec.shape.state_bytes = 8;
    spec.partition_bits = kBits;
    return spec;
  }

  // Adds numbers [from, to), as keys of one class.
  template <typename Key>
  static void add(i64 from, i64 to, Worker *worker) {
    NumberedKeys<Key> keys;
    std::vector<Numbered> content;
    for (i64 i = from; i < to; ++i) content.push_back({i, spread(i)});
    by_batch(content, 1024, [&](const std::vector<Numbered> &some) {
      worker->writer.add_all(*make_batch(&keys, some));
    });
  }
  template <typename Key>
  void expect(i64 from, i64 to, u64 times = 1) {
    for (i64 i = from; i < to; ++i) expected_[NumberedKeys<Key>::text(i)] += times;
  }

  // What reduce finds in the partitions, and in the buffers of workers.
  Totals reduced(std::vector<std::unique_ptr<MapOutput>> outputs = {}) {
    Totalled sink;
    PartitionReducer reducer(outputs, shared_, layout_, &arena_);
    for (i64 partition = 0; partition < i64{1} << kBits; ++partition) {
      EXPECT_TRUE(reducer.reduce({partition, kBits}, &sink).is_ok());
    }
    return sink.totals;
  }
  SharedPartitions *add_group(i64 expected_keys = 0) {
    shared_.push_back(std::make_unique<SharedPartitions>(layout_, kBits, expected_keys,
                                                         std::array<double, 3>{1, 0, 0}));
    return shared_.back().get();
  }

  StateLayout layout_{count_aggregation()};
  std::vector<std::unique_ptr<SharedPartitions>> shared_;
  Arena arena_;
  Totals expected_;
};

TEST_F(Sharing, HasEachKeyOnceWhateverWorkerBringsIt) {
  SharedPartitions *shared = add_group(1000);
  Worker first(shared), second(shared);
  for (Worker *worker : {&first, &second}) {
    add<Key16>(0, 20000, worker);
    add<Key32>(0, 5000, worker);
    add<KeyRef>(0, 5000, worker);
    worker->writer.flush();
  }
  expect<Key16>(0, 20000, 2);
  expect<Key32>(0, 5000, 2);
  expect<KeyRef>(0, 5000, 2);
  EXPECT_EQ(shared->records(), 60000);
  EXPECT_EQ(reduced(), expected_);
}

TEST_F(Sharing, TakesWorkersAtTheSameTime) {
  SharedPartitions *shared = add_group();
  std::vector<std::thread> threads;
  for (i64 i = 0; i < 4; ++i) {
    threads.emplace_back([=] {
      Worker worker(shared);
      add<Key16>(i * 1000, i * 1000 + 30000, &worker);
      add<KeyRef>(0, 3000, &worker);
      worker.writer.flush();
    });
  }
  for (std::thread &thread : threads) thread.join();
  for (i64 i = 0; i < 4; ++i) expect<Key16>(i * 1000, i * 1000 + 30000);
  expect<KeyRef>(0, 3000, 4);
  EXPECT_EQ(reduced(), expected_);
}

TEST_F(Sharing, MergesWhatGroupsOfCpusHave) {
  for (i64 group = 0; group < 3; ++group) {
    Worker worker(add_group());
    add<Key16>(group * 100, 9000, &worker);
    add<Key32>(0, 100, &worker);
    worker.writer.flush();
    expect<Key16>(group * 100, 9000);
    expect<Key32>(0, 100);
  }
  EXPECT_EQ(reduced(), expected_);
}

TEST_F(Sharing, StagesWhatComesAfterItWasClosed) {
  SharedPartitions *shared = add_group();
  Worker worker(shared);
  add<Key16>(0, 20000, &worker);
  add<KeyRef>(0, 3000, &worker);
  EXPECT_TRUE(shared->close());
  EXPECT_FALSE(shared->close()) << "it was";
  add<Key16>(10000, 30000, &worker);
  worker.writer.flush();
  ASSERT_TRUE(shared->stage(&worker.overflow, INT64_MAX).is_ok());
  EXPECT_EQ(shared->used_bytes(), 0);

  shared_.clear();
  std::vector<std::unique_ptr<MapOutput>> outputs;
  outputs.push_back(std::make_unique<MapOutput>(ContainerSpec{}));
  outputs[0]->overflow = std::make_unique<OverflowBuffer>(std::move(worker.overflow));
  expect<Key16>(0, 20000);
  expect<Key16>(10000, 30000);
  expect<KeyRef>(0, 3000);
  EXPECT_EQ(reduced(std::move(outputs)), expected_);
}

TEST_F(Sharing, SpillsWhatItStagesBeyondAShare) {
  SharedPartitions *shared = add_group();
  Worker worker(shared);
  add<Key16>(0, 20000, &worker);
  worker.writer.flush();
  shared->close();
  ASSERT_TRUE(shared->stage(&worker.overflow, 100000).is_ok());
  EXPECT_GT(worker.overflow.spilled_records(), 0);
  EXPECT_EQ(worker.overflow.spilled_records() + worker.overflow.records(), 20000);
}

}  // namespace
}  // namespace mrc
