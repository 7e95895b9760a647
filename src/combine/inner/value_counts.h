// combine: the different values of a key, with counts.
#pragma once

#include "combine/inner/kept_text.h"
#include "combine/value_runs.h"

#include <vector>

namespace mrc {

// The state has 24 bytes. If a key has one short value, as most have, it needs nothing else. More
// values are in a hash table in the arena. Values that outgrow memory are in runs on disk; the
// table has the values that came later. All zero bytes are empty.
class ValueCounts {
 public:
  struct Entry {
    KeptText text;
    u64 count;
  };
  struct Table;

  // The seed must be the same in all calls for states of one job. A new long text is copied, unless
  // it `lasts` as long as the arena.
  void add(KeptText text, u64 count, bool lasts, const Seed &seed, Arena *arena);
  // Takes over the table of `other`.
  void merge(ValueCounts *other, const Seed &seed, Arena *arena);

  // size() is the number of values in memory. entries() returns them, in no order, borrowed from
  // the state.
  u64 size() const;
  std::vector<Entry> entries() const;

  // True if the state owns nothing beyond its own bytes.
  bool is_flat() const { return !has_table() && !one_.text.is_long(); }
  // Saves values in the order of the bytes of their texts, so that the order of the input does not
  // matter. Writes a state of more than runs->most_saved() bytes to a run, and saves its name. If
  // `runs` is null, saves all values.
  void save(ValueRuns *runs, std::string *out) const;
  // Writes the values of a large state of another process to runs. `runs` may be null if save() had
  // none.
  void load(Bytes saved, const Seed &seed, ValueRuns *runs, Arena *arena);

  // Moves the values to a run if they take more than runs->most_finished() bytes.
  void bound(ValueRuns *runs);
  // Returns the run of all values, if some have been spilled; else null.
  const ValueRun *spilled();
  // Stream all values, in order, or in any order, which is faster. REQUIRES: this does not change
  // meanwhile
  std::unique_ptr<ValueStream> values();
  std::unique_ptr<ValueStream> values_in_any_order();

 private:
  static constexpr u64 kTable = u64{0xFE} << 56;
  bool has_table() const { return one_.text.word[1] == kTable; }
  Table *table() const { return reinterpret_cast<Table *>(one_.text.word[0]); }
  void set_table(Table *table) { one_ = {{{reinterpret_cast<u64>(table), kTable}}, 0}; }
  void make_table(u64 capacity, const Seed &seed, Arena *arena);
  i64 memory_bytes() const;
  void spill(ValueRuns *runs);
  void save_all(std::string *out);
  std::unique_ptr<ValueStream> sorted() const;  // only values in memory
  void take_spilled(SpilledValues *spilled, const Seed &seed, Arena *arena);
  SpilledValues *spilled_values() const;

  Entry one_;  // no text: empty
};

// Counts the present values of a column of texts. The part's context is a Seed.
extern const Reducer kValueCounts;

// Part::bound of states that are ValueCounts.
void bound_counts(const Part &part, State *state);

// For reducers that count something other than texts in ValueCounts.
void merge_counts(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena);
void save_counts(const Part &part, const State *state, std::string *out);
void load_counts(const Part &part, State *state, Bytes saved, Arena *arena);

}  // namespace mrc
