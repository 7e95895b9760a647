#include "plugin/inner/reduction.h"

#include "combine/figure.h"
#include "combine/integers.h"
#include "combine/row_list.h"
#include "map/key_parts.h"
#include "plugin/inner/guarded_reducer.h"

#include <algorithm>
#include <cmath>

namespace mrc {
namespace {

// The context of a column of a plugin.
struct Shown {
  Part part;  // for a state that stands alone
  const mrc_column *column = nullptr;
  const RowListSpec *list = nullptr;  // set: values are kept, and folded when shown
  bool integer_keys = false;
  NumberStyle style;
  PluginPlace place;
};

const Shown &shown(const Column &column) { return *static_cast<const Shown *>(column.context); }

// A state that is only made for showing it.
class ShortState {
 public:
  explicit ShortState(const Part &part)
      : part_(part), words_(static_cast<size_t>(part.reducer->state_bytes + 7) / 8 + 1) {
    if (part_.reducer->init) part_.reducer->init(&part_, get());
  }
  ~ShortState() {
    if (part_.reducer->destroy) part_.reducer->destroy(&part_, get());
  }
  ShortState(const ShortState &) = delete;
  State *get() { return reinterpret_cast<State *>(words_.data()); }
  mrc_arena *memory() { return &memory_; }

 private:
  const Part &part_;
  std::vector<u64> words_;
  Arena arena_;
  ReducerArena memory_{&arena_};
};

// Folds as MRC_ORDERED requires: values in input order, one key at a time.
void fold(const Part &part, const SortedRows &rows, ShortState *state) {
  const std::vector<State *> states(MRC_BATCH, state->get());
  for (i64 at = 0; at < rows.count; at += MRC_BATCH) {
    const mrc_values values{rows.words.data() + at * rows.width, rows.width};
    part.reducer->add(&part, states.data(), values, std::min<i64>(MRC_BATCH, rows.count - at),
                      state->memory());
  }
}

// Calls show(state) with the state for the functions of the column.
template <typename Show>
void with_state(const Shown &of, const State *own, Show show) {
  if (of.list == nullptr) return show(own);
  const SortedRows rows = rows_of(*of.list, own);
  ShortState state(of.part);
  fold(of.part, rows, &state);
  show(static_cast<const State *>(state.get()));
}

Figure number_of(const Shown &of, const State *state) {
  if (of.column->integer) {
    const i64 value = of.column->integer(&of.part, state);
    return value == MRC_NO_INTEGER ? Figure() : Figure::decimal(value, 0);
  }
  const double value = of.column->real(&of.part, state);
  return std::isfinite(value) ? Figure::real(value) : Figure();
}

Figure shown_number(const Column &column, const State *own, const State *) {
  const Shown &of = shown(column);
  Figure number;
  guarded(of.place,
          [&] { with_state(of, own, [&](const State *state) { number = number_of(of, state); }); });
  return number;
}

void finish_text(const Column &column, const State *own, Notation notation, std::string *out) {
  const Shown &of = shown(column);
  std::string text;
  TextOut written(&text);
  guarded(of.place, [&] {
    with_state(of, own, [&](const State *state) { of.column->text(&of.part, state, &written); });
  });
  append_text(text, notation, out);
}

void finish_list(const Column &column, Bytes key, const State *own, Notation notation,
                 std::string *out) {
  const Shown &of = shown(column);
  std::string number, text;
  if (of.integer_keys) {
    take_key_part({.name = {}, .number = true}, &key, &number);
    key = number;
  }
  const SortedRows rows = rows_of(*of.list, own);
  TextOut written(&text);
  guarded(of.place, [&] {
    of.part.reducer->reduce(&of.part, {key.data(), key.size()},
                            {{rows.words.data(), rows.width}, rows.count}, &written);
  });
  append_text(text, notation, out);
}

u64 rank_nothing(const Column &, const State *) { return 0; }

const char *name_of(const Shown &of) {
  if (of.column != nullptr) return of.column->name;
  const mrc_columns &columns = of.part.reducer->columns;  // of `reduce`: none, or one for its name
  return columns.count > 0 && columns.at->name != nullptr ? columns.at->name
                                                          : of.part.reducer->name;
}

Column column_of(const Shown *of, i64 part) {
  const bool text = of->column == nullptr || of->column->text != nullptr;
  Column column{name_of(*of), finish_text, rank_nothing, part, text, of};
  if (!text) column.figure = shown_number;
  column.style = of->style;
  if (of->column == nullptr) column.finish_of_key = finish_list;
  return column;
}

}  // namespace

void add_reduction(const Reduction &reduction, Aggregation *aggregation) {
  const Reducer *reducer = reduction.reducer;
  const i64 part = std::ssize(aggregation->parts);
  Part at(reducer, reduction.value, reduction.position, reduction.context);
  if (reducer->columns.count == 0 && reducer->reduce == nullptr) {
    aggregation->parts.push_back(at);
    aggregation->columns.push_back(builtin_column(reducer, part));
    if (!reduction.name.empty()) aggregation->columns.back().name = reduction.name;
    return;
  }
  auto calling = std::make_shared<GuardedReducer>(reducer, reduction.context, reduction.place);
  aggregation->contexts.push_back(calling);
  at.reducer = &calling->calling;
  at.context = calling.get();
  std::shared_ptr<const RowListSpec> list;
  if (keeps_values(*reducer)) {
    list = std::make_shared<RowListSpec>(RowListSpec{
        at.reducer, at.context, {reducer->values, reducer->values + reducer->value_count}});
    aggregation->contexts.push_back(list);
    at.reducer = &kRowList;
    at.shift = shift_rows;
    at.context = list.get();
  }
  aggregation->parts.push_back(at);
  const size_t columns = reducer->reduce != nullptr ? 1 : reducer->columns.count;
  for (size_t i = 0; i < columns; ++i) {
    auto of =
        std::make_shared<Shown>(Shown{.part = Part(reducer, 0, 0, reduction.context),
                                      .column = reducer->reduce ? nullptr : &reducer->columns.at[i],
                                      .list = list.get(),
                                      .integer_keys = reduction.integer_keys,
                                      .style = reduction.style,
                                      .place = reduction.place});
    of->place.function = of->column == nullptr ? "reduce" : "columns";
    aggregation->columns.push_back(column_of(of.get(), part));
    if (columns == 1 && !reduction.name.empty()) {
      aggregation->columns.back().name = reduction.name;
    }
    aggregation->contexts.push_back(std::move(of));
  }
}

}  // namespace mrc
