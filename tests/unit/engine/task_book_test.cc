#include "engine/inner/task_book.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using Kind = TaskBook::Step::Kind;

std::vector<i64> tasks(i64 count) { return std::vector<i64>(static_cast<size_t>(count), 100); }

// Gives a worker all that it can take; returns the tasks.
std::vector<i64> give(TaskBook *book, i64 worker, double now = 0) {
  std::vector<i64> given;
  for (;;) {
    const TaskBook::Step step = book->next(worker, now);
    if (step.kind != Kind::map) return given;
    given.push_back(step.task);
  }
}

void map_all(TaskBook *book, i64 worker, double now = 0) {
  while (book->current(worker) && book->busy_since(worker)) book->mapped(worker, now);
}

using Tasks = std::vector<i64>;

TEST(TaskBook, GivesTasksInOrderAndOneAhead) {
  TaskBook book(tasks(5));
  EXPECT_EQ(give(&book, 0), Tasks({0, 1}));
  EXPECT_EQ(give(&book, 1), Tasks({2, 3}));
  book.mapped(0, 1);
  EXPECT_EQ(book.current(0), 1);
  EXPECT_EQ(give(&book, 0), Tasks({4}));
}

TEST(TaskBook, WantsThemSealedWhenThereAreNoMore) {
  TaskBook book(tasks(2));
  give(&book, 0);
  book.mapped(0, 1);
  EXPECT_EQ(book.next(0, 1).kind, Kind::wait);
  book.mapped(0, 2);
  EXPECT_EQ(book.next(0, 2).kind, Kind::seal);
  EXPECT_FALSE(book.is_complete());
  EXPECT_TRUE(book.sealed(0).empty());
  EXPECT_TRUE(book.is_complete());
}

TEST(TaskBook, GivesWhatADeadWorkerHadOneByOne) {
  TaskBook book(tasks(4));
  give(&book, 0);
  book.mapped(0, 1);
  give(&book, 0);  // 0 is mapped, it is at 1, and has 2
  EXPECT_EQ(book.died(0, Death::fault).left_out, std::nullopt);
  EXPECT_EQ(give(&book, 1), Tasks({0}));
  EXPECT_EQ(give(&book, 0), Tasks({1}));
  book.mapped(1, 2);
  EXPECT_EQ(book.next(1, 2).kind, Kind::seal);
  book.sealed(1);
  EXPECT_EQ(give(&book, 1), Tasks({2}));
  EXPECT_EQ(book.repeated(), 3);
}

TEST(TaskBook, FirstWantsSealedWhatElseWouldBeLost) {
  TaskBook book(tasks(4));
  give(&book, 0);
  give(&book, 1);
  book.mapped(1, 1);
  book.died(0, Death::fault);
  EXPECT_EQ(book.next(1, 1).kind, Kind::wait);  // it is at 3
  book.mapped(1, 2);
  EXPECT_EQ(book.next(1, 2).kind, Kind::seal);
  book.sealed(1);
  EXPECT_EQ(give(&book, 1, 3), Tasks({0}));
}

// As long as it happens seldom.
TEST(TaskBook, GivesWhatAKilledWorkerHadLikeAnyOther) {
  TaskBook book(tasks(3));
  EXPECT_EQ(give(&book, 0), Tasks({0, 1}));
  book.died(0, Death::outside);
  EXPECT_EQ(give(&book, 1), Tasks({0, 1}));
  EXPECT_EQ(book.repeated(), 2);
  book.died(1, Death::outside);
  EXPECT_EQ(give(&book, 1), Tasks({0})) << "by itself, the second time";
}

TEST(TaskBook, LeavesOutWhatKillsTwice) {
  TaskBook book(tasks(2));
  give(&book, 0);
  EXPECT_EQ(book.died(0, Death::fault).left_out, std::nullopt);
  EXPECT_EQ(give(&book, 0), Tasks({0}));
  EXPECT_EQ(book.died(0, Death::fault).left_out, 0);
  EXPECT_EQ(give(&book, 0), Tasks({1}));
  map_all(&book, 0, 1);
  EXPECT_EQ(book.next(0, 1).kind, Kind::seal);
  book.sealed(0);
  EXPECT_TRUE(book.is_complete());
  EXPECT_EQ(book.left_out(), 1);
}

TEST(TaskBook, BlamesATaskThatKillsWhenItIsSealed) {
  TaskBook book(tasks(1));
  for (int time = 0; time < 2; ++time) {
    give(&book, 0);
    book.mapped(0, 1);
    EXPECT_EQ(book.next(0, 1).kind, Kind::seal);
    EXPECT_EQ(book.current(0), 0);
    EXPECT_EQ(book.died(0, Death::fault).left_out.has_value(), time == 1);
  }
  EXPECT_TRUE(book.is_complete());
}

TEST(TaskBook, ForgivesKillsOfOthers) {
  TaskBook book(tasks(1));
  for (i64 time = 1; time < TaskBook::kMostKillsInARow; ++time) {
    EXPECT_EQ(give(&book, 0), Tasks({0}));
    EXPECT_EQ(book.died(0, Death::outside).left_out, std::nullopt);
  }
  give(&book, 0);
  EXPECT_EQ(book.died(0, Death::outside).left_out, 0);
}

TEST(TaskBook, ForgivesMoreKillsIfOthersAreKilledToo) {
  TaskBook book(tasks(1));
  for (i64 time = 1; time < TaskBook::kMostKills; ++time) {
    EXPECT_EQ(give(&book, 0), Tasks({0}));
    EXPECT_EQ(book.died(0, Death::outside).left_out, std::nullopt);
    EXPECT_EQ(book.died(1, Death::outside).left_out, std::nullopt);
  }
  give(&book, 0);
  EXPECT_EQ(book.died(0, Death::outside).left_out, 0);
}

TEST(TaskBook, BlamesNothingForAWorkerThatHasNotBegun) {
  TaskBook book(tasks(1));
  for (int time = 0; time < 20; ++time) {
    EXPECT_EQ(give(&book, 0), Tasks({0}));
    EXPECT_EQ(book.died(0, Death::unneeded).left_out, std::nullopt);
  }
}

// Two workers, of which the second one is at the last task for long.
class SlowTask : public testing::Test {
 protected:
  SlowTask() : book_(tasks(3)) {
    give(&book_, 0);
    give(&book_, 1);
    map_all(&book_, 0, 0.01);
    EXPECT_EQ(book_.next(0, 0.01).kind, Kind::seal);
    book_.sealed(0);
  }
  TaskBook book_;
};

TEST_F(SlowTask, IsGivenToAnIdleWorkerToo) {
  EXPECT_EQ(book_.next(0, 0.05).kind, Kind::wait) << "it is not slow yet";
  EXPECT_EQ(give(&book_, 0, 1), Tasks({2}));
  EXPECT_EQ(book_.backups(), 1);
  book_.mapped(0, 1.01);
  EXPECT_EQ(book_.next(0, 1.01).kind, Kind::seal);
  EXPECT_EQ(book_.sealed(0), std::vector<i64>({1})) << "the slow worker must end";
  EXPECT_TRUE(book_.is_complete());
}

TEST_F(SlowTask, CountsWhenItsFirstWorkerIsFirst) {
  give(&book_, 0, 1);
  book_.mapped(1, 1.01);
  EXPECT_EQ(book_.next(1, 1.01).kind, Kind::seal);
  EXPECT_EQ(book_.sealed(1), std::vector<i64>({0}));
  book_.died(0, Death::unneeded);
  EXPECT_TRUE(book_.is_complete());
}

TEST_F(SlowTask, IsNotMappedAThirdTimeIfOneOfTheTwoDies) {
  give(&book_, 0, 1);
  book_.died(1, Death::outside);
  EXPECT_EQ(book_.next(1, 1).kind, Kind::wait);
  EXPECT_FALSE(book_.is_complete());
  book_.mapped(0, 1.1);
  book_.next(0, 1.1);
  EXPECT_TRUE(book_.sealed(0).empty());
  EXPECT_TRUE(book_.is_complete());
}

TEST_F(SlowTask, EndsBothIfItIsLeftOut) {
  book_.died(1, Death::fault);
  EXPECT_EQ(give(&book_, 1, 1), Tasks({2}));
  EXPECT_EQ(book_.next(0, 9).kind, Kind::wait) << "what has killed gets no second worker";
  EXPECT_EQ(book_.died(1, Death::fault).left_out, 2);
  EXPECT_TRUE(book_.is_complete());
}

TEST(TaskBook, GivesNoSecondWorkerIfThatIsNotWanted) {
  TaskBook book(tasks(2), false);
  give(&book, 0);
  book.mapped(0, 0.01);
  EXPECT_EQ(book.next(1, 100).kind, Kind::wait);
  EXPECT_EQ(book.backups(), 0);
}

TEST(TaskBook, ForgetsWhatNoneHasBegun) {
  TaskBook book(tasks(9));
  give(&book, 0);
  book.forget_from(4);
  EXPECT_EQ(give(&book, 1), Tasks({2, 3}));
  EXPECT_TRUE(give(&book, 2).empty());
  for (const i64 worker : {0, 1}) {
    map_all(&book, worker);
    book.next(worker, 0);
    book.sealed(worker);
  }
  EXPECT_TRUE(book.is_complete());
}

}  // namespace
}  // namespace mrc
