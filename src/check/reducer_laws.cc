// The laws of reducers. Each law compares two ways of computing a result, which must be equal. If
// they differ, records are removed and simplified while the law remains broken: the rest is the
// counterexample.
#include "check/check.h"
#include "check/inner/law_bench.h"

#include <algorithm>
#include <array>
#include <latch>
#include <thread>

namespace mrc {
namespace {

using Lists = std::array<LawRecords, 3>;

// The results of both ways of a law.
struct Both {
  std::string one, other;
};

// Functions of a reducer, and moving a state.
enum : u32 { kAdd = 1, kMerge = 2, kSave = 4, kMove = 8 };

struct Law {
  const char *broken;       // "merge is not commutative"
  const char *one, *other;  // descriptions of both ways for the lists a, b and c
  u32 tries, needs;         // the functions that it tests, and all that it calls
  bool holds_ordered;       // it applies to MRC_ORDERED, too, for which only `add` is called
  Both (*run)(LawBench *, const Lists &);
};

LawRecords joined(const LawRecords &a, const LawRecords &b) {
  LawRecords all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

LawState merged(LawBench *bench, const LawRecords &a, const LawRecords &b) {
  LawState into = bench->folded(a);
  bench->merge(&into, bench->folded(b));
  return into;
}

Both again(LawBench *bench, const Lists &lists) {
  return {bench->shown(bench->folded(lists[0])), bench->shown(bench->folded(lists[0]))};
}

Both one_by_one(LawBench *bench, const Lists &lists) {
  LawState single = bench->make();
  for (const LawRecord &record : lists[0]) bench->add(&single, {record});
  return {bench->shown(bench->folded(lists[0])), bench->shown(single)};
}

// Adds the records of two keys in one batch, alternating.
Both two_keys(LawBench *bench, const Lists &lists) {
  LawState one = bench->make(), other = bench->make();
  LawRecords records;
  std::vector<size_t> which;
  for (size_t i = 0; i < std::max(lists[0].size(), lists[1].size()); ++i) {
    for (size_t key : {0, 1}) {
      if (i >= lists[key].size()) continue;
      records.push_back(lists[key][i]);
      which.push_back(key);
    }
  }
  if (!records.empty()) bench->add({&one, &other}, records, which);
  return {bench->shown(one) + " and " + bench->shown(other),
          bench->shown(bench->folded(lists[0])) + " and " + bench->shown(bench->folded(lists[1]))};
}

Both new_into(LawBench *bench, const Lists &lists) {
  return {bench->shown(merged(bench, lists[0], {})), bench->shown(bench->folded(lists[0]))};
}
Both into_new(LawBench *bench, const Lists &lists) {
  return {bench->shown(merged(bench, {}, lists[0])), bench->shown(bench->folded(lists[0]))};
}

Both add_or_merge(LawBench *bench, const Lists &lists) {
  return {bench->shown(merged(bench, lists[0], lists[1])),
          bench->shown(bench->folded(joined(lists[0], lists[1])))};
}

Both associative(LawBench *bench, const Lists &lists) {
  LawState left = merged(bench, lists[0], lists[1]);
  bench->merge(&left, bench->folded(lists[2]));
  LawState right = bench->folded(lists[0]);
  bench->merge(&right, merged(bench, lists[1], lists[2]));
  return {bench->shown(left), bench->shown(right)};
}

Both commutative(LawBench *bench, const Lists &lists) {
  return {bench->shown(merged(bench, lists[0], lists[1])),
          bench->shown(merged(bench, lists[1], lists[0]))};
}

Both add_reversed(LawBench *bench, const Lists &lists) {
  const LawRecords reversed(lists[0].rbegin(), lists[0].rend());
  return {bench->shown(bench->folded(lists[0])), bench->shown(bench->folded(reversed))};
}

Both saved(LawBench *bench, const Lists &lists) {
  return {bench->shown(bench->reloaded(bench->folded(lists[0]))),
          bench->shown(bench->folded(lists[0]))};
}
Both saved_and_used(LawBench *bench, const Lists &lists) {
  LawState state = bench->reloaded(bench->folded(lists[0]));
  if (!lists[1].empty()) bench->add(&state, lists[1]);
  return {bench->shown(state), bench->shown(bench->folded(joined(lists[0], lists[1])))};
}

Both moved(LawBench *bench, const Lists &lists) {
  // States with `destroy` are never moved.
  LawState state = bench->folded(lists[0]);
  if (bench->reducer().destroy == nullptr) state = bench->moved(std::move(state));
  if (!lists[1].empty()) bench->add(&state, lists[1]);
  return {bench->shown(state), bench->shown(bench->folded(joined(lists[0], lists[1])))};
}

// Each law calls functions that earlier laws have tested. After a fault, laws that need the faulty
// function are skipped, since they would only report it again.
constexpr Law kLaws[] = {
    {"the same input does not give the same result", "a", "a again", kAdd, kAdd, true, again},
    {"add depends on the size of batches", "a in one batch", "one by one", kAdd, kAdd, true,
     one_by_one},
    {"add mixes up the states of a batch", "a and b in turns, in one batch", "each alone", kAdd,
     kAdd, true, two_keys},
    {"a new state is no identity of merge", "merge(a, new)", "a", kMerge, kAdd | kMerge, false,
     new_into},
    {"a new state is no identity of merge", "merge(new, a)", "a", kMerge, kAdd | kMerge, false,
     into_new},
    {"merge is not associative", "merge(merge(a, b), c)", "merge(a, merge(b, c))", kMerge,
     kAdd | kMerge, false, associative},
    {"merge and add disagree", "merge(a, b)", "adding all of a, then of b", kMerge, kAdd | kMerge,
     false, add_or_merge},
    {"merge is not commutative", "merge(a, b)", "merge(b, a)", kMerge, kAdd | kMerge, false,
     commutative},
    {"add is not commutative", "a", "a from its end", kAdd, kAdd | kMerge, false, add_reversed},
    {"save and load lose something", "load(save(a))", "a", kSave, kAdd | kSave, false, saved},
    {"a loaded state does not go on", "load(save(a)), then adding b", "adding a and b", kSave,
     kAdd | kSave, false, saved_and_used},
    {"a state cannot be moved, and there is no destroy", "a, moved by memcpy, then adding b",
     "adding a and b", kMove, kAdd | kMove, false, moved},
};

// Laws of reducers with `reduce`.
Both list_again(LawBench *bench, const Lists &lists) {
  return {bench->reduced(lists[0]), bench->reduced(lists[0])};
}
Both combined(LawBench *bench, const Lists &lists) {
  const LawRecords all = joined(lists[0], lists[1]);
  return {bench->reduced_combined(all, lists[0].size()), bench->reduced(all)};
}
constexpr Law kListLaw = {
    "the same input does not give the same result", "a", "a again", kAdd, kAdd, true, list_again};
constexpr Law kCombineLaw = {"combine changes the result",
                             "reduce(combine(a), b)",
                             "reduce(a, b)",
                             kMerge,
                             kAdd | kMerge,
                             true,
                             combined};

std::vector<Law> laws_of(const mrc_reducer &reducer) {
  std::vector<Law> laws;
  if (reducer.reduce != nullptr) {
    laws.push_back(kListLaw);
    if (reducer.combine != nullptr) laws.push_back(kCombineLaw);
    return laws;
  }
  const bool ordered = (reducer.flags & MRC_ORDERED) != 0;
  for (const Law &law : kLaws) {
    if (ordered && !law.holds_ordered) continue;
    laws.push_back(law);
  }
  return laws;
}

// Tries a law on lists, and describes the result.
class Trial {
 public:
  Trial(LawBench *bench, const Law &law) : bench_(*bench), law_(law) {}

  bool broken(const Lists &lists) {
    both_ = law_.run(&bench_, lists);
    damage_ = bench_.take_damage();
    return !damage_.empty() || both_.one != both_.other;
  }

  // Removes records, then simplifies values, as long as the law stays broken.
  // REQUIRES: broken(lists)
  void shrink(Lists *lists) {
    for (bool shrunk = true; shrunk;) {
      shrunk = false;
      for (LawRecords &list : *lists) {
        for (size_t i = list.size(); i-- > 0;) {
          const LawRecord without = list[i];
          list.erase(list.begin() + static_cast<i64>(i));
          if (broken(*lists)) {
            shrunk = true;
          } else {
            list.insert(list.begin() + static_cast<i64>(i), without);
          }
        }
      }
    }
    for (LawRecords &list : *lists) {
      for (LawRecord &record : list) {
        for (LawValue &value : record) simplify(&value, *lists);
      }
    }
  }

  Violation violation(const Lists &lists) {
    if (!broken(lists)) return {law_.broken, "  not every time: it depends on something else\n"};
    std::string example;
    const char *names[] = {"a", "b", "c"};
    for (size_t i = 0; i < lists.size(); ++i) {
      if (i > 0 && lists[i].empty()) continue;
      example += std::string("  ") + names[i] + ": " + show_records(lists[i]) + "\n";
    }
    if (!damage_.empty()) return {damage_, example};
    example += std::string("  ") + law_.one + ": " + both_.one + "\n";
    example += std::string("  ") + law_.other + ": " + both_.other + "\n";
    return {law_.broken, example};
  }

 private:
  void simplify(LawValue *value, const Lists &lists) {
    if (is_simplest(*value)) return;
    const LawValue before = std::exchange(*value, simplest(value->type));
    if (!broken(lists)) *value = before;
  }

  LawBench &bench_;
  const Law &law_;
  Both both_;
  std::string damage_;
};

constexpr i64 kTrials = 30;
constexpr size_t kMost = 12;  // in a list

// Returns true if no fault was found.
bool check_law(const Law &law, LawBench *bench, LawValues *values, LawReport *report) {
  for (i64 i = 0; i < kTrials; ++i) {
    ++report->trials;
    Lists lists = {values->next(kMost), values->next(kMost), values->next(kMost)};
    Trial trial(bench, law);
    if (!trial.broken(lists)) continue;
    trial.shrink(&lists);
    report->violations.push_back(trial.violation(lists));
    return false;
  }
  return true;
}

// Compares the results of several threads, each with its own states, with that of one thread.
void check_threads(const std::string &file, const mrc_reducer &reducer, const void *context,
                   LawValues *values, LawReport *report) {
  constexpr int kThreads = 4, kTimes = 20;
  constexpr size_t kMany = 200;  // so that calls take long enough to overlap
  const LawRecords records = values->many(kMany);
  const auto result = [&] {
    LawBench bench(file.c_str(), &reducer, context);
    std::string text =
        reducer.reduce != nullptr ? bench.reduced(records) : bench.shown(bench.folded(records));
    return text;
  };
  const std::string expected = result();
  std::array<std::string, kThreads> wrong;
  std::vector<std::thread> threads;
  std::latch start(kThreads);
  for (std::string &mine : wrong) {
    threads.emplace_back([&] {
      start.arrive_and_wait();
      for (int i = 0; i < kTimes && mine.empty(); ++i) {
        if (std::string found = result(); found != expected) mine = found;
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  forget_plugin_failure();
  for (const std::string &found : wrong) {
    if (found.empty()) continue;
    report->violations.push_back({"threads disturb each other",
                                  "  a: " + show_records(records) + "\n  one thread: " + expected +
                                      "\n  of several: " + found + "\n"});
    return;
  }
}

// Notes an `init` that leaves zero bytes, which is not needed.
void note_needless_init(const mrc_reducer &reducer, LawBench *bench, LawReport *report) {
  if (reducer.reduce != nullptr || reducer.init == nullptr) return;
  const LawState state = bench->make();
  const unsigned char *bytes = state.memory->data();
  if (std::all_of(bytes, bytes + state.memory->size(),
                  [](unsigned char byte) { return byte == 0; })) {
    report->notes.push_back("init makes zero bytes, which states are already: leave it out");
  }
}

}  // namespace

LawReport check_reducer_laws(const std::string &file, const mrc_reducer &reducer,
                             const void *context, std::span<const std::string> lines, u64 seed) {
  explain_crashes(explain_address);
  forget_plugin_failure();
  LawReport report;
  LawBench bench(file.c_str(), &reducer, context);
  LawValues values({reducer.values, reducer.value_count}, lines, seed);
  note_needless_init(reducer, &bench, &report);
  u32 broken = 0;
  for (const Law &law : laws_of(reducer)) {
    if ((law.needs & broken) != 0) continue;
    if (!check_law(law, &bench, &values, &report)) broken |= law.tries;
  }
  // A reducer that fails single-threaded need not be tried with threads.
  if (report.violations.empty()) {
    for (int i = 0; i < 4; ++i) check_threads(file, reducer, context, &values, &report);
  }
  return report;
}

}  // namespace mrc
