#include "combine/row_list.h"

#include "support/seed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <random>

namespace mrc {
namespace {

using std::string;

// Rows of an integer and a text, after an unused column, and before two that order them.
struct TestRow {
  u64 position, number;
  i64 integer;
  std::optional<string> text;

  friend bool operator==(const TestRow &, const TestRow &) = default;
};

class RowLists {
 public:
  explicit RowLists(int64_t (*combine)(const mrc_part *, uint64_t *, int64_t, int64_t) = nullptr)
      : spec_{&reducer_, nullptr, {MRC_INTEGER, MRC_TEXT}},
        layout_({{Part(&kRowList, 1, 3, &spec_)}, {}, {}}) {
    reducer_.combine = combine;
  }

  struct List {
    std::vector<u64> words = std::vector<u64>(sizeof(u64) * 4 / 8);
    std::shared_ptr<Arena> arena = std::make_shared<Arena>();
    State *state() { return reinterpret_cast<State *>(words.data()); }
  };

  // Texts are gone afterwards.
  void add(const std::vector<TestRow> &rows, List *list) {
    for (const TestRow &row : rows) {
      string copy = row.text.value_or("");
      const mrc_text text = {row.text ? copy.data() : nullptr, copy.size()};
      const u64 words[] = {99, static_cast<u64>(row.integer), mrc_text_word(&text), row.position,
                           row.number};
      State *state = list->state();
      layout_.add(&state, {words, 5}, 1, list->arena.get());
      std::fill(copy.begin(), copy.end(), '?');
    }
  }
  void merge(List *into, List *from) {
    State *a = into->state(), *b = from->state();
    layout_.merge(&a, &b, 1, into->arena.get());
  }
  List reloaded(List *list) {
    string saved;
    layout_.save(list->state(), &saved);
    List loaded{list->words};
    layout_.load(loaded.state(), saved, loaded.arena.get());
    return loaded;
  }
  // Without what orders them.
  std::vector<TestRow> rows(List *list) {
    const SortedRows sorted = rows_of(spec_, list->state());
    EXPECT_EQ(sorted.width, 2);
    std::vector<TestRow> rows;
    for (i64 i = 0; i < sorted.count; ++i) {
      const mrc_text text = mrc_word_text(sorted.words[static_cast<size_t>(2 * i + 1)]);
      rows.push_back(
          {0, 0, static_cast<i64>(sorted.words[static_cast<size_t>(2 * i)]),
           text.data == nullptr ? std::nullopt : std::optional(string(text.data, text.size))});
    }
    return rows;
  }

 private:
  Reducer reducer_{};
  RowListSpec spec_;
  StateLayout layout_;
};

std::vector<TestRow> random_rows(std::mt19937_64 *random, i64 count) {
  constexpr i64 kSizes[] = {0, 1, 7, 8, 15, 16, 100, 65534, 65535, 70000};
  std::vector<TestRow> rows;
  for (i64 i = 0; i < count; ++i) {
    const u64 word = (*random)();
    const i64 size = word % 50 == 0 ? kSizes[word / 50 % 10] : kSizes[word / 50 % 7];
    std::optional<string> text;
    if (word % 7 != 0) text = string(static_cast<size_t>(size), static_cast<char>(word >> 40));
    rows.push_back({word >> 50, static_cast<u64>(i), static_cast<i64>((*random)()), text});
  }
  return rows;
}

std::vector<TestRow> in_order(std::vector<TestRow> rows) {
  std::sort(rows.begin(), rows.end(), [](const TestRow &a, const TestRow &b) {
    return std::pair(a.position, a.number) < std::pair(b.position, b.number);
  });
  for (TestRow &row : rows) row.position = row.number = 0;
  return rows;
}

TEST(RowList, OfNothing) {
  RowLists lists;
  RowLists::List a, b;
  EXPECT_TRUE(lists.rows(&a).empty());
  lists.merge(&a, &b);
  RowLists::List loaded = lists.reloaded(&a);
  EXPECT_TRUE(lists.rows(&loaded).empty());
}

TEST(RowList, TellsAnEmptyTextFromNone) {
  RowLists lists;
  RowLists::List list;
  const std::vector<TestRow> rows = {{1, 0, MRC_NO_INTEGER, ""}, {2, 0, 5, std::nullopt}};
  lists.add(rows, &list);
  EXPECT_EQ(lists.rows(&list), in_order(rows));
  RowLists::List loaded = lists.reloaded(&list);
  EXPECT_EQ(lists.rows(&loaded), in_order(rows));
}

TEST(RowList, IsInTheOrderOfTheInputHoweverItCameTogether) {
  for (u64 round = 0; round < 30; ++round) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(first_seed() + round));
    std::mt19937_64 random(first_seed() + round);
    RowLists lists;
    std::deque<RowLists::List> parts(1 + random() % 5);
    std::vector<TestRow> all = random_rows(&random, static_cast<i64>(random() % 300));
    std::vector<std::vector<TestRow>> of_parts(parts.size());
    for (const TestRow &row : all) of_parts[random() % parts.size()].push_back(row);
    for (size_t i = 0; i < parts.size(); ++i) lists.add(of_parts[i], &parts[i]);
    while (parts.size() > 1) {  // what is merged must last, as workers' memory does
      static std::vector<std::shared_ptr<Arena>> kept;
      const size_t into = random() % (parts.size() - 1);
      if (random() % 3 == 0) parts.back() = lists.reloaded(&parts.back());
      lists.merge(&parts[into], &parts.back());
      kept.push_back(parts.back().arena);
      parts.pop_back();
      if (random() % 3 == 0) parts[into] = lists.reloaded(&parts[into]);
    }
    EXPECT_EQ(lists.rows(&parts[0]), in_order(all));
  }
}

// The sum of integers, in the first row.
int64_t combine_to_one(const mrc_part *, uint64_t *words, int64_t width, int64_t n) {
  for (int64_t i = 1; i < n; ++i) words[0] += words[i * width];
  return n > 0;
}

TEST(RowList, IsCombinedWhenThereIsMuchOfIt) {
  RowLists lists(combine_to_one);
  RowLists::List list, other;
  const std::vector<TestRow> rows(2000, {3, 3, 1, "some text"});
  lists.add(rows, &list);
  EXPECT_LT(std::ssize(lists.rows(&list)), 1024);
  lists.add(rows, &other);
  RowLists::List loaded = lists.reloaded(&other);
  lists.merge(&list, &loaded);
  i64 sum = 0;
  for (const TestRow &row : lists.rows(&list)) sum += row.integer;
  EXPECT_EQ(sum, 4000);
  EXPECT_EQ(lists.rows(&list).front().text, "some text");
}

TEST(RowList, StaysAsItIsIfCombineReturnsNonsense) {
  for (const auto nonsense :
       {+[](const mrc_part *, uint64_t *, int64_t, int64_t) { return int64_t{-1}; },
        +[](const mrc_part *, uint64_t *, int64_t, int64_t n) { return n + 1; }}) {
    RowLists lists(nonsense);
    RowLists::List list;
    lists.add(std::vector<TestRow>(1500, {1, 1, 2, "t"}), &list);
    EXPECT_EQ(lists.rows(&list).size(), 1500u);
  }
}

}  // namespace
}  // namespace mrc
