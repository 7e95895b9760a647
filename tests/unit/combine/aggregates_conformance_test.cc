// The laws of Reducer, for all aggregates at once, on random records: however records are
// dealt to workers, in whatever order their states are merged, and whether states went
// through a run on the way, what is shown is the same, byte by byte.
#include "unit/combine/aggregate_run.h"

#include <algorithm>

namespace mrc {
namespace {

using Random = std::mt19937_64;
using Records = std::vector<TestRecord>;

// All that users can name, with some numbers for N, and with buckets.
const std::vector<std::string> kAll = [] {
  std::vector<std::string> all = {"count", "hist:f:10", "sum:f:10"};
  for (const std::string &name : aggregate_names()) {
    const size_t at = name.find('N');
    if (at == std::string::npos) {
      all.push_back(name + ":f");
      continue;
    }
    const bool is_level = name.starts_with('p');
    for (const char *number : {is_level ? "0" : "1", is_level ? "50" : "3", "99.9"}) {
      if (is_level || number[0] != '9')
        all.push_back(std::string(name).replace(at, 1, number) + ":f");
    }
  }
  return all;
}();

// Those of several arguments, too.
const std::vector<std::string> kEvery = [] {
  std::vector<std::string> every = kAll;
  every.insert(every.end(), {"argmax(f, f)",
                             "argmin(f, f)",
                             "top(3, f)",
                             "top(2, f, sum:f)",
                             "top(4, f, var:f)",
                             "top(3, f, count)",
                             "top(1, f, p50~:f)",
                             "min:f:text",
                             "max:f:text",
                             "max:f:time",
                             "min:f:duration",
                             "max:f:address",
                             "corr(f, g)",
                             "cov(f, g)",
                             "slope(f, g)",
                             "top(2, f, cov(f, g))",
                             "list(f, '; ')",
                             "list(f, '11')",
                             "distinct_list(f, '|')",
                             "distinct_list:f:duration",
                             "distinct_list:f:address",
                             "distinct_list:f:time",
                             "bins(f, 20)",
                             "bins(f, 3)",
                             "bins(f:time, 5)",
                             "entries(f, 10s, g)",
                             "entries(f, 1.5s, g)",
                             "sessions(f, 10)",
                             "sessions(f, 1.5)"});
  return every;
}();

// Values of one kind or of all; kinds that are hard on one aggregate or another.
std::string random_value(Random *random, u64 kind) {
  auto digits = [&](size_t size) {
    std::string text;
    while (text.size() < size) text += static_cast<char>('0' + (*random)() % 10);
    return text;
  };
  switch (kind == 12 ? (*random)() % 12 : kind) {
    case 0: return std::to_string((*random)() % 10);
    case 1: return std::to_string(static_cast<i64>((*random)() % 2000000) - 1000000);
    case 2: return digits(1) + "." + digits(1 + (*random)() % 17);
    case 3: return "-" + digits(17);
    case 4: return "0." + digits(18);
    case 5: return digits(1 + (*random)() % 38);
    case 6: return digits(1 + (*random)() % 19) + "." + digits((*random)() % 20);
    case 7: return digits(1) + "e" + std::to_string(static_cast<i64>((*random)() % 600) - 300);
    case 8: return "-1" + digits(50) + "." + digits(3);
    case 9: return std::string((*random)() % 40, static_cast<char>('a' + (*random)() % 3));
    case 10: return (*random)() % 2 == 0 ? "-" : "0";
    default: return std::string((*random)() % 3000, static_cast<char>((*random)() % 256));
  }
}

Records random_records(Random *random, size_t size) {
  const u64 kind = (*random)() % 13;
  Records records;
  for (u64 position = (*random)() % 100; records.size() < size; position += 1 + (*random)() % 99) {
    TestRecord record{random_value(random, kind), position};
    if ((*random)() % 20 == 0) record.value.reset();
    if ((*random)() % 20 != 0) record.second = random_value(random, kind);
    if (!records.empty() && (*random)() % 3 == 0) {
      record.value = records[(*random)() % records.size()].value;
    }
    records.push_back(std::move(record));
  }
  return records;
}

class AggregatesConformance : public testing::Test {
 protected:
  using Folded = AggregateRun::Folded;

  // Deals the records to workers, in any order, and merges these in any order.
  Folded dealt(Records records, const AggregateRun &run) {
    std::shuffle(records.begin(), records.end(), random_);
    std::vector<Folded> workers;
    for (u64 i = 1 + random_() % 6; i > 0; --i) workers.push_back(run.empty());
    while (!records.empty()) {
      const size_t size = std::min<size_t>(1 + random_() % 50, records.size());
      const Records batch(records.end() - static_cast<i64>(size), records.end());
      records.resize(records.size() - size);
      Folded &worker = workers[random_() % workers.size()];
      run.add(batch, &worker);
      if (random_() % 8 == 0) worker = run.reloaded(worker);
    }
    while (workers.size() > 1) {
      std::shuffle(workers.begin(), workers.end(), random_);
      Folded from = std::move(workers.back());
      workers.pop_back();
      if (random_() % 2 == 0) from = run.reloaded(from);
      run.merge(&workers.front(), std::move(from));
    }
    return workers.front();
  }

  void expect_same(const Folded &a, const Folded &b, const char *what) {
    for (i64 i = 0; i < run_.layout().columns(); ++i) {
      SCOPED_TRACE(kEvery[static_cast<size_t>(i)] + ", " + what);
      ASSERT_EQ(run_.shown(i, a), run_.shown(i, b));
      ASSERT_EQ(run_.shown(i, a, Notation::json), run_.shown(i, b, Notation::json));
      ASSERT_EQ(run_.rank(i, a), run_.rank(i, b));
    }
  }

  const u64 seed_ = first_seed();
  Random random_{seed_};
  AggregateRun run_{kEvery};
};

TEST_F(AggregatesConformance, AnyOrderOfAddingAndMergingShowsTheSame) {
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed_) + ", round " + std::to_string(round));
    const Records records = random_records(&random_, random_() % (round % 10 == 0 ? 600 : 30));
    const Folded whole = run_.folded(records);
    expect_same(whole, dealt(records, run_), "dealt");
    if (HasFatalFailure()) return;
  }
}

TEST_F(AggregatesConformance, ValuesOnDiskShowTheSame) {
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed_) + ", round " + std::to_string(round));
    ValueRuns runs("/tmp", 0);
    const AggregateRun spilling(kEvery, {}, &runs);
    const Records records = random_records(&random_, random_() % 900);
    Folded some = dealt(records, spilling);
    expect_same(run_.folded(records), some, "some on disk");
    spilling.layout().bound(some.state());
    expect_same(run_.folded(records), some, "all on disk");
    expect_same(run_.folded(records), spilling.reloaded(some), "reloaded");
    if (HasFatalFailure()) return;
  }
}

TEST_F(AggregatesConformance, ZeroBytesAreTheIdentity) {
  for (int round = 0; round < 50; ++round) {
    const Records records = random_records(&random_, random_() % 30);
    const Folded whole = run_.folded(records);
    Folded into = run_.empty(), other = run_.folded(records);
    run_.merge(&into, run_.folded(records));
    run_.merge(&other, run_.empty());
    expect_same(whole, into, "into nothing");
    expect_same(whole, other, "nothing into it");
    if (HasFatalFailure()) return;
  }
}

// That which way a number took is no part of it is true of what is shown, and of the bytes
// of states that have grown; sums may grow or not.
TEST_F(AggregatesConformance, SavedBytesDependOnValuesOnly) {
  for (const std::string &name : kAll) {
    const AggregateRun run({name});
    for (int round = 0; round < 30; ++round) {
      Records records = random_records(&random_, random_() % 200);
      const std::string saved = run.saved(run.folded(records));
      EXPECT_EQ(run.saved(run.reloaded(run.folded(records))), saved) << name;
      std::shuffle(records.begin(), records.end(), random_);
      const std::string shuffled = run.saved(run.folded(records));
      if (saved.size() <= 8 || shuffled.size() <= 8) continue;
      EXPECT_EQ(shuffled, saved) << name;
    }
  }
}

TEST_F(AggregatesConformance, StatesOfOneValueOwnNoMemory) {
  const AggregateRun run(kAll);
  for (const char *value : {"7", "-12.5", "fifteen letters"}) {
    const Folded state = run.folded({{{value}, 5}, {{value}, 6}});
    // Quantiles keep each value.
    const AggregateRun::Folded one = run.folded({{{value}, 5}});
    EXPECT_EQ(one.arena->used(), 0) << value;
    EXPECT_LT(state.arena->used(), 200) << value;
  }
}

}  // namespace
}  // namespace mrc
