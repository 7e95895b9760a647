#include "combine/histogram.h"

#include "support/reducer_calls.h"
#include "unit/combine/aggregate_run.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace mrc {
namespace {

using Random = std::mt19937_64;
using Texts = std::vector<std::string>;

// Histograms as the engine makes them, of numbers that are dealt to several states.
class HistogramTest : public testing::Test {
 protected:
  struct Folded {
    std::vector<u64> words;
    std::vector<std::shared_ptr<Arena>> arenas;
    State *state() { return reinterpret_cast<State *>(words.data()); }
  };

  static const Reducer &reducer(bool log) { return log ? kLogHistogram : kHistogram; }

  static Folded empty(bool log) {
    return {std::vector<u64>(static_cast<size_t>(reducer(log).state_bytes) / 8),
            {std::make_shared<Arena>()}};
  }

  static void add(const Texts &texts, bool log, Folded *to) {
    Arena wide;
    std::vector<u64> words;
    for (const std::string &text : texts) {
      words.push_back(parse_number(PaddedText(text, 'x').text(), &wide));
    }
    const std::vector<State *> states(texts.size(), to->state());
    add_part({&reducer(log)}, states.data(), {words.data(), 1}, std::ssize(words),
             to->arenas[0].get());
  }

  static Folded folded(const Texts &texts, bool log) {
    Folded state = empty(log);
    add(texts, log, &state);
    return state;
  }

  static std::string saved(Folded *from, bool log) {
    return saved_part({&reducer(log)}, from->state());
  }

  static Folded reloaded(Folded *from, bool log) {
    const std::string bytes = saved(from, log);
    if (bytes.empty()) return *from;  // all there is
    Folded state = empty(log);
    load_part({&reducer(log)}, state.state(), bytes, state.arenas[0].get());
    return state;
  }

  static void merge(Folded *into, Folded from, bool log) {
    State *a = into->state(), *b = from.state();
    merge_part({&reducer(log)}, &a, &b, 1, into->arenas[0].get());
    into->arenas.insert(into->arenas.end(), from.arenas.begin(), from.arenas.end());
  }

  // In any order, by any number of states, some of which were saved.
  static Folded dealt(Texts texts, bool log, Random *random) {
    std::shuffle(texts.begin(), texts.end(), *random);
    std::vector<Folded> states;
    for (u64 i = 1 + (*random)() % 5; i > 0; --i) states.push_back(empty(log));
    for (const std::string &text : texts) add({text}, log, &states[(*random)() % states.size()]);
    while (states.size() > 1) {
      std::shuffle(states.begin(), states.end(), *random);
      Folded from = (*random)() % 2 == 0 ? states.back() : reloaded(&states.back(), log);
      states.pop_back();
      merge(&states.front(), std::move(from), log);
    }
    return states.front();
  }

  static std::string shown(Folded *state, HistogramSpec spec) {
    std::string out;
    for (const Bin &bin : bins_of(state->state(), spec)) {
      out += bin.from + ".." + bin.to + ":" + std::to_string(bin.count) + " ";
    }
    return out;
  }
  static std::string shown(const Texts &texts, HistogramSpec spec = {}) {
    Folded state = folded(texts, spec.log);
    return shown(&state, spec);
  }

  const u64 seed_ = first_seed();
  Random random_{seed_};
};

TEST_F(HistogramTest, BinsAreMultiplesOfNiceWidths) {
  EXPECT_EQ(shown({"1", "2", "4"}), "1..2:1 2..3:1 3..4:0 4..5:1 ");
  EXPECT_EQ(shown({"7", "95"}, {.most = 5}), "0..20:1 20..40:0 40..60:0 60..80:0 80..100:1 ");
  EXPECT_EQ(shown({"-7", "3"}, {.most = 2}), "-10..0:1 0..10:1 ");
  EXPECT_EQ(shown({"-10", "-5", "9.99"}, {.most = 4}), "-10..-5:1 -5..0:1 0..5:0 5..10:1 ");
  EXPECT_EQ(shown({"0.001", "0.0035"}, {.most = 3}),
            "0.001..0.002:1 0.002..0.003:0 0.003..0.004:1 ");
}

TEST_F(HistogramTest, WidthsAreNotFinerThanTheNumbers) {
  EXPECT_EQ(shown({"42"}), "42..43:1 ");
  EXPECT_EQ(shown({"42.00"}), "42..43:1 ");
  EXPECT_EQ(shown({"42.50"}), "42.5..42.6:1 ");
  EXPECT_EQ(shown({"0", "-0.000", "0e5"}), "0..1:3 ");
  EXPECT_EQ(shown({"12345678901234567890123456789012345678"}),
            "12345678901234567890000000000000000000..12345678901234567900000000000000000000:1 ");
}

TEST_F(HistogramTest, LogBinsEndAtOneTwoAndFiveOnBothSidesOfZero) {
  const HistogramSpec log{.log = true};
  EXPECT_EQ(shown({"1", "2", "4.9", "5", "10"}, log), "1..2:1 2..5:2 5..10:1 10..20:1 ");
  EXPECT_EQ(shown({"-1", "-2", "-2.1", "-5", "-5.1"}, log),
            "-10..-5:1 -5..-2:2 -2..-1:1 -1..-0.5:1 ");
  EXPECT_EQ(shown({"-1", "0", "0", "0.03"}, log), "-1..-0.5:1 0..0:2 0.02..0.05:1 ");
  EXPECT_EQ(shown({"1", "70"}, {.log = true, .most = 5}), "1..10:1 10..100:1 ");
}

TEST_F(HistogramTest, OfNothingHasNoBins) {
  EXPECT_EQ(shown({}), "");
  EXPECT_EQ(shown({"-", ""}), "");
  Folded state = folded({"-", "", "3"}, false);
  EXPECT_EQ(missing_of(state.state()), 2u);
  EXPECT_EQ(numbers_of(state.state()), 1u);
}

// As many states as records may be staged, where memory is small.
TEST_F(HistogramTest, TakesTheMemoryOfItsRange) {
  for (bool log : {false, true}) {
    EXPECT_LT(folded({"12345"}, log).arenas[0]->used(), 1000) << log;
  }
  EXPECT_LT(folded({"1", "900"}, true).arenas[0]->used(), 1000);
}

Texts random_texts(Random *random) {
  auto below = [&](u64 n) { return (*random)() % n; };
  const u64 kind = below(6), size = below(300), places = below(4);
  Texts texts;
  for (u64 i = 0; i < size; ++i) {
    std::string text = below(3) == 0 && kind > 0 ? "-" : "";
    u64 digits = 1 + below(kind == 5 ? 16 : 5);
    for (; digits > 0; --digits) text += static_cast<char>('0' + below(10));
    if (kind == 2 || kind == 5) text += "." + std::to_string(below(1000)).substr(0, 1 + places);
    if (kind == 3) text += "e" + std::to_string(static_cast<i64>(below(40)) - 20);
    if (kind == 4) text += "e" + std::to_string(static_cast<i64>(below(560)) - 280);
    texts.push_back(text);
  }
  return texts;
}

TEST_F(HistogramTest, DependsOnTheNumbersAndNotOnTheirOrder) {
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed_) + ", round " + std::to_string(round));
    const bool log = random_() % 2 == 0;
    const Texts texts = random_texts(&random_);
    Folded whole = folded(texts, log), other = dealt(texts, log, &random_);
    ASSERT_EQ(saved(&whole, log), saved(&other, log));
    Folded back = reloaded(&whole, log);
    ASSERT_EQ(saved(&back, log), saved(&whole, log));
    for (i64 most : {2, 7, 20, 1000}) {
      ASSERT_EQ(shown(&whole, {log, most}), shown(&other, {log, most}));
    }
  }
}

// Of numbers with up to 15 digits, long double knows the ends of bins and what is in them.
TEST_F(HistogramTest, CountsWhatIsBetweenTheEndsOfEachBin) {
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed_) + ", round " + std::to_string(round));
    Texts texts = random_texts(&random_);
    const HistogramSpec spec{random_() % 2 == 0, static_cast<i64>(5 + random_() % 100)};
    Folded state = dealt(texts, spec.log, &random_);
    const std::vector<Bin> bins = bins_of(state.state(), spec);
    ASSERT_LE(std::ssize(bins), spec.most);
    std::vector<long double> numbers;
    for (const std::string &text : texts) numbers.push_back(std::strtold(text.c_str(), nullptr));
    u64 counted = 0;
    long double before = -INFINITY;
    for (const Bin &bin : bins) {
      const long double from = std::strtold(bin.from.c_str(), nullptr);
      const long double to = std::strtold(bin.to.c_str(), nullptr);
      ASSERT_LE(before, from) << bin.from;
      const auto inside = std::count_if(numbers.begin(), numbers.end(), [&](long double number) {
        return from == to ? number == 0 : from <= number && number < to;
      });
      ASSERT_EQ(bin.count, static_cast<u64>(inside)) << bin.from << " to " << bin.to;
      counted += bin.count;
      before = to;
    }
    ASSERT_EQ(counted, numbers.size());
    if (bins.empty()) continue;
    EXPECT_GT(bins.front().count, 0u);
    EXPECT_GT(bins.back().count, 0u);
  }
}

}  // namespace
}  // namespace mrc
