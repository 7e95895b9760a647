// The laws of reducers, for all that are built in for jobs, and for all that plugins offer:
// those of the tests, and those that are built beside mrc. However records are dealt to
// workers, in whatever order states are merged, and whether they were saved on the way, what
// is shown is the same. (The aggregates of mrc stats: tests/unit/combine.)
#include "combine/integers.h"
#include "plugin/plugin.h"
#include "plugin/reduction.h"
#include "support/seed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <filesystem>
#include <limits>
#include <random>

namespace mrc {
namespace {

using Random = std::mt19937_64;

struct Subject {
  std::string name;
  const Reducer *reducer;
};

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  for (const char *name : {"count", "sum", "min", "max"}) {
    all.push_back({std::string("builtin_") + name, builtin_reducer(name)});
  }
  std::vector<std::string> files = {MRC_TEST_PLUGINS "/every_job.so"};
  const std::filesystem::path built = MRC_TEST_PLUGINS "/../../plugins";
  std::error_code none;
  for (const auto &entry : std::filesystem::directory_iterator(built, none)) {
    if (entry.path().extension() == ".so") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const std::string &file : files) {
    const Result<std::shared_ptr<const Plugin>> plugin = load_plugin(file, true);
    if (!plugin.is_ok()) continue;  // tests of its own tell why
    for (const mrc_reducer *reducer : (*plugin)->reducers()) {
      const std::string stem = std::filesystem::path(file).stem();
      all.push_back({stem + "_" + reducer->name, reducer});
    }
  }
  for (Subject &subject : all) std::replace(subject.name.begin(), subject.name.end(), '-', '_');
  return all;
}

class ReducersConformance : public testing::TestWithParam<Subject> {
 protected:
  static constexpr size_t kOrder = 2;  // words after the values

  ReducersConformance() : layout_(aggregation()) {}

  static Aggregation aggregation() {
    Aggregation aggregation;
    const Reducer *reducer = GetParam().reducer;
    add_reduction({.reducer = reducer,
                   .position = static_cast<i64>(reducer->value_count),
                   .place = {.plugin = "x", .what = "reducer", .name = reducer->name}},
                  &aggregation);
    return aggregation;
  }

  struct State {
    std::vector<u64> words;
    std::shared_ptr<Arena> arena = std::make_shared<Arena>();
    mrc::State *at() { return reinterpret_cast<mrc::State *>(words.data()); }
  };
  State fresh() const {
    return {std::vector<u64>(static_cast<size_t>(layout_.state_bytes()) / 8 + 1)};
  }

  u64 random_word(mrc_type type) {
    const u64 pick = random_();
    if (type == MRC_INTEGER) {
      constexpr i64 kHard[] = {INT64_MAX, INT64_MIN + 1, 0, -1, MRC_NO_INTEGER};
      return static_cast<u64>(pick % 8 == 0 ? kHard[pick / 8 % 5] : i64(pick / 8 % 200) - 100);
    }
    if (type == MRC_REAL) {  // sums of them are exact
      const double value = static_cast<double>(static_cast<i64>(pick / 8 % 2000) - 1000) / 8;
      return mrc_real_word(pick % 8 == 0 ? std::nan("") : value);
    }
    if (pick % 8 == 0) return 0;
    const size_t size = pick % 64 == 1 ? 65530 + pick / 64 % 10 : pick / 64 % 40;
    const std::string &bytes = texts_.emplace_back(size, static_cast<char>('a' + pick / 4096 % 3));
    return mrc_text_word(&views_.emplace_back(mrc_text{bytes.data(), bytes.size()}));
  }

  void make_rows(size_t count) {
    const Reducer &reducer = *GetParam().reducer;
    width_ = reducer.value_count + kOrder;
    rows_.clear();
    for (size_t row = 0; row < count; ++row) {
      for (size_t i = 0; i < reducer.value_count; ++i)
        rows_.push_back(random_word(reducer.values[i]));
      rows_.insert(rows_.end(), {row / 3, row % 3});
    }
  }
  size_t rows() const { return rows_.size() / width_; }

  // In batches, of which one has several rows of one state.
  void add(const std::vector<size_t> &rows, State *state) {
    for (size_t at = 0; at < rows.size();) {
      const size_t count = std::min<size_t>(1 + random_() % 50, rows.size() - at);
      std::vector<u64> batch;
      for (size_t i = at; i < at + count; ++i) {
        const auto row = rows_.begin() + static_cast<i64>(rows[i] * width_);
        batch.insert(batch.end(), row, row + static_cast<i64>(width_));
      }
      const std::vector<mrc::State *> states(count, state->at());
      layout_.add(states.data(), {batch.data(), static_cast<i64>(width_)}, std::ssize(states),
                  state->arena.get());
      at += count;
    }
  }
  void merge(State *into, State *from) {
    mrc::State *a = into->at(), *b = from->at();
    layout_.merge(&a, &b, 1, into->arena.get());
    gone_.push_back(from->arena);  // what is merged may be taken over: it lasts
  }
  State moved(State *state) {
    State other = fresh();
    other.words = state->words;
    if (layout_.is_flat()) {
      other.arena = state->arena;
      return other;
    }
    std::string saved;
    layout_.save(state->at(), &saved);
    layout_.load(other.at(), saved, other.arena.get());
    state->arena->clear();
    return other;
  }
  std::string shown(State *state) {
    std::string text;
    for (i64 i = 0; i < layout_.columns(); ++i) {
      layout_.finish(i, state->at(), Notation::json, &text, "key");
      text += fmt_rank(layout_.rank(i, state->at()));
    }
    return text;
  }
  static std::string fmt_rank(u64 rank) { return " " + std::to_string(rank) + "; "; }

  StateLayout layout_;
  Random random_;
  std::deque<std::string> texts_;
  std::deque<mrc_text> views_;
  size_t width_ = 0;
  std::vector<u64> rows_;
  std::vector<std::shared_ptr<Arena>> gone_;
};

TEST_P(ReducersConformance, ShowTheSameHoweverTheyAreFolded) {
  for (u64 round = 0; round < 40; ++round) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(first_seed() + round));
    random_.seed(first_seed() + round);
    make_rows(random_() % (round % 10 == 0 ? 5000 : 100));
    State expected = fresh();
    std::vector<size_t> all(rows());
    for (size_t i = 0; i < all.size(); ++i) all[i] = i;
    add(all, &expected);

    std::vector<State> workers(1 + random_() % 6);
    std::vector<std::vector<size_t>> dealt(workers.size());
    for (size_t row : all) dealt[random_() % workers.size()].push_back(row);
    for (size_t i = 0; i < workers.size(); ++i) {
      workers[i] = fresh();
      add(dealt[i], &workers[i]);
      if (random_() % 2 == 0) workers[i] = moved(&workers[i]);
    }
    while (workers.size() > 1) {
      std::swap(workers[random_() % workers.size()], workers.back());
      const size_t into = random_() % (workers.size() - 1);
      merge(&workers[into], &workers.back());
      workers.pop_back();
      if (random_() % 4 == 0) workers[into] = moved(&workers[into]);
    }
    ASSERT_EQ(shown(&workers[0]), shown(&expected));
    ASSERT_FALSE(plugin_failed()) << plugin_status().message();
  }
}

TEST_P(ReducersConformance, AreNotChangedByStatesOfNothing) {
  random_.seed(first_seed());
  make_rows(50);
  State some = fresh(), none = fresh(), other = fresh(), nothing = fresh();
  const std::string empty = shown(&nothing);
  std::vector<size_t> all(rows());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  add(all, &some);
  const std::string before = shown(&some);
  merge(&some, &none);
  EXPECT_EQ(shown(&some), before);
  merge(&other, &some);
  EXPECT_EQ(shown(&other), before);
  nothing = moved(&nothing);
  EXPECT_EQ(shown(&nothing), empty);
}

INSTANTIATE_TEST_SUITE_P(All, ReducersConformance, testing::ValuesIn(subjects()),
                         [](const auto &one) { return one.param.name; });

}  // namespace
}  // namespace mrc
