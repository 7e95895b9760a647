#include "rows/group_numbers.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

namespace mrc {
namespace {

constexpr RowLayout kLayout{.state_bytes = sizeof(RowLayout::Parts), .parts = true};

Unit unit(i64 source, i64 number, bool last) {
  return {.source = source, .number = number, .last = last};
}

// The rows of one worker, whose payload is the name of the group.
class Records {
 public:
  explicit Records(GroupNumbers *numbers) : worker_(*numbers->add_worker()) {}

  void begin(i64 source, i64 number, bool last) { worker_.begin_unit(unit(source, number, last)); }
  Status end() { return worker_.end_unit(); }
  void leave() { worker_.end(); }
  void add(Bytes group) {
    std::string key;
    worker_.append(group, &key);
    RowLayout::Parts parts{static_cast<u32>(key.size()), static_cast<u32>(key.size())};
    key.append(group);
    rows_.add(order_prefix({}, key, 0), key, reinterpret_cast<State *>(&parts));
  }
  // Returns the numbers and names of all groups of rows.
  std::string settled() {
    worker_.settle(&rows_);
    std::string text;
    for (const Row &row : rows_.rows()) {
      const Bytes order = kLayout.order_bytes(row);
      EXPECT_EQ(static_cast<u8>(order[3]), row.prefix >> 32);
      text += std::to_string(row.prefix >> 32) + std::string(kLayout.payload(row)) + " ";
    }
    return text;
  }

 private:
  GroupNumbers::Worker &worker_;
  RowStore rows_{kLayout, KeyBytes::copied};
};

TEST(GroupNumbers, AreByFirstSightInTheOrderOfTheInput) {
  GroupNumbers numbers({true, false, true}, 2, INT64_MAX);
  Records first(&numbers), second(&numbers);
  second.begin(0, 1, true);
  for (const char *group : {"c", "a", "d"}) second.add(group);
  EXPECT_TRUE(second.end().is_ok());
  first.begin(0, 0, false);
  for (const char *group : {"a", "b", "a"}) first.add(group);
  EXPECT_TRUE(first.end().is_ok());
  second.begin(2, 0, true);
  for (const char *group : {"a", "e", "c"}) second.add(group);
  EXPECT_EQ(second.settled(), "2c 0a 3d 0a 4e 2c ") << "within a unit";
  second.add("f");
  EXPECT_TRUE(second.end().is_ok());
  EXPECT_EQ(second.settled(), "2c 0a 3d 0a 4e 2c 5f ");
  EXPECT_EQ(first.settled(), "0a 1b 0a ");
}

TEST(GroupNumbers, WaitForTheUnitsBefore) {
  GroupNumbers numbers({true}, 2, INT64_MAX);
  Records second(&numbers);
  second.begin(0, 1, true);
  second.add("b");
  std::thread other([&] {
    Records first(&numbers);
    first.begin(0, 0, false);
    first.add("a");
    EXPECT_TRUE(first.end().is_ok());
  });
  EXPECT_EQ(second.settled(), "1b ");
  other.join();
}

TEST(GroupNumbers, DoNotWaitOnceTheScanStops) {
  GroupNumbers numbers({true}, 2, INT64_MAX);
  Records second(&numbers);
  second.begin(0, 1, true);
  second.add("b");
  std::thread other([&] { numbers.stop(); });
  std::string group;
  GroupNumbers::Worker *worker = numbers.add_worker();
  worker->begin_unit(unit(0, 2, true));
  worker->append("c", &group);
  RowStore none(kLayout, KeyBytes::copied);
  worker->settle(&none);
  other.join();
}

TEST(GroupNumbers, AreThoseOfTheUnitsThatAreThereIfTheInputEndsEarly) {
  GroupNumbers numbers({true, true}, 3, INT64_MAX);
  Records first(&numbers), second(&numbers);
  second.begin(1, 0, false);
  for (const char *group : {"c", "a"}) second.add(group);
  EXPECT_TRUE(second.end().is_ok());
  first.begin(0, 1, false);
  for (const char *group : {"a", "b"}) first.add(group);
  numbers.add_worker()->end();
  std::thread other([&] { EXPECT_EQ(second.settled(), "2c 0a "); });
  EXPECT_EQ(first.settled(), "0a 1b ");
  EXPECT_TRUE(first.end().is_ok());
  EXPECT_EQ(first.settled(), "0a 1b ");
  first.leave();
  other.join();
}

TEST(GroupNumbers, KeepWithinMemory) {
  GroupNumbers numbers({true}, 1, 100'000);
  Records records(&numbers);
  records.begin(0, 0, true);
  for (int i = 0; i < 10'000; ++i) records.add(std::to_string(i));
  EXPECT_NE(records.end().message().find("10000 groups take more than 100000 bytes"),
            std::string::npos);
}

}  // namespace
}  // namespace mrc
