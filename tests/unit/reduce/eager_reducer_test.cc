#include "reduce/eager_reducer.h"

#include "sched/sched.h"
#include "unit/reduce/spilled_runs.h"

#include <chrono>
#include <thread>

namespace mrc {
namespace {

// Waits for other threads, but not forever.
template <typename Condition>
bool comes_true(Condition condition) {
  for (int i = 0; i < 20'000 && !condition(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return condition();
}

class ReducingEarly : public SpilledRuns {
 protected:
  EagerSpec spec() const {
    EagerSpec spec;
    spec.overflow = overflow_spec();
    return spec;
  }
  void make(const EagerSpec &spec) { reducer_ = std::make_unique<EagerReducer>(layout_, spec); }
  Status try_spill(i64 from = 0, i64 to = 3000) {
    auto buffer = records(from, to);
    Status status = reducer_->spill(buffer.get());
    buffer->clear(false);
    if (buffer->spilled_records() > 0) kept_.push_back(std::move(buffer));
    return status;
  }
  void spill(i64 runs) {
    for (i64 i = 0; i < runs; ++i) EXPECT_TRUE(try_spill().is_ok());
  }
  bool has_reduced(i64 runs) {
    return comes_true([&] { return reducer_->counts().runs == runs; });
  }
  // Of all runs together.
  void expect_totals() {
    std::vector<std::unique_ptr<MapOutput>> outputs;
    EXPECT_TRUE(reducer_->finish(&outputs).is_ok());
    for (auto &buffer : kept_) {
      outputs.push_back(std::make_unique<MapOutput>(ContainerSpec{}));
      outputs.back()->overflow = std::move(buffer);
    }
    EXPECT_EQ(reduced(outputs), expected_);
  }

  std::unique_ptr<EagerReducer> reducer_;
  Buffers kept_;  // with their owner
};

TEST_F(ReducingEarly, BeginsWhenEnoughRunsWait) {
  EagerSpec early = spec();
  make(early);
  for (i64 before = 0; before < 8; before += 4) {
    spill(3);
    EXPECT_EQ(reducer_->counts().runs, before);
    spill(1);
    ASSERT_TRUE(has_reduced(before + 4));
  }
  spill(7);
  EXPECT_EQ(reducer_->counts().launches, 2);
  spill(1);
  ASSERT_TRUE(has_reduced(16));
  expect_totals();
  EXPECT_EQ(reducer_->counts().launches, 3);
  EXPECT_EQ(reducer_->counts().records, 16 * 3000);
  EXPECT_EQ(reducer_->counts().left, 3 * 3000);
}

TEST_F(ReducingEarly, MayBeginWithEachRun) {
  EagerSpec one = spec();
  one.start = 1;
  make(one);
  for (i64 i = 1; i <= 3; ++i) {
    spill(1);
    ASSERT_TRUE(has_reduced(i));
  }
  EXPECT_EQ(reducer_->counts().launches, 3);
  expect_totals();
}

TEST_F(ReducingEarly, MayOnlySort) {
  EagerSpec sorts = spec();
  sorts.folds = false;
  make(sorts);
  spill(4);
  ASSERT_TRUE(has_reduced(4));
  expect_totals();
  EXPECT_EQ(reducer_->counts().left, 4 * 3000);
}

TEST_F(ReducingEarly, BeginsNothingShortlyBeforeTheEnd) {
  EagerSpec all = spec();
  all.input_bytes = 1000;
  make(all);
  reducer_->add_mapped(899);
  spill(4);
  ASSERT_TRUE(has_reduced(4));
  reducer_->add_mapped(1);
  spill(4);
  EXPECT_TRUE(comes_true([&] { return reducer_->counts().refused == 1; }));
  spill(3);
  expect_totals();
  EXPECT_EQ(reducer_->counts().launches, 1);
  EXPECT_EQ(reducer_->counts().refused, 1);
}

TEST_F(ReducingEarly, KnowsNoEndOfStreams) {
  make(spec());
  reducer_->add_mapped(1 << 30);
  spill(4);
  EXPECT_TRUE(has_reduced(4));
  expect_totals();
}

TEST_F(ReducingEarly, HasTheLeastPriorityIfAsked) {
  for (const bool low : {true, false}) {
    EagerSpec priority = spec();
    priority.low_priority = low;
    expected_.clear();
    make(priority);
    spill(4);
    ASSERT_TRUE(has_reduced(4));
    expect_totals();
    EXPECT_EQ(reducer_->counts().nice, low ? 19 : nice_value());
  }
}

// Too many open files would be worse than runs that are not reduced early.
TEST_F(ReducingEarly, LeavesRunsWithTheirOwnersIfTooManyWait) {
  EagerSpec late = spec();
  late.input_bytes = 1;
  make(late);
  reducer_->add_mapped(1);
  spill(EagerReducer::kMostWaiting + 5);
  EXPECT_EQ(kept_.size(), 5u);
  expect_totals();
}

TEST_F(ReducingEarly, TellsWorkersThatItCannotWrite) {
  EagerSpec nowhere = spec();
  nowhere.overflow.tmpdir = folder_.path("none");
  make(nowhere);
  EXPECT_FALSE(try_spill().is_ok());
}

// What is under way is completed, on other threads if its own have the least priority.
TEST_F(ReducingEarly, CompletesWhatItHasBegun) {
  for (const bool low : {true, false}) {
    EagerSpec several = spec();
    several.start = 1;
    several.most_at_once = 3;
    several.low_priority = low;
    several.memory_bytes = 0;
    expected_.clear();
    make(several);
    for (i64 i = 0; i < 20; ++i) EXPECT_TRUE(try_spill(0, 30'000).is_ok());
    ASSERT_TRUE(comes_true([&] { return reducer_->counts().launches > 0; }));
    expect_totals();
    EXPECT_GE(reducer_->counts().left, 30'000 * reducer_->counts().launches);
  }
}

TEST_F(ReducingEarly, MayBeLeftWithWorkUnderWay) {
  EagerSpec one = spec();
  one.start = 1;
  one.most_at_once = 3;
  make(one);
  spill(20);
  reducer_->stop();
  reducer_.reset();
}

// Counts, but waits in its first calls until as many threads are there as are wanted.
class Meeting {
 public:
  static void expect(int threads) {
    wanted_ = threads;
    there_ = 0;
  }
  static void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
    thread_local int met = -1;
    if (std::exchange(met, wanted_) != wanted_) {
      ++there_;
      EXPECT_TRUE(comes_true([] { return there_ >= wanted_; }));
    }
    ReducerArena own(arena);
    kCount.add(&part, states, values, n, &own);
  }
  static void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
    ReducerArena own(arena);
    kCount.merge(&part, into, from, n, &own);
  }

 private:
  static inline std::atomic<int> wanted_ = 0, there_ = 0;
};
const Reducer kMeetingCount = make_reducer<&Meeting::add, &Meeting::merge>(8);

TEST_F(ReducingEarly, IsOneAtATimeUnlessItIsNotStaggered) {
  const StateLayout meeting({{{&kMeetingCount}}, {count_column(0)}, {}});
  for (const int most : {1, 2, 3}) {
    Meeting::expect(most);
    EagerSpec several = spec();
    several.start = 1;
    several.most_at_once = most;
    expected_.clear();
    reducer_ = std::make_unique<EagerReducer>(meeting, several);
    for (i64 i = 1; i <= 6; ++i) {
      spill(1);
      if (i <= most) {
        ASSERT_TRUE(has_reduced(i));
      }
    }
    expect_totals();
    EXPECT_EQ(reducer_->counts().most_at_once, most);
  }
}

}  // namespace
}  // namespace mrc
