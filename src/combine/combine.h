// combine: values fold into the states of their keys, in place, as they arrive.
#pragma once

#include "base/arena.h"
#include "base/number.h"
#include "fields/kind.h"
#include "mrc_plugin.h"
#include "record.h"

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// How a result is written: as plain text, as a JSON value, or as text with all digits, however
// the user wants to see it.
enum class Notation { text, json, exact };

// The style in which numbers are printed.
struct NumberStyle {
  std::optional<i64> round;  // decimal places; a half is rounded towards plus infinity
};

// The reducers of a job are structs of the plugin interface, where their contract and laws
// are: what mrc has built in goes through the same door as what plugins bring.
using Reducer = mrc_reducer;
class ValueRuns;
struct Part : mrc_part {
  // The state's offset is set by StateLayout.
  Part(const Reducer *the_reducer, i64 value_column = 0, i64 position_column = 0,
       const void *parameters = nullptr)
      : mrc_part{the_reducer, value_column, position_column, parameters, 0} {}

  // Of reducers that keep all values (value_runs.h): where values go that memory is too small
  // for, set by StateLayout, and what moves those of a state there before it is finished.
  ValueRuns *runs = nullptr;
  void (*bound)(const Part &part, State *state) = nullptr;
  // Of reducers that keep positions (position_of()): adds to all of them, when inputs have other
  // numbers than when the state was saved.
  void (*shift)(const Part &part, State *state, u64 by) = nullptr;
  i64 second = 0;  // of reducers of two values: the column of the other one
  // Columns show the state beside that of all groups together (reduce/total_state.h).
  bool wants_total = false;
};

// What a word of the values means is between the mapper that makes it and the reducer that
// reads its column.
struct ValueRows : mrc_values {
  MRC_INLINE u64 at(i64 record, i64 column) const { return mrc_value(*this, record, column); }
  // Of a column of texts: borrowed, and may be over-read by kPadding bytes. Without data if the
  // field is missing.
  MRC_INLINE Bytes text(i64 record, i64 column) const {
    const mrc_text text = mrc_word_text(at(record, column));
    return {text.data, text.size};
  }
};

// Where reducers save states.
struct TextOut : mrc_out {
  explicit TextOut(std::string *the_text) : mrc_out{append}, text(the_text) {}
  std::string *const text;

 private:
  static void append(mrc_out *out, const void *bytes, size_t size) {
    static_cast<TextOut *>(out)->text->append(static_cast<const char *>(bytes), size);
  }
};

// Where reducers take memory: an arena, for the time of a call.
struct ReducerArena : mrc_arena {
  explicit ReducerArena(Arena *the_arena) : mrc_arena{allocate_piece}, arena(the_arena) {}
  Arena *const arena;

 private:
  static void *allocate_piece(mrc_arena *of, size_t bytes) {
    constexpr size_t kMost = size_t{1} << 47;  // beyond all memory: a size that went below zero
    if (bytes > kMost) throw std::bad_alloc();
    return static_cast<ReducerArena *>(of)->arena->alloc(static_cast<i64>(bytes));
  }
};

// A built-in reducer from functions that take the types of the host, not of the interface:
//   void add(const Part &, State *const *states, ValueRows values, i64 n, Arena *)
//   void merge(const Part &, State *const *into, State *const *from, i64 n, Arena *)
//   void save(const Part &, const State *, std::string *out), appended
//   void load(const Part &, State *, Bytes saved, Arena *), into a zero state
// They have neither init nor destroy: zero bytes are their identity.
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

// Takes text that has grown long, and leaves it empty.
class Drain {
 public:
  virtual ~Drain() = default;
  virtual void take(std::string *text) = 0;
};

class Figure;
class Formula;

// One column of the output: what is shown of a part's state, or made of what others show.
struct Column {
  std::string name;
  // The result, appended. `own` is the part's state.
  void (*finish)(const Column &column, const State *own, Notation notation,
                 std::string *out) = nullptr;
  // The result as a number that orders as the result does.
  u64 (*rank)(const Column &column, const State *own) = nullptr;
  i64 part = 0;
  bool text = false;  // results in Notation::text may hold any bytes; else they are numbers
  const void *context = nullptr;  // its own parameters
  bool list = false;              // text that orders by its rank, which is how much is in it
  // In place of finish and rank, for whole numbers, which are not rounded.
  u64 (*whole)(const State *own) = nullptr;
  // Computes other numbers. `total` is the part's state of all groups together, or null if it is
  // unknown.
  Figure (*figure)(const Column &column, const State *own, const State *total) = nullptr;
  NumberStyle style = {};  // of figures
  // In place of finish, for what looks at the group's key as well.
  void (*finish_of_key)(const Column &column, Bytes key, const State *own, Notation notation,
                        std::string *out) = nullptr;
  // The same as finish, for results that may be longer than memory: `drain` is called now and
  // then, unless it is null.
  void (*stream)(const Column &column, const State *own, Notation notation, std::string *out,
                 Drain *drain) = nullptr;
  bool positions = false;  // of the input: the run gives them names, as the context
  // If set, it replaces all functions above: the column is computed of other columns.
  std::shared_ptr<const Formula> formula = {};
  // If not negative, an input of a formula is this column of the layout that shows the formula,
  // with the context that it has there: a copy could call a plugin without its session.
  i64 same_as = -1;
  FieldKind kind = {};  // of text: what is known of its values
};

// Whether rows are ordered by what the column shows, as bytes, and not by its rank.
inline bool orders_by_text(const Column &column) { return column.text && !column.list; }

// What a job computes for each key: states that are folded, and what is shown of them.
// Several columns may show one part.
struct Aggregation {
  std::vector<Part> parts;
  std::vector<Column> columns;
  std::vector<std::shared_ptr<const void>> contexts;  // owns what the above point to
  bool counts_records = false;  // an aggregate needs no value: any record is enough
};

// The states of a job's parts side by side, as one state of the container. Everything
// is by part or by column, in the order of the aggregation.
//
// Containers know states of zero bytes only, and move them. A reducer that needs init has
// a word in front of its state that tells whether it was called; the state of one with
// destroy is in a piece of the arena, which destroys it, and here is its address.
class StateLayout {
 public:
  // `runs`: null if no state has to leave memory.
  explicit StateLayout(Aggregation aggregation, ValueRuns *runs = nullptr);
  StateLayout(const StateLayout &) = delete;

  const Aggregation &aggregation() const { return aggregation_; }
  i64 state_bytes() const { return state_bytes_; }
  i64 columns() const { return std::ssize(aggregation_.columns); }
  const Column &column(i64 i) const { return aggregation_.columns[static_cast<size_t>(i)]; }
  // Whether a state's own bytes are all there is to it.
  bool is_flat() const { return flat_; }
  // Whether states that are saved leave large parts of themselves on disk.
  bool spills() const { return spills_; }

  void add(State *const *states, ValueRows values, i64 n, Arena *arena) const;
  void merge(State *const *into, State *const *from, i64 n, Arena *arena) const;
  // `key` is that of the group.
  void finish(i64 column, const State *state, Notation notation, std::string *out,
              Bytes key = {}) const;
  // REQUIRES: the column has `stream`
  void stream(i64 column, const State *state, Notation notation, std::string *out,
              Drain *drain) const;
  u64 rank(i64 column, const State *state, Bytes key = {}) const {
    return rank(this->column(column), state, key);
  }
  // The same of a column that is not one of the aggregation's, but made of them.
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
  // That state, which must outlive what is shown; null, as at first: none is known. Not to be
  // called while another thread shows states.
  void set_total(const State *total) { total_ = total; }

  // What parts own beyond the state's bytes, appended; and back, into a copy of
  // those bytes. For layouts that are not flat.
  void save(const State *state, std::string *out) const;
  void load(State *state, Bytes saved, Arena *arena) const;
  // The same of the parts that want a total; the others stay as they are.
  void load_totals(State *state, Bytes saved, Arena *arena) const;
  // Moves to disk what would take too much memory to be finished.
  void bound(State *state) const;
  // Adds to all positions in a state, which has just been loaded.
  void shift(State *state, u64 by) const;

 private:
  // Calls show(own) with what a column's functions take.
  template <typename Show>
  void with_own(const Column &column, const State *state, Show show) const;
  bool may_be_long(const Column &column) const;
  // That of the column's part, in the state of all groups; null: none is known.
  const State *total_of(const Column &column) const;

  Aggregation aggregation_;
  i64 state_bytes_ = 0;
  bool flat_ = true;
  bool spills_ = false;
  bool wants_total_ = false;
  bool finishes_alone_ = false;
  const State *total_ = nullptr;
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
