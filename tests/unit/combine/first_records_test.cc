#include "combine/first_records.h"

#include "combine/value_runs.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>

namespace mrc {
namespace {

using Random = std::mt19937_64;

struct KeyedRecord {
  u64 position;
  std::string text;
  bool operator<(const KeyedRecord &other) const { return position < other.position; }
};
using KeyedRecords = std::vector<KeyedRecord>;

class FirstRecords : public testing::Test {
 protected:
  using Words = std::vector<u64>;

  void keep(i64 most, ValueRuns *runs) {
    std::vector<ValueColumn> values;
    Aggregation aggregation;
    add_first_records({}, most, &values, &aggregation);
    ASSERT_EQ(values.size(), 2u) << "the record, and its position";
    layout_ = std::make_unique<StateLayout>(std::move(aggregation), runs);
  }
  Words empty() const { return Words(static_cast<size_t>(layout_->state_bytes()) / 8); }
  static State *state_in(Words *words) { return reinterpret_cast<State *>(words->data()); }

  void add(const KeyedRecord &record, Words *into) {
    const PaddedText padded(record.text, 'x');
    const mrc_text text{padded.text().data(), padded.text().size()};
    const u64 words[] = {mrc_text_word(&text), record.position};
    State *const state = state_in(into);
    layout_->add(&state, ValueRows{{words, 2}}, 1, &arena_);
  }
  void merge(Words *into, Words *from) {
    State *const a = state_in(into), *const b = state_in(from);
    layout_->merge(&a, &b, 1, &arena_);
  }
  void reload(Words *words) {
    std::string saved;
    layout_->save(state_in(words), &saved);
    layout_->load(state_in(words), saved, &arena_);
  }
  std::vector<std::string> shown(Words *words) const {
    std::vector<std::string> records;
    each_record(layout_->aggregation().parts[0], state_in(words),
                [&](Bytes record) { records.emplace_back(record); });
    return records;
  }
  static std::vector<std::string> naive(KeyedRecords records, i64 most) {
    std::sort(records.begin(), records.end());
    std::vector<std::string> texts;
    for (const KeyedRecord &record : records) {
      if (std::ssize(texts) < most) texts.push_back(record.text);
    }
    return texts;
  }

  Random random_{first_seed()};
  std::unique_ptr<StateLayout> layout_;
  Arena arena_;
};

KeyedRecords random_keyed_records(Random *random) {
  KeyedRecords records;
  for (u64 position = 0, left = (*random)() % 300; left > 0; --left) {
    position += 1 + (*random)() % 50;
    const size_t size = (*random)() % ((*random)() % 4 == 0 ? 300 : 20);
    records.push_back({position, std::string(size, static_cast<char>((*random)() % 256))});
  }
  return records;
}

TEST_F(FirstRecords, AreThoseOfTheInputInAnyOrderOfWork) {
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(first_seed()) + ", round " + std::to_string(round));
    ValueRuns runs("/tmp", 0);
    const i64 most = 1 + static_cast<i64>(random_() % (round % 2 == 0 ? 5 : 400));
    keep(most, round % 3 == 0 ? nullptr : &runs);
    const KeyedRecords records = random_keyed_records(&random_);
    std::vector<Words> workers(1 + random_() % 5, empty());
    KeyedRecords dealt = records;
    if (random_() % 2 == 0) std::shuffle(dealt.begin(), dealt.end(), random_);
    for (const KeyedRecord &record : dealt) {
      Words &worker = workers[random_() % workers.size()];
      add(record, &worker);
      if (random_() % 30 == 0) reload(&worker);
      if (random_() % 30 == 0) layout_->bound(state_in(&worker));
    }
    for (size_t i = 1; i < workers.size(); ++i) merge(&workers[0], &workers[i]);
    EXPECT_EQ(shown(&workers[0]), naive(records, most));
    reload(&workers[0]);
    EXPECT_EQ(shown(&workers[0]), naive(records, most));
    if (HasFailure()) return;
  }
}

TEST_F(FirstRecords, MoveWithTheirInputs) {
  keep(2, nullptr);
  Words one = empty(), other = empty();
  add({5, "moved"}, &one);
  add({6, "beyond"}, &one);
  layout_->shift(state_in(&one), 100);
  add({50, "first"}, &other);
  merge(&one, &other);
  EXPECT_EQ(shown(&one), (std::vector<std::string>{"first", "moved"}));
}

TEST_F(FirstRecords, OfNothing) {
  keep(3, nullptr);
  Words none = empty();
  EXPECT_TRUE(shown(&none).empty());
  std::string saved;
  layout_->save(state_in(&none), &saved);
  EXPECT_EQ(saved, std::string(8, '\0')) << "nothing but its size";
}

}  // namespace
}  // namespace mrc
