// Tests a reducer: calls its functions so that forbidden effects become visible.
//
// States lie in guarded memory at an offset, as if after other states, so that a reducer must use
// the offset. Batches have columns of other reducers, too. The arguments of a call become
// inaccessible after it.
#pragma once

#include "base/int.h"
#include "mrc_plugin.h"
#include "plugin/call.h"

#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// Memory and values with which the laws of plugins are tried.

// Memory that detects a plugin that writes beside it or uses it too late.
//
// The bytes are followed by 64 bytes of a pattern and then by inaccessible pages; before them, the
// pattern fills the page, and inaccessible pages precede it. The pattern is checked after each
// call. Memory that a plugin must not use any more becomes inaccessible, and its addresses are not
// reused while the process lives. So a plugin that uses a kept pointer crashes, and the message
// about the crash says why. Any thread.

class GuardedMemory {
 public:
  // `what` completes "it touched ...", and must live forever: "memory beside a state".
  GuardedMemory(size_t bytes, const char *what);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory &) = delete;
  GuardedMemory &operator=(const GuardedMemory &) = delete;

  unsigned char *data() const { return data_; }
  size_t size() const { return size_; }
  bool intact() const;  // true if nothing was written beside it
  // From now on, accessing it crashes.
  void forbid(const char *what);

 private:
  size_t size_, mapped_;
  unsigned char *map_, *data_, *end_;
  bool forbidden_ = false;
};

// Returns the `what` of the guarded memory at `address`; nullptr: not guarded. Signal safe.
const char *explain_address(const void *address);

// An arena of guarded pieces, which are filled with garbage.
class GuardedArena : public mrc_arena {
 public:
  GuardedArena();
  bool intact() const;
  void forbid();

 private:
  std::vector<std::unique_ptr<GuardedMemory>> pieces_;
};

// Values for trying laws: of all types, hard on programs, or from the author's sample.

struct LawValue {
  mrc_type type = MRC_TEXT;
  i64 integer = 0;
  double real = 0;
  std::optional<std::string> text = {};  // unset: missing
};
// The values that a reducer takes of one record, and of several.
using LawRecord = std::vector<LawValue>;
using LawRecords = std::vector<LawRecord>;

class LawValues {
 public:
  // `lines`: from the author's sample; may be empty.
  LawValues(std::span<const mrc_type> types, std::span<const std::string> lines, u64 seed);
  // Returns at most `most` records, all of one kind: small, extreme, from the sample, or mixed.
  LawRecords next(size_t most);
  LawRecords many(size_t size);

 private:
  LawValue value(mrc_type type, u64 kind);
  u64 random(u64 below) { return random_() % below; }

  std::vector<mrc_type> types_;
  std::vector<std::string> texts_;  // lines of the sample, and the words in them
  std::vector<double> numbers_;
  std::mt19937_64 random_;
};

// Returns the simplest value of a type, for smaller counterexamples.
LawValue simplest(mrc_type type);
bool is_simplest(const LawValue &value);
// Returns "3", "0.5", "\"a\\n\"" or "missing"; shortens long texts.
std::string show_value(const LawValue &value);
// Returns "add(3) add(5)".
std::string show_records(const LawRecords &records);

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
