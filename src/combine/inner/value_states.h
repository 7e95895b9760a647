// combine: the different values of a key, each with the state of an aggregation of its own.
#pragma once

#include "combine/inner/kept_text.h"
#include "combine/value_runs.h"

#include <functional>
#include <vector>

namespace mrc {

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

}  // namespace mrc
