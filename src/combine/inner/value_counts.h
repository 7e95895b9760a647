// combine: the values of a key with their counts, or each with the state of an aggregation.
#pragma once

#include "combine/figure.h"
#include "combine/inner/kept_text.h"
#include "combine/value_runs.h"

#include <functional>
#include <string>
#include <vector>

namespace mrc {

// The different values of a key, with counts.

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

// The different values of a key, each with the state of an aggregation of its own.

// The aggregation that is folded for each value. Its parts neither spill nor hold positions.
struct ValueStatesSpec {
  ValueStatesSpec(Aggregation aggregation, const Seed &the_seed)
      : layout(std::move(aggregation)), seed(the_seed) {}
  const StateLayout layout;
  const Seed seed;
};

// The state has 16 bytes, and all zero bytes are empty. Values that outgrow memory are in runs on
// disk (value_runs.h); the table has the values that came later. The spec must be the same in all
// calls.
class ValueStates {
 public:
  struct Entry {
    KeptText text;
    State *state;  // in the arena; never moves
  };
  struct Table;

  // Returns the state of a value, and makes it if there is none. A new long text is copied.
  State *at(KeptText text, const ValueStatesSpec &spec, Arena *arena);
  // Takes over the table of `other`.
  void merge(ValueStates *other, const ValueStatesSpec &spec, Arena *arena);

  // These work as in ValueCounts.
  bool is_empty() const { return table_ == nullptr && spilled_ == nullptr; }
  void save(const ValueStatesSpec &spec, ValueRuns *runs, std::string *out) const;
  void load(Bytes saved, const ValueStatesSpec &spec, ValueRuns *runs, Arena *arena);
  void bound(const ValueStatesSpec &spec, ValueRuns *runs);

  // Shows each value once, in no order. Reading may move values to disk, but does not change them.
  using Show = std::function<void(Bytes text, const State *state)>;
  void each(const ValueStatesSpec &spec, const Show &show);

 private:
  std::vector<Entry> in_memory() const;
  std::vector<Entry> sorted() const;  // in_memory(), by the bytes of their texts
  const ValueRun *write(const ValueStatesSpec &spec, ValueRuns *runs) const;
  void spill(const ValueStatesSpec &spec, ValueRuns *runs);
  i64 memory_bytes(const ValueStatesSpec &spec) const;

  Table *table_;
  SpilledValues *spilled_;  // null if no values are on disk
};

// Columns of values with their counts, or with the results of another aggregate.

// Columns of values and their counts.

u64 distinct_of(const State *own);  // number of different values

// The value with the most, or the fewest, occurrences; of equal ones the smallest.
void finish_mode(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_mode(const Column &column, const State *own);
void finish_antimode(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_antimode(const Column &column, const State *own);

// Lists as "VALUE (COUNT), ..." or a JSON array of {"value":,"count":}. top has the most frequent
// values first, as many as the column's style says, and is ranked by the first count. histogram has
// all values, the smallest first.
void finish_top(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_top(const Column &column, const State *own);
void stream_histogram(const Column &column, const State *own, Notation notation, std::string *out,
                      Drain *drain);
// Lists all values without counts, the smallest first: "VALUE, VALUE", or a JSON array.
void stream_unique(const Column &column, const State *own, Notation notation, std::string *out,
                   Drain *drain);

// Lists them in the style of JoinedValues, without their sort keys if the style is keyed.
void stream_distinct(const Column &column, const State *own, Notation notation, std::string *out,
                     Drain *drain);

// The values of a key with the largest results of another aggregate (top(3, path, sum:x)).

// The context of the part and of its column. The layout's first column ranks values.
struct RankedValues : ValueStatesSpec {
  RankedValues(Aggregation by, i64 how_many, std::string json_label)
      : ValueStatesSpec(std::move(by), Seed::random()),
        most(how_many),
        label(std::move(json_label)) {}

  // True if the value has a result, by which it is ranked.
  bool has_result(const State *state) const {
    std::string shown;
    layout.finish(0, state, Notation::exact, &shown);
    return !shown.empty();
  }

  const i64 most;           // values in the list
  const std::string label;  // label of their results in JSON
};

// Values are texts, and the values that the layout's parts read.
extern const Reducer kRankedValues;
// Part::bound of kRankedValues.
void bound_ranked(const Part &part, State *state);

// Column functions: a list in the style of topN, with the results in place of counts. Values
// without a result are left out; of equal results the smaller value comes first. A list is ranked
// by its first result.
void finish_ranked(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_ranked(const Column &column, const State *own);

}  // namespace mrc
