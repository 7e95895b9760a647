// combine: values fold into the states of their keys, in place, as they arrive.
#pragma once

#include "record.h"

#include <string>
#include <vector>

namespace mrc {

// How one aggregate folds the values of a key. The functions work on batches, so
// that a call through a pointer is paid once in 1,024 records, and know nothing
// of keys or tables. Plain data: built-in reducers are constants.
//
// Laws: merge is associative and commutative; a state of all zero bytes is its
// identity. Thread safe: calls touch only the states they are given.
struct Reducer {
  const char *name;
  i64 state_bytes;  // a multiple of 8

  // Folds one record into each of states[0, n); the same state may occur often.
  void (*add)(State *const *states, i64 offset, i64 n);
  // into[i] += from[i], where no two into[i] are the same.
  void (*merge)(State *const *into, const State *const *from, i64 offset, i64 n);
  // The result as text, appended.
  void (*finish)(const State *state, std::string *out);
  // The result as a number that orders as the result does.
  u64 (*rank)(const State *state);
};

// The states of a job's reducers side by side, as one state of the container.
class StateLayout {
 public:
  explicit StateLayout(std::vector<const Reducer *> reducers);

  i64 state_bytes() const { return state_bytes_; }
  i64 reducers() const { return static_cast<i64>(parts_.size()); }
  const Reducer &reducer(i64 i) const { return *parts_[static_cast<size_t>(i)].reducer; }

  void add(State *const *states, i64 n) const;
  void merge(State *const *into, const State *const *from, i64 n) const;
  void finish(i64 reducer, const State *state, std::string *out) const;
  u64 rank(i64 reducer, const State *state) const;

 private:
  struct Part {
    const Reducer *reducer;
    i64 offset;
  };
  std::vector<Part> parts_;
  i64 state_bytes_ = 0;
};

// How many records a key has.
extern const Reducer kCount;

}  // namespace mrc
