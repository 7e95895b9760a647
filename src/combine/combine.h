// combine: values fold into the states of their keys, in place, as they arrive.
#pragma once

#include "base/arena.h"
#include "record.h"

#include <string>
#include <vector>

namespace mrc {

// How a result is written: as plain text, or as a JSON value.
enum class Notation { text, json };

// How one aggregate folds the values of a key. The functions work on batches, so
// that a call through a pointer is paid once in 1,024 records, and know nothing
// of keys or tables. Plain data: built-in reducers are constants.
//
// Laws: merge is associative and commutative as far as finish can tell; a state of
// all zero bytes is its identity. Thread safe: calls touch only the states they are
// given and the arena of the caller.
//
// A state may own memory beyond its bytes, from the arena of whoever adds. merge may
// take it over: `from` is not used any more. Such reducers have save and load.
struct Reducer {
  const char *name;
  i64 state_bytes;  // a multiple of 8

  // Folds values[i] into states[i], for i < n; the same state may occur often.
  void (*add)(State *const *states, i64 offset, const u64 *values, i64 n, Arena *arena);
  // into[i] += from[i], in order; the same into[i] may occur often.
  void (*merge)(State *const *into, State *const *from, i64 offset, i64 n, Arena *arena);
  // The result, appended. `context` is the reducer's own.
  void (*finish)(const void *context, const State *state, Notation notation, std::string *out);
  // The result as a number that orders as the result does.
  u64 (*rank)(const State *state);

  // The whole state as bytes that can be moved and kept, appended, and back into a
  // zero state. Null: the state's own bytes are that already.
  void (*save)(const State *state, std::string *out) = nullptr;
  void (*load)(State *state, Bytes saved, Arena *arena) = nullptr;
  bool text = false;  // results in Notation::text may hold any bytes; else they are numbers
  const void *context = nullptr;
};

// The states of a job's reducers side by side, as one state of the container.
class StateLayout {
 public:
  explicit StateLayout(std::vector<const Reducer *> reducers);

  i64 state_bytes() const { return state_bytes_; }
  i64 reducers() const { return static_cast<i64>(parts_.size()); }
  const Reducer &reducer(i64 i) const { return *parts_[static_cast<size_t>(i)].reducer; }
  // Whether a state's own bytes are all there is to it.
  bool is_flat() const { return flat_; }

  void add(State *const *states, const u64 *values, i64 n, Arena *arena) const;
  void merge(State *const *into, State *const *from, i64 n, Arena *arena) const;
  void finish(i64 reducer, const State *state, Notation notation, std::string *out) const;
  u64 rank(i64 reducer, const State *state) const;

  // What reducers own beyond the state's bytes, appended; and back, into a copy of
  // those bytes. For layouts that are not flat.
  void save(const State *state, std::string *out) const;
  void load(State *state, Bytes saved, Arena *arena) const;

 private:
  struct Part {
    const Reducer *reducer;
    i64 offset;
  };
  std::vector<Part> parts_;
  i64 state_bytes_ = 0;
  bool flat_ = true;
};

// How many records a key has.
extern const Reducer kCount;
// The smallest value: where a key was first seen, if values are positions.
extern const Reducer kFirst;

}  // namespace mrc
