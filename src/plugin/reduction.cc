// Reducers are called from everywhere: from map while its batch is emitted, from partial reduction,
// from spilling. These do not know about plugins, so each function is wrapped in one that does,
// once for a batch.
#include "plugin/reduction.h"

#include "base/typed_text.h"
#include "combine/figure.h"
#include "combine/integers.h"
#include "combine/row_list.h"
#include "expr/computed_field.h"
#include "map/key_parts.h"
#include "plugin/opened_reducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mrc {
namespace {

// Calls `f` with the part that the plugin knows. The input is taken from the surrounding call, if
// there is one.
template <typename F>
auto call(const mrc_part *part, const char *function, F f) {
  const auto &guarded_by = *static_cast<const GuardedReducer *>(part->context);
  PluginPlace place = guarded_by.place;
  place.function = function;
  if (const PluginCall *around = PluginCall::current()) {
    place.input = around->place().input;
    place.offset = around->place().offset;
  }
  mrc_part own = *part;
  own.reducer = guarded_by.own;
  own.context = guarded_by.own_context;
  return guarded(place, [&] { return f(*own.reducer, &own); });
}

void add(const mrc_part *part, State *const *states, mrc_values values, int64_t n,
         mrc_arena *arena) {
  call(part, "add", [&](const Reducer &reducer, const mrc_part *own) {
    reducer.add(own, states, values, n, arena);
  });
}

void merge(const mrc_part *part, State *const *into, State *const *from, int64_t n,
           mrc_arena *arena) {
  call(part, "merge", [&](const Reducer &reducer, const mrc_part *own) {
    reducer.merge(own, into, from, n, arena);
  });
}

void save(const mrc_part *part, const State *state, mrc_out *out) {
  call(part, "save",
       [&](const Reducer &reducer, const mrc_part *own) { reducer.save(own, state, out); });
}

void load(const mrc_part *part, State *state, mrc_text saved, mrc_arena *arena) {
  call(part, "load", [&](const Reducer &reducer, const mrc_part *own) {
    reducer.load(own, state, saved, arena);
  });
}

void init(const mrc_part *part, State *state) {
  call(part, "init",
       [&](const Reducer &reducer, const mrc_part *own) { reducer.init(own, state); });
}

void destroy(const mrc_part *part, State *state) {
  call(part, "destroy",
       [&](const Reducer &reducer, const mrc_part *own) { reducer.destroy(own, state); });
}

int64_t combine(const mrc_part *part, uint64_t *words, int64_t width, int64_t n) {
  return call(part, "combine", [&](const Reducer &reducer, const mrc_part *own) {
    const int64_t left = reducer.combine(own, words, width, n);
    if (left < 0 || left > n) fail_plugin(fmt::format("made {} values of {}", left, n));
    return left;
  });
}

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

ValueColumn::Kind kind_of_column(mrc_type type) {
  return type == MRC_INTEGER ? ValueColumn::Kind::integer
         : type == MRC_REAL  ? ValueColumn::Kind::real
                             : ValueColumn::Kind::text;
}

}  // namespace

GuardedReducer::GuardedReducer(const Reducer *the_reducer, const void *context,
                               const PluginPlace &the_place)
    : calling(*the_reducer), own(the_reducer), own_context(context), place(the_place) {
  if (calling.add) calling.add = add;
  if (calling.merge) calling.merge = merge;
  if (calling.save) calling.save = save;
  if (calling.load) calling.load = load;
  if (calling.init) calling.init = init;
  if (calling.destroy) calling.destroy = destroy;
  if (calling.combine) calling.combine = combine;
}

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
  aggregation->calls_plugins = true;
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

namespace {

Status check_count(const Reducer &reducer, size_t fields) {
  if (fields == reducer.value_count) return Status::ok();
  switch (reducer.value_count) {
    case 0: return Status::error(fmt::format("{} looks at no field", reducer.name));
    case 1: return Status::error(fmt::format("{0} needs a field, as in {0}:bytes", reducer.name));
    default:
      return Status::error(fmt::format("{} takes {} values, as in {}", reducer.name,
                                       reducer.value_count, form_of(reducer)));
  }
}

Status check_call(const ReducerCall &call, size_t fields, size_t parameters) {
  if (call.reducer.parameters.count == 0) return check_count(call.reducer, fields + parameters);
  return check_arguments(call.plugin, call.reducer, call.typed, fields, parameters);
}

// Opens a reducer that has `open`, and notes what its states depend on.
Status open_reducer(const ReducerCall &call, std::span<const Expression> parameters,
                    Reduction *reduction, Aggregation *aggregation) {
  const mrc_plugin &about = call.plugin.about();
  const std::string origin =
      fmt::format("{} of plugin {} {}\n", call.reducer.name, about.name, about.version);
  if (call.reducer.open == nullptr) {
    if (call.by_name) *call.depends_on += origin;
    return Status::ok();
  }
  auto opened = OpenedReducer::open(call.plugin, call.reducer, call.typed, parameters);
  if (!opened.is_ok()) return opened.status();
  reduction->context = (*opened)->self();
  aggregation->contexts.push_back(*opened);
  *call.depends_on += origin + (*opened)->text();
  return Status::ok();
}

}  // namespace

Status add_plugin_aggregate(const ReducerCall &call, const std::vector<FieldExpr> &fields,
                            std::span<const Expression> parameters, const std::string &column,
                            const NumberStyle &style, std::vector<ValueColumn> *values,
                            Aggregation *aggregation) {
  const Reducer &reducer = call.reducer;
  Status status = check_call(call, fields.size(), parameters.size());
  if (!status.is_ok()) return status;
  Reduction reduction{
      .reducer = &reducer,
      .value = std::ssize(*values),
      .style = style,
      .place = {.plugin = call.plugin.path().c_str(), .what = "reducer", .name = reducer.name}};
  status = open_reducer(call, parameters, &reduction, aggregation);
  if (!status.is_ok()) return status;
  aggregation->counts_records |= reducer.value_count == 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    const bool has_numbers = !fields[i].computed || fields[i].computed->numbers() != nullptr;
    if (reducer.values[i] != MRC_TEXT && !has_numbers) {
      return Status::error(
          fmt::format("{}: {} is text, and no number", call.typed, fields[i].text));
    }
    values->push_back({kind_of_column(reducer.values[i]), fields[i]});
  }
  if (keeps_values(reducer)) {  // a record has one row of values: its position orders them
    reduction.position = std::ssize(*values);
    values->insert(values->end(), 2, ValueColumn{ValueColumn::Kind::position, {}});
  }
  const size_t before = aggregation->columns.size();
  add_reduction(reduction, aggregation);
  const bool only = aggregation->columns.size() == before + 1;
  for (size_t i = before; i < aggregation->columns.size(); ++i) {
    std::string *name = &aggregation->columns[i].name;
    *name = only ? column : fmt::format("{}.{}", column, *name);
  }
  return Status::ok();
}

Status add_plugin_aggregate(const ReducerCall &call, const Clock &clock, const NumberStyle &style,
                            std::vector<ValueColumn> *values, Aggregation *aggregation) {
  const std::string_view text = call.typed;
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string_view field_text = text.substr(std::min(colon + 1, text.size()));
  std::vector<FieldExpr> fields;
  if (!field_text.empty() && call.reducer.value_count == 1) {
    Result<FieldExpr> field = parse_field(field_text, clock);
    if (!field.is_ok()) return field.status();
    fields.push_back(std::move(*field));
  } else if (!field_text.empty()) {
    return check_call(call, 1, 0);
  }
  return add_plugin_aggregate(call, fields, {}, without_quotes(text), style, values, aggregation);
}

}  // namespace mrc
