// combine: values fold into the states of their keys, in place, as they arrive.
#pragma once

#include "base/arena.h"
#include "record.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// How a result is written: as plain text, or as a JSON value.
enum class Notation { text, json };

// The values of a batch of records: `width` words for each, row by row. What a word
// means is between the mapper that makes it and the reducer that reads its column.
struct ValueRows {
  const u64 *words = nullptr;
  i64 width = 0;

  MRC_INLINE u64 at(i64 record, i64 column) const { return words[record * width + column]; }
};

struct Reducer;

// One reducer of a job: what it folds, and where.
struct Part {
  const Reducer *reducer;
  i64 value = 0;                  // the column of its values
  i64 position = 0;               // that of positions, for those that need the order of input
  const void *context = nullptr;  // the reducer's own parameters
  i64 offset = 0;                 // of its state in the job's; StateLayout says
};

// How one aggregate folds the values of a key. The functions work on batches, so
// that a call through a pointer is paid once in 1,024 records, and know nothing
// of keys or tables. They are given the states of all parts and take their own, at
// part.offset. Plain data: built-in reducers are constants.
//
// Laws: merge is associative and commutative as far as results can tell; a state of
// all zero bytes is its identity. Thread safe: calls touch only the states they are
// given and the arena of the caller.
//
// A state may own memory beyond its bytes, from the arena of whoever adds. merge may
// take it over: `from` is not used any more. Such reducers have save and load.
struct Reducer {
  i64 state_bytes;  // a multiple of 8

  // Folds the values of record i into states[i], for i < n; the same state may occur often.
  void (*add)(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena);
  // into[i] += from[i], in order; the same into[i] may occur often.
  void (*merge)(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena);

  // The whole state as bytes that can be moved and kept, appended, and back into a
  // zero state. Null: the state's own bytes are that already; nothing appended: they are
  // in this case, and load is not called.
  void (*save)(const Part &part, const State *state, std::string *out) = nullptr;
  void (*load)(const Part &part, State *state, Bytes saved, Arena *arena) = nullptr;
};

// One column of the output: what is shown of a part's state.
struct Column {
  std::string name;
  // The result, appended. `own` is the part's state.
  void (*finish)(const Column &column, const State *own, Notation notation, std::string *out);
  // The result as a number that orders as the result does.
  u64 (*rank)(const Column &column, const State *own);
  i64 part = 0;
  bool text = false;  // results in Notation::text may hold any bytes; else they are numbers
  const void *context = nullptr;  // its own parameters
  bool list = false;              // text that orders by its rank, which is how much is in it
};

// Whether rows are ordered by what the column shows, as bytes, and not by its rank.
inline bool orders_by_text(const Column &column) { return column.text && !column.list; }

// What a job computes for each key: states that are folded, and what is shown of them.
// Several columns may show one part.
struct Aggregation {
  std::vector<Part> parts;
  std::vector<Column> columns;
  std::vector<std::shared_ptr<const void>> contexts;  // owns what the above point to
};

// The states of a job's parts side by side, as one state of the container. Everything
// is by part or by column, in the order of the aggregation.
class StateLayout {
 public:
  explicit StateLayout(Aggregation aggregation);

  i64 state_bytes() const { return state_bytes_; }
  i64 columns() const { return std::ssize(aggregation_.columns); }
  const Column &column(i64 i) const { return aggregation_.columns[static_cast<size_t>(i)]; }
  // Whether a state's own bytes are all there is to it.
  bool is_flat() const { return flat_; }

  void add(State *const *states, ValueRows values, i64 n, Arena *arena) const;
  void merge(State *const *into, State *const *from, i64 n, Arena *arena) const;
  void finish(i64 column, const State *state, Notation notation, std::string *out) const;
  u64 rank(i64 column, const State *state) const;

  // What parts own beyond the state's bytes, appended; and back, into a copy of
  // those bytes. For layouts that are not flat.
  void save(const State *state, std::string *out) const;
  void load(State *state, Bytes saved, Arena *arena) const;

 private:
  const State *own(const Column &column, const State *state) const {
    return state + aggregation_.parts[static_cast<size_t>(column.part)].offset;
  }

  Aggregation aggregation_;
  i64 state_bytes_ = 0;
  bool flat_ = true;
};

// How many records a key has.
extern const Reducer kCount;
// How many records have the field; values are texts (aggregates.h).
extern const Reducer kPresent;
Column count_column(i64 part);
Aggregation count_aggregation();

// The smallest value: where a key was first seen, if values are positions.
extern const Reducer kFirst;
Column first_column(i64 part);
Aggregation first_aggregation();

}  // namespace mrc
