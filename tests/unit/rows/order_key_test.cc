#include "rows/order_key.h"

#include "combine/group_batch.h"
#include "rows/inner/row_runs.h"
#include "support/temporary_folder.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

namespace mrc {
namespace {

using Random = std::mt19937_64;

#ifdef MRC_SANITIZED
constexpr int kRounds = 20;
#else
constexpr int kRounds = 150;
#endif

// A group with a key of three parts and two results, one of them text.
struct Group {
  std::string word, number, other;
  u64 count;
  std::string text;

  auto operator<=>(const Group &) const = default;
};

const KeyShape kThreeParts = {{{"word"}, {"number", true}, {"other"}}};

// Of the state: eight bytes are a count, eight are text, padded with zeros.
void finish_text(const Column &, const State *own, Notation, std::string *out) {
  const char *text = reinterpret_cast<const char *>(own);
  out->append(text, strnlen(text, 8));
}

// All alike: only the text itself can tell.
u64 no_rank(const Column &, const State *) { return 0; }

Aggregation count_and_text() {
  return {{{&kCount}, {&kCount}}, {count_column(0), {"text", finish_text, no_rank, 1, true}}, {}};
}

std::string key_of(const Group &group) {
  std::string key;
  append_key_part(kThreeParts.parts[0], group.word, &key);
  append_key_part(kThreeParts.parts[1], group.number, &key);
  append_key_part(kThreeParts.parts[2], group.other, &key);
  return key;
}

Group group_of(Bytes key, const State *state) {
  Group group;
  take_key_part(kThreeParts.parts[0], &key, &group.word);
  take_key_part(kThreeParts.parts[1], &key, &group.number);
  take_key_part(kThreeParts.parts[2], &key, &group.other);
  std::memcpy(&group.count, state, 8);
  finish_text({}, state + 8, Notation::text, &group.text);
  return group;
}

std::string short_text(Random *random, size_t longest) {
  return random_text(random, {"a", "b", "B", "\x01", "\xFF"}, (*random)() % (longest + 1));
}

std::vector<Group> random_groups(Random *random, size_t most) {
  std::set<std::string> keys;  // of groups none is there twice
  std::vector<Group> groups;
  for (size_t n = (*random)() % (most + 1); n > 0; --n) {
    Group group{short_text(random, 2), std::to_string(static_cast<i64>((*random)() % 21) - 10),
                short_text(random, 2), (*random)() % 4, short_text(random, 3)};
    if ((*random)() % 8 == 0) group.word += std::string(40, 'w');
    if (keys.insert(key_of(group)).second) groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<OrderTerm> random_terms(Random *random) {
  std::vector<OrderTerm> terms;
  for (size_t n = 1 + (*random)() % 4; n > 0; --n) {
    const i64 which = static_cast<i64>((*random)() % 5);
    const bool descending = (*random)() % 2 == 0;
    terms.push_back(which < 3 ? OrderTerm{.part = which, .descending = descending}
                              : OrderTerm{.column = which - 3, .descending = descending});
  }
  return terms;
}

int compare(const Group &a, const Group &b, const OrderTerm &term) {
  const i64 x = std::stoll(a.number), y = std::stoll(b.number);
  const int order = term.part == 0     ? a.word.compare(b.word)
                    : term.part == 1   ? (x > y) - (x < y)
                    : term.part == 2   ? a.other.compare(b.other)
                    : term.column == 0 ? (a.count > b.count) - (a.count < b.count)
                                       : a.text.compare(b.text);
  return term.descending ? -order : order;
}

void sort_naively(const std::vector<OrderTerm> &terms, std::vector<Group> *groups) {
  std::vector<OrderTerm> all = {{.part = 0}, {.part = 1}, {.part = 2}};  // ties by key
  for (size_t i = all.size(); i-- > 0;) {
    std::stable_sort(groups->begin(), groups->end(),
                     [&](const Group &a, const Group &b) { return compare(a, b, all[i]) < 0; });
  }
  for (size_t i = terms.size(); i-- > 0;) {
    std::stable_sort(groups->begin(), groups->end(),
                     [&](const Group &a, const Group &b) { return compare(a, b, terms[i]) < 0; });
  }
}

class ComposedOrder : public testing::Test {
 protected:
  void add(const std::vector<Group> &groups) {
    OrderKeyComposer composer(order_, kThreeParts, layout_);
    for (const Group &group : groups) {
      u64 state[2] = {group.count, 0};
      std::memcpy(&state[1], group.text.data(), group.text.size());
      const std::string key = key_of(group);
      groups_.clear();
      groups_.add(key, reinterpret_cast<const State *>(state));
      composer.compose(&groups_, 0);
      stores_[random_() % stores_.size()].add(order_prefix(order_, composer.key(), 0),
                                              composer.key(), composer.state());
    }
  }
  void fill(const std::vector<Group> &groups) {
    stores_.clear();
    for (int i = 0; i < 3; ++i) stores_.emplace_back(rows_, KeyBytes::copied);
    add(groups);
  }
  void append_groups(const Rows &rows, std::vector<Group> *groups) const {
    for (const Row &row : rows) {
      groups->push_back(group_of(rows_.payload(row), rows_.state(row)));
    }
  }

  Random random_;
  StateLayout layout_{count_and_text()};
  GroupBatch groups_{layout_};
  RowLayout rows_ = OrderKeyComposer::layout(layout_);
  Order order_;
  std::deque<RowStore> stores_;
};

TEST_F(ComposedOrder, IsThatOfTheTermsInMemoryAndInRuns) {
  TemporaryFolder folder;
  WorkerPool pool(2);
  for (int round = 0; round < kRounds; ++round) {
    const u64 seed = first_seed() + static_cast<u64>(round);
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    random_.seed(seed);
    order_.terms = random_terms(&random_);
    const std::vector<Group> groups = random_groups(&random_, round % 10 == 0 ? 12000 : 300);
    std::vector<Group> expected = groups, sorted, loaded;
    sort_naively(order_.terms, &expected);

    fill(groups);
    std::vector<RowStore *> stores;
    for (RowStore &store : stores_) stores.push_back(&store);
    Result<Rows> rows = sort_rows(stores, order_, rows_, &pool);
    ASSERT_TRUE(rows.is_ok());
    append_groups(*rows, &sorted);
    ASSERT_TRUE(sorted == expected);

    fill(groups);
    RowRuns runs(order_, rows_, &layout_, folder.path("."), 4096);
    for (RowStore &store : stores_) ASSERT_TRUE(runs.spill(&store).is_ok());
    RangeBuffers buffers(rows_);
    const std::unique_ptr<RunRanges> ranges = runs.ranges();
    ASSERT_TRUE(ranges->cut(10000).is_ok());
    for (i64 range = 0; range < ranges->size(); ++range) {
      ASSERT_TRUE(ranges->load(range, &buffers).is_ok());
      append_groups(buffers.store.rows(), &loaded);
    }
    ASSERT_TRUE(loaded == expected);
  }
}

TEST_F(ComposedOrder, GivesBackKeysThatAreOnePlainPart) {
  const KeyShape plain = {{{"word"}}};
  order_.terms = {{.column = 1, .descending = true}, {.part = 0, .descending = true}};
  OrderKeyComposer composer(order_, plain, layout_);
  RowStore store(rows_, KeyBytes::copied);
  const u64 state[2] = {7, 'x'};
  const std::string keys[] = {"", "a", std::string(2, '\0'), std::string(100, 'k')};
  for (const std::string &key : keys) {
    groups_.clear();
    groups_.add(key, reinterpret_cast<const State *>(state));
    composer.compose(&groups_, 0);
    store.add(0, composer.key(), composer.state());
  }
  for (i64 i = 0; i < 4; ++i) EXPECT_EQ(rows_.payload(store.rows()[i]), keys[i]);
}

}  // namespace
}  // namespace mrc
