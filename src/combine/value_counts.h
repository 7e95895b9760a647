// combine: the different values of a key and how often each occurs.
#pragma once

#include "combine/kept_text.h"
#include "combine/value_runs.h"

#include <vector>

namespace mrc {

// The state: 24 bytes. A key with one value, as most have, owns nothing else if the value
// is short; several are in a table of open addressing in the arena. What outgrows memory is
// in runs on disk, beside the table of what came later. All zero is empty.
class ValueCounts {
 public:
  struct Entry {
    KeptText text;
    u64 count;
  };
  struct Table;

  // The seed must be the same in all calls for states of one job.
  // A long text that is new is copied, unless it `lasts` as long as the arena.
  void add(KeptText text, u64 count, bool lasts, const Seed &seed, Arena *arena);
  // Takes over the table of `other`.
  void merge(ValueCounts *other, const Seed &seed, Arena *arena);

  // Of the values in memory: how many, and which, in no order, borrowed from the state.
  u64 size() const;
  std::vector<Entry> entries() const;

  // Whether the state's own bytes are all of it.
  bool is_flat() const { return !has_table() && !one_.text.is_long(); }
  // By the bytes of the texts, so that the order in which they came does not matter. A state
  // that takes more than `runs` lets it is written to a run, and what is saved names that.
  // `runs` may be null: everything is saved.
  void save(ValueRuns *runs, std::string *out) const;
  void load(Bytes saved, const Seed &seed, ValueRuns *runs, Arena *arena);

  // Moves the values to a run if they take more memory than it lets a state be finished from.
  void bound(ValueRuns *runs);
  // The run that all values are in, if some have been spilled; else null.
  const ValueRun *spilled();
  // All values, as long as this is not changed: in order, or in any, which is faster.
  std::unique_ptr<ValueStream> values();
  std::unique_ptr<ValueStream> values_in_any_order();

 private:
  static constexpr u64 kTable = u64{0xFE} << 56;
  bool has_table() const { return one_.text.word[1] == kTable; }
  Table *table() const { return reinterpret_cast<Table *>(one_.text.word[0]); }
  void set_table(Table *table) { one_ = {{{reinterpret_cast<u64>(table), kTable}}, 0}; }
  void make_table(u64 capacity, const Seed &seed, Arena *arena);
  void spill(ValueRuns *runs);
  void save_all(std::string *out);
  std::unique_ptr<ValueStream> sorted() const;  // of those in memory
  void take_spilled(SpilledValues *spilled, const Seed &seed, Arena *arena);
  SpilledValues *spilled_values() const;

  Entry one_;  // if text is none: empty
};

// What is not missing, of a column of texts. The part's context is a Seed.
extern const Reducer kValueCounts;

// Part::bound of states that are ValueCounts.
void bound_counts(const Part &part, State *state);

// For reducers that keep ValueCounts of something else.
void merge_counts(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena);
void save_counts(const Part &part, const State *state, std::string *out);
void load_counts(const Part &part, State *state, Bytes saved, Arena *arena);

}  // namespace mrc
