#include "base/number.h"
#include "combine/histogram.h"
#include "reduce/reduce.h"
#include "unit/map/padded_text.h"
#include "unit/reduce/totalled.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using Outputs = std::vector<std::unique_ptr<MapOutput>>;
using HashOf = u64 (*)(i64 number);

class Reducing : public testing::Test {
 protected:
  static std::unique_ptr<MapOutput> make_output(const ContainerType *type = &kFlatContainer) {
    return std::make_unique<MapOutput>(ContainerSpec{.type = type});
  }

  // Counts numbers [from, to) in a worker's output, as keys of one class.
  template <typename Key>
  void count(MapOutput *output, i64 from, i64 to, HashOf hash_of) {
    static NumberedKeys<Key> keys;
    std::vector<Numbered> content;
    for (i64 i = from; i < to; ++i) {
      content.push_back({i, hash_of(i)});
      ++expected_[NumberedKeys<Key>::text(i)];
    }
    std::vector<State *> states(Batch<Key>::kCapacity);
    by_batch(content, 1024, [&](const std::vector<Numbered> &some) {
      output->groups.container<Key>().group(*make_batch(&keys, some), states.data());
      layout_.add(states.data(), {}, static_cast<i64>(some.size()), &output->arena);
    });
  }

  // The same as staged records, in one partition.
  template <typename Key>
  void stage(MapOutput *output, i64 from, i64 to, HashOf hash_of) {
    OverflowSpec spec;
    spec.shape.state_bytes = layout_.state_bytes();
    if (!output->overflow) output->overflow = std::make_unique<OverflowBuffer>(spec);
    NumberedKeys<Key> keys;
    std::vector<Numbered> content;
    for (i64 i = from; i < to; ++i) {
      content.push_back({i, hash_of(i)});
      ++expected_[NumberedKeys<Key>::text(i)];
    }
    by_batch(content, 1024, [&](const std::vector<Numbered> &some) {
      output->overflow->append_all(*make_batch(&keys, some));
    });
  }

  void expect_totals(int bits) {
    Totalled sink;
    PartitionReducer reducer(outputs_, {}, layout_, &arena_);
    for (i64 partition = 0; partition < i64{1} << bits; ++partition) {
      EXPECT_TRUE(reducer.reduce({partition, bits}, &sink).is_ok());
    }
    EXPECT_EQ(sink.totals, expected_) << "bits " << bits;
  }

  StateLayout layout_{count_aggregation()};
  Outputs outputs_;
  Arena arena_;
  Totals expected_;
};

TEST_F(Reducing, AddsUpEachKeyOfAllWorkersOnce) {
  for (int i = 0; i < 4; ++i) outputs_.push_back(make_output());
  outputs_.insert(outputs_.begin() + 1, nullptr);
  outputs_.push_back(nullptr);
  count<Key16>(outputs_[0].get(), 0, 3000, spread);
  count<Key16>(outputs_[2].get(), 1000, 5000, spread);
  count<Key16>(outputs_[3].get(), 0, 10, spread);
  count<Key32>(outputs_[2].get(), 0, 2500, spread);
  count<Key32>(outputs_[3].get(), 2000, 4000, spread);
  count<KeyRef>(outputs_[0].get(), 0, 2000, spread);
  count<KeyRef>(outputs_[3].get(), 0, 2100, spread);
  count<KeyRef>(outputs_[3].get(), 1500, 1600, spread);
  for (int bits = 0; bits <= 12; ++bits) expect_totals(bits);
  expect_totals(16);
}

TEST_F(Reducing, AddsUpWhatContainersOfAnyKindShow) {
  for (const ContainerType *type : all_containers()) {
    SCOPED_TRACE(type->name);
    outputs_.clear();
    expected_.clear();
    for (int i = 0; i < 2; ++i) {
      outputs_.push_back(make_output(type));
      MapOutput *output = outputs_.back().get();
      for (i64 from : {0, 500, 0}) {
        count<Key16>(output, from, from + 1000, spread);
        count<Key32>(output, from, from + 1000, spread);
        count<KeyRef>(output, from, from + 1000, spread);
      }
      output->groups.seal([&](State *const *into, State *const *from, i64 n) {
        layout_.merge(into, from, n, &output->arena);
      });
    }
    for (int bits : {0, 4, 9}) expect_totals(bits);
  }
}

TEST_F(Reducing, TakesHashesThatCollideOrCrowdAtTheEnds) {
  for (int i = 0; i < 3; ++i) outputs_.push_back(make_output());
  for (HashOf hash_of : {HashOf([](i64) { return ~u64{0}; }), HashOf([](i64) { return u64{0}; }),
                         HashOf([](i64 i) { return ~static_cast<u64>(i); }),
                         HashOf([](i64 i) { return static_cast<u64>(i) << 63; })}) {
    for (auto &output : outputs_) output = make_output();
    expected_.clear();
    count<Key16>(outputs_[0].get(), 0, 200, hash_of);
    count<Key16>(outputs_[1].get(), 100, 300, hash_of);
    count<Key32>(outputs_[1].get(), 0, 200, hash_of);
    count<Key32>(outputs_[2].get(), 0, 200, hash_of);
    count<KeyRef>(outputs_[0].get(), 0, 200, hash_of);
    count<KeyRef>(outputs_[2].get(), 150, 250, hash_of);
    for (int bits : {0, 1, 3, 8, 16}) expect_totals(bits);
  }
}

// As an attacker that knows the seed can make them.
TEST_F(Reducing, DividesKeysThatShareOneHash) {
  const HashOf one = [](i64) { return u64{0x123456789ABCDEF0}; };
  for (int i = 0; i < 2; ++i) outputs_.push_back(make_output());
  stage<Key16>(outputs_[0].get(), 0, 10000, one);
  stage<Key32>(outputs_[1].get(), 0, 10000, one);
  stage<KeyRef>(outputs_[0].get(), 0, 10000, one);
  stage<KeyRef>(outputs_[1].get(), 5000, 9000, one);
  Totalled sink;
  PartitionReducer reducer(outputs_, {}, layout_, &arena_, 1);
  i64 parts = 0;
  const Status status = reducer.reduce({0, 0}, &sink, [&] {
    ++parts;
    return Status::ok();
  });
  ASSERT_TRUE(status.is_ok()) << status.message();
  EXPECT_EQ(sink.totals, expected_);
  EXPECT_GT(reducer.divisions(), 0);
  EXPECT_LT(reducer.divisions(), 10);
  EXPECT_GT(parts, 2 * reducer.divisions());
}

// Each record is read again, and written, once for each division that it goes through.
TEST_F(Reducing, DividesKeysThatDoNotFitAmongManyPartsAtOnce) {
  outputs_.push_back(make_output());
  stage<Key16>(outputs_[0].get(), 0, 100000, spread);
  stage<Key16>(outputs_[0].get(), 50000, 60000, spread);
  Totalled sink;
  PartitionReducer reducer(outputs_, {}, layout_, &arena_, 1);
  ASSERT_TRUE(reducer.reduce({0, 0}, &sink).is_ok());
  EXPECT_EQ(sink.totals, expected_);
  EXPECT_EQ(reducer.divisions(), 1);
}

TEST_F(Reducing, HandsOnNothingOfNothing) {
  expect_totals(0);
  outputs_.push_back(nullptr);
  outputs_.push_back(make_output());
  for (int bits : {0, 3}) expect_totals(bits);
}

TEST_F(Reducing, LeavesTheGroupsOfTheWorkersAsTheyWere) {
  for (int i = 0; i < 2; ++i) outputs_.push_back(make_output());
  count<Key16>(outputs_[0].get(), 0, 100, spread);
  count<KeyRef>(outputs_[1].get(), 0, 100, spread);
  count<KeyRef>(outputs_[0].get(), 0, 100, spread);
  expect_totals(2);
  expect_totals(2);
}

// Rows borrow the bytes of long keys for as long as the groups live.
TEST_F(Reducing, HandsOnLongKeysThatOutliveTheReducer) {
  class Keeper : public GroupSink {
   public:
    void take(Bytes key, const State *) override { keys.push_back(key); }
    std::vector<Bytes> keys;
  } keeper;
  outputs_.push_back(make_output());
  count<KeyRef>(outputs_[0].get(), 0, 500, spread);
  {
    PartitionReducer reducer(outputs_, {}, layout_, &arena_);
    EXPECT_TRUE(reducer.reduce({0, 1}, &keeper).is_ok());
    EXPECT_TRUE(reducer.reduce({1, 1}, &keeper).is_ok());
  }
  ASSERT_EQ(keeper.keys.size(), 500u);
  for (Bytes key : keeper.keys) EXPECT_TRUE(expected_.contains(std::string(key))) << key;
}

// Workers with little memory stage the state of a key again and again. A histogram is stored in
// some bytes, and takes many times as much in memory.
TEST(ReducingOneKey, HoldsItsStateOnceHoweverOftenItWasStaged) {
  constexpr i64 kStates = 2000, kMemory = i64{2} << 20;
  Aggregation aggregation{{{&kHistogram}}, {histogram_count_column(0)}, {}};
  const StateLayout layout(std::move(aggregation));
  Outputs outputs;
  outputs.push_back(std::make_unique<MapOutput>(ContainerSpec{}));
  OverflowSpec spec;
  spec.shape.state_bytes = layout.state_bytes();
  outputs[0]->overflow = std::make_unique<OverflowBuffer>(spec);
  Arena wide;
  for (i64 i = 0; i < kStates; ++i) {
    Arena arena;
    std::vector<u64> words(static_cast<size_t>(layout.state_bytes()) / 8);
    auto *state = reinterpret_cast<State *>(words.data());
    for (const std::string number : {"0", "16000"}) {
      const u64 word = parse_number(PaddedText(number, 'x').text(), &wide);
      layout.add(&state, {&word, 1}, 1, &arena);
    }
    std::string saved;
    layout.save(state, &saved);
    outputs[0]->overflow->append({7, "key", true, state, saved});
  }
  class Count : public GroupSink {
   public:
    void take(Bytes, const State *state) override { numbers += numbers_of(state); }
    u64 numbers = 0;
  } sink;
  Arena states;
  PartitionReducer reducer(outputs, {}, layout, &states, kMemory);
  ASSERT_TRUE(reducer.reduce({0, 0}, &sink).is_ok());
  EXPECT_EQ(sink.numbers, 2 * kStates);
  EXPECT_LE(states.size(), 8 * kMemory);
}

TEST(ChoosePartitionBits, AreNoneForFewKeys) {
  for (i64 keys : {0, 1, 1000, 8192}) {
    for (i64 workers : {1, 8, 1024}) EXPECT_EQ(choose_partition_bits(keys, workers), 0);
  }
}

TEST(ChoosePartitionBits, AreEnoughToShareOut) {
  for (i64 workers : {1, 2, 5, 64, 256}) {
    const i64 keys = 20000 * workers;  // in tables of all
    EXPECT_GE(1 << choose_partition_bits(keys, workers), 4 * workers);
    EXPECT_LT(1 << choose_partition_bits(keys, workers), 8 * workers);
  }
  EXPECT_EQ(choose_partition_bits(i64{1} << 40, 1 << 20), 16);
  EXPECT_GE(1 << choose_partition_bits(110000, 1), 110000 / 8192);
}

TEST(ChoosePartitionBits, AreFewerWhereEachHasLittleOfAWorker) {
  EXPECT_EQ(1 << choose_partition_bits(256 * 400, 256), 32);
  EXPECT_EQ(choose_partition_bits(10000, 1024), 0) << "ten keys of each worker";
  EXPECT_EQ(1 << choose_partition_bits(2 * 5000, 2), 8);
}

}  // namespace
}  // namespace mrc
