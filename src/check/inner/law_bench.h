// Tests a reducer: calls its functions so that forbidden effects become visible.
//
// States lie in guarded memory at an offset, as if after other states, so that a reducer must use
// the offset. Batches have columns of other reducers, too. The arguments of a call become
// inaccessible after it.
#pragma once

#include "check/inner/law_values.h"
#include "plugin/call.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// A state, and the arenas that hold its memory.
struct LawState {
  std::unique_ptr<GuardedMemory> memory;
  std::vector<std::shared_ptr<GuardedArena>> arenas;  // the first is its own
};

// One thread. Forbidden effects of functions are damage, which is kept until it is taken.
class LawBench {
 public:
  // `context`: the result of the job's `open`. All pointers are borrowed.
  LawBench(const char *file, const mrc_reducer *reducer, const void *context);

  const mrc_reducer &reducer() const { return reducer_; }
  LawState make();
  // Adds record i to states[which[i]], all in one batch.
  void add(const std::vector<LawState *> &states, const LawRecords &records,
           const std::vector<size_t> &which);
  void add(LawState *state, const LawRecords &records);
  LawState folded(const LawRecords &records);
  void merge(LawState *into, LawState from);
  // Saves the state, loads it into a new one, and makes the memory of the old one inaccessible.
  LawState reloaded(LawState state);
  LawState moved(LawState state);
  // Returns the text of all columns.
  std::string shown(const LawState &state);
  // For a reducer with `reduce`: returns its text.
  std::string reduced(const LawRecords &records);
  // Like reduced(), but passes the first `n` values through `combine`.
  std::string reduced_combined(const LawRecords &records, size_t n);

  // Returns the damage of the last calls; "": none.
  std::string take_damage();

 private:
  template <typename F>
  void call(const char *function, F &&f);
  void damage(const char *function, const char *what);
  void check(const LawState &state, const char *function);
  mrc_part part() const;
  // Returns the words of the records in rows of width(). `kept` owns them and their texts.
  using Memory = std::vector<std::unique_ptr<GuardedMemory>>;
  u64 *words_of(const LawRecords &records, Memory *kept) const;
  i64 width() const;
  std::string reduce(const u64 *words, i64 count);
  std::string take_saved(const LawState &state);
  mrc_state *passed(const LawState &state) const;

  const char *file_;
  const mrc_reducer &reducer_;
  const void *context_;
  std::string damage_;
};

}  // namespace mrc
