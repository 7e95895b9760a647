// combine: folds values into the states of their keys, in place, as they arrive.
#pragma once

#include "base/arena.h"
#include "base/number.h"
#include "kinds/kind.h"
#include "mrc_plugin.h"
#include "record.h"

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// How a result is written: as text in the user's style, as a JSON value, or as text with all digits
// regardless of the style.
enum class Notation { text, json, exact };

struct NumberStyle {
  std::optional<i64> round;  // decimal places; a half is rounded towards plus infinity
};

// Built-in reducers are structs of the plugin interface too, so that jobs call all reducers alike.
// mrc_plugin.h states their contract and laws.
using Reducer = mrc_reducer;
class ValueRuns;
struct Part : mrc_part {
  // StateLayout sets the state's offset.
  Part(const Reducer *the_reducer, i64 value_column = 0, i64 position_column = 0,
       const void *parameters = nullptr)
      : mrc_part{the_reducer, value_column, position_column, parameters, 0} {}

  // For reducers that keep all values (value_runs.h): the runs for values that do not fit in
  // memory, which StateLayout sets, and a function that moves the values of a state there before
  // the state is finished.
  ValueRuns *runs = nullptr;
  void (*bound)(const Part &part, State *state) = nullptr;
  // For reducers that keep positions (position_of()): adds to all of them, because inputs may have
  // other numbers than when the state was saved.
  void (*shift)(const Part &part, State *state, u64 by) = nullptr;
  i64 second = 0;  // for reducers of two values: the column of the second
  // True if columns compare the state with that of all groups (reduce/grand_total.h).
  bool wants_total = false;
};

// The encoding of a value is a contract between the mapper and the reducer of its column.
struct ValueRows : mrc_values {
  MRC_INLINE u64 at(i64 record, i64 column) const { return mrc_value(*this, record, column); }
  // Returns a borrowed text, which may be over-read by kPadding bytes. Its data is null if the
  // field is missing.
  MRC_INLINE Bytes text(i64 record, i64 column) const {
    const mrc_text text = mrc_word_text(at(record, column));
    return {text.data, text.size};
  }
};

// Appends what reducers save to a string.
struct TextOut : mrc_out {
  explicit TextOut(std::string *the_text) : mrc_out{append}, text(the_text) {}
  std::string *const text;

 private:
  static void append(mrc_out *out, const void *bytes, size_t size) {
    static_cast<TextOut *>(out)->text->append(static_cast<const char *>(bytes), size);
  }
};

// Lets reducers allocate from an arena during a call.
struct ReducerArena : mrc_arena {
  explicit ReducerArena(Arena *the_arena) : mrc_arena{allocate_piece}, arena(the_arena) {}
  Arena *const arena;

 private:
  static void *allocate_piece(mrc_arena *of, size_t bytes) {
    constexpr size_t kMost = size_t{1} << 47;  // more than any memory: a negative size
    if (bytes > kMost) throw std::bad_alloc();
    return static_cast<ReducerArena *>(of)->arena->alloc(static_cast<i64>(bytes));
  }
};

// Makes a built-in reducer from functions that take the types of the host, not of the interface:
//   void add(const Part &, State *const *states, ValueRows values, i64 n, Arena *)
//   void merge(const Part &, State *const *into, State *const *from, i64 n, Arena *)
//   void save(const Part &, const State *, std::string *out)   appends
//   void load(const Part &, State *, Bytes saved, Arena *)     into a zero state
// It has neither init nor destroy: zero bytes are the identity.
template <auto kAdd, auto kMerge>
constexpr Reducer make_reducer(i64 state_bytes) {
  Reducer reducer{};
  reducer.size = sizeof(Reducer);
  reducer.state_bytes = state_bytes;
  reducer.add = [](const mrc_part *part, State *const *states, mrc_values values, i64 n,
                   mrc_arena *arena) {
    kAdd(static_cast<const Part &>(*part), states, ValueRows{values}, n,
         static_cast<ReducerArena *>(arena)->arena);
  };
  reducer.merge = [](const mrc_part *part, State *const *into, State *const *from, i64 n,
                     mrc_arena *arena) {
    kMerge(static_cast<const Part &>(*part), into, from, n,
           static_cast<ReducerArena *>(arena)->arena);
  };
  return reducer;
}
template <auto kAdd, auto kMerge, auto kSave, auto kLoad>
constexpr Reducer make_reducer(i64 state_bytes) {
  Reducer reducer = make_reducer<kAdd, kMerge>(state_bytes);
  reducer.save = [](const mrc_part *part, const State *state, mrc_out *out) {
    kSave(static_cast<const Part &>(*part), state, static_cast<TextOut *>(out)->text);
  };
  reducer.load = [](const mrc_part *part, State *state, mrc_text saved, mrc_arena *arena) {
    kLoad(static_cast<const Part &>(*part), state, Bytes(saved.data, saved.size),
          static_cast<ReducerArena *>(arena)->arena);
  };
  return reducer;
}

// Consumes text that has grown long, or leaves it until more is there.
class Drain {
 public:
  virtual ~Drain() = default;
  virtual void take(std::string *text) = 0;
};

class Figure;
class Formula;

// One column of the output. It shows the state of a part, or is computed from other columns.
struct Column {
  std::string name;
  // Appends the result. `own` is the part's state.
  void (*finish)(const Column &column, const State *own, Notation notation,
                 std::string *out) = nullptr;
  // Returns a number that orders results.
  u64 (*rank)(const Column &column, const State *own) = nullptr;
  i64 part = 0;
  bool text = false;              // Notation::text may hold any bytes; otherwise it holds numbers
  const void *context = nullptr;  // the column's own parameters
  bool list = false;  // text that is ordered by its rank, which is the amount of its contents
  // Replaces finish and rank for whole numbers, which are not rounded.
  u64 (*whole)(const State *own) = nullptr;
  // Replaces finish and rank for other numbers. `total` is the part's state of all groups together,
  // or null if it is unknown.
  Figure (*figure)(const Column &column, const State *own, const State *total) = nullptr;
  NumberStyle style = {};  // style of figures
  // Replaces finish for results that depend on the group's key as well.
  void (*finish_of_key)(const Column &column, Bytes key, const State *own, Notation notation,
                        std::string *out) = nullptr;
  // Does what finish does, for results that may be larger than memory. Calls `drain` now and then,
  // unless it is null.
  void (*stream)(const Column &column, const State *own, Notation notation, std::string *out,
                 Drain *drain) = nullptr;
  // True if results are positions of the input: the run sets the context, which names them.
  bool positions = false;
  // If set, it replaces all functions above, and the column is computed from other columns.
  std::shared_ptr<const Formula> formula = {};
  // If not negative, this input of a formula is column number `same_as` of the layout that shows
  // the formula, with the context that it has there. A copy could call a plugin without its
  // session.
  i64 same_as = -1;
  FieldKind kind = {};  // kind of the values, if the column is text
};

// True if rows are ordered by the bytes that the column shows, and not by its rank.
inline bool orders_by_text(const Column &column) { return column.text && !column.list; }

// The states and columns that a job computes for each key. Several columns may show one part.
struct Aggregation {
  std::vector<Part> parts;
  std::vector<Column> columns;
  std::vector<std::shared_ptr<const void>> contexts;  // owns what parts and columns point to
  bool counts_records = false;  // an aggregate takes no value: any record is enough
  bool calls_plugins = false;   // a reducer is that of a plugin
};

// The states of a job's parts side by side, as one state of the container. Parts and columns have
// the order of the aggregation.
//
// Containers make states of zero bytes only, and move them. If a reducer has init, a word before
// its state tells whether init was called. If it has destroy, the state is in a piece of the arena,
// which destroys it, and the container's state has the address of the piece.
class StateLayout {
 public:
  // `runs` is null if states never leave memory.
  explicit StateLayout(Aggregation aggregation, ValueRuns *runs = nullptr);
  StateLayout(const StateLayout &) = delete;

  const Aggregation &aggregation() const { return aggregation_; }
  i64 state_bytes() const { return state_bytes_; }
  i64 columns() const { return std::ssize(aggregation_.columns); }
  const Column &column(i64 i) const { return aggregation_.columns[static_cast<size_t>(i)]; }
  // True if a state owns nothing beyond its own bytes.
  bool is_flat() const { return flat_; }
  // True if saved states may leave large parts of themselves on disk.
  bool spills() const { return spills_; }

  void add(State *const *states, ValueRows values, i64 n, Arena *arena) const;
  void merge(State *const *into, State *const *from, i64 n, Arena *arena) const;
  // `key` is the key of the group.
  void finish(i64 column, const State *state, Notation notation, std::string *out,
              Bytes key = {}) const;
  // REQUIRES: the column has `stream`
  void stream(i64 column, const State *state, Notation notation, std::string *out,
              Drain *drain) const;
  u64 rank(i64 column, const State *state, Bytes key = {}) const {
    return rank(this->column(column), state, key);
  }
  // These take a column that is computed from the aggregation's columns and is not one of them.
  void finish(const Column &column, const State *state, Notation notation, std::string *out,
              Bytes key) const;
  u64 rank(const Column &column, const State *state, Bytes key) const;
  // Returns the result as a number that lives as long as the arena; kNoNumber if it is missing.
  // REQUIRES: no text, and no formula
  Number number(const Column &column, const State *state, Bytes key, Arena *wide) const;
  // True if texts may be so long that they should be made for one group at a time.
  bool finishes_alone() const { return finishes_alone_; }

  // True if what is shown of a state depends on the state of all groups together.
  bool wants_total() const { return wants_total_; }
  // Sets the state of all groups, which must outlive the results. Null, the default, means that it
  // is unknown. REQUIRES: no other thread shows states meanwhile
  void set_total(const State *total) { total_ = total; }

  // save() appends what parts own beyond the state's bytes; load() restores it into a copy of those
  // bytes. REQUIRES: !is_flat()
  void save(const State *state, std::string *out) const;
  void load(State *state, Bytes saved, Arena *arena) const;
  // Loads only the parts that want a total; the others stay as they are.
  void load_totals(State *state, Bytes saved, Arena *arena) const;
  // Moves to disk the values that would need too much memory to be finished.
  void bound(State *state) const;
  // Adds to all positions in a state that has just been loaded.
  void shift(State *state, u64 by) const;

 private:
  // Calls show(own) with the state of the column's part.
  template <typename Show>
  void with_own(const Column &column, const State *state, Show show) const;
  bool may_be_long(const Column &column) const;
  // Returns the state of the column's part over all groups; null if it is unknown.
  const State *total_of(const Column &column) const;

  Aggregation aggregation_;
  i64 state_bytes_ = 0;
  bool flat_ = true;
  bool spills_ = false;
  bool wants_total_ = false;
  bool finishes_alone_ = false;
  const State *total_ = nullptr;
};

// Counts the records of a key.
extern const Reducer kCount;
// Counts the records that have the field; values are texts (aggregates.h).
extern const Reducer kPresent;
Column count_column(i64 part);
Aggregation count_aggregation();

// Keeps the smallest value. If values are positions, that is where a key was first seen.
extern const Reducer kFirst;
Column first_column(i64 part);
Aggregation first_aggregation();

}  // namespace mrc
