// A reducer under test: its functions, called so that what they must not do shows.
//
// States lie in guarded memory at an offset, as after other states in a job, so that the offset
// counts. Batches have columns of others beside those of the reducer. What a call was given
// cannot be touched after it.
#pragma once

#include "check/law_memory.h"
#include "check/law_values.h"
#include "plugin/call.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// A state, and the arena that its reducer may take memory from.
struct LawState {
  std::unique_ptr<GuardedMemory> memory;
  std::vector<std::shared_ptr<GuardedArena>> arenas;  // the first is its own
};

// One thread. What functions do that no one may do is damage: kept until it is taken.
class LawBench {
 public:
  // `context`: what the job's `open` made. All are borrowed.
  LawBench(const char *file, const mrc_reducer *reducer, const void *context);

  const mrc_reducer &reducer() const { return reducer_; }
  LawState make();
  // Record i is added to states[which[i]], all in one batch.
  void add(const std::vector<LawState *> &states, const LawRecords &records,
           const std::vector<size_t> &which);
  void add(LawState *state, const LawRecords &records);
  LawState folded(const LawRecords &records);
  void merge(LawState *into, LawState from);
  // Saved, and loaded into a new state; what the old one consisted of is gone.
  LawState reloaded(LawState state);
  LawState moved(LawState state);
  // All its columns.
  std::string shown(const LawState &state);
  // Of a reducer of lists: the text that it makes.
  std::string reduced(const LawRecords &records);
  // The same of a list whose first `n` values went through `combine`.
  std::string reduced_combined(const LawRecords &records, size_t n);

  // Why the last calls were wrong; "": they were not.
  std::string take_damage();

 private:
  template <typename F>
  void call(const char *function, F &&f);
  void damage(const char *function, const char *what);
  void check(const LawState &state, const char *function);
  mrc_part part() const;
  // Words of the records, in rows of width(), and the texts they point to, in `kept`.
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
