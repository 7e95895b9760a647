// combine: the different values of a key, each with the state of an aggregation of its own.
#pragma once

#include "combine/kept_text.h"
#include "combine/value_runs.h"

#include <functional>
#include <vector>

namespace mrc {

// What is folded for each value. The layout's parts neither spill nor hold positions.
struct ValueStatesSpec {
  ValueStatesSpec(Aggregation aggregation, const Seed &the_seed)
      : layout(std::move(aggregation)), seed(the_seed) {}
  const StateLayout layout;
  const Seed seed;
};

// The state: 16 bytes. All zero is empty. What outgrows memory is in runs on disk (value_runs.h),
// beside the table of what came later. The spec must be the same in all calls.
class ValueStates {
 public:
  struct Entry {
    KeptText text;
    State *state;  // in the arena, where it stays
  };
  struct Table;

  // The state of a value, made if there is none. A long text that is new is copied.
  State *at(KeptText text, const ValueStatesSpec &spec, Arena *arena);
  // Takes over the table of `other`.
  void merge(ValueStates *other, const ValueStatesSpec &spec, Arena *arena);

  // As ValueCounts has them.
  bool is_empty() const { return table_ == nullptr && spilled_ == nullptr; }
  void save(const ValueStatesSpec &spec, ValueRuns *runs, std::string *out) const;
  void load(Bytes saved, const ValueStatesSpec &spec, ValueRuns *runs, Arena *arena);
  void bound(const ValueStatesSpec &spec, ValueRuns *runs);

  // Shows each value once, in no order. To look at them may move them to disk, and changes none.
  using Show = std::function<void(Bytes text, const State *state)>;
  void each(const ValueStatesSpec &spec, const Show &show);

 private:
  std::vector<Entry> in_memory() const;
  std::vector<Entry> sorted() const;  // the same, by the bytes of their texts
  const ValueRun *write(const ValueStatesSpec &spec, ValueRuns *runs) const;
  void spill(const ValueStatesSpec &spec, ValueRuns *runs);
  i64 memory_bytes(const ValueStatesSpec &spec) const;

  Table *table_;
  SpilledValues *spilled_;  // null: nothing has been
};

}  // namespace mrc
