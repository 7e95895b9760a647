#include "combine/inner/ranked_values.h"

#include "combine/inner/first_values.h"
#include "combine/inner/value_list_text.h"

#include <algorithm>
#include <array>

namespace mrc {
namespace {

ValueStates *states_of(State *state) { return reinterpret_cast<ValueStates *>(state); }
// Reading values may move them to disk, but does not change them.
ValueStates *states_of(const State *own) { return states_of(const_cast<State *>(own)); }

const RankedValues &spec_of(const Part &part) {
  return *static_cast<const RankedValues *>(part.context);
}
const RankedValues &spec_of(const Column &column) {
  return *static_cast<const RankedValues *>(column.context);
}

// Folds adjacent records that have a value in one call.
void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  constexpr i64 kMost = 64;
  const RankedValues &spec = spec_of(part);
  std::array<State *, kMost> into;
  i64 first = 0, count = 0;
  const auto flush = [&] {
    if (count == 0) return;
    const u64 *words = values.words + first * values.width;
    spec.layout.add(into.data(), ValueRows{{words, values.width}}, count, arena);
    count = 0;
  };
  for (i64 i = 0; i < n; ++i) {
    const Bytes text = values.text(i, part.value);
    if (count == kMost || !is_present(text)) flush();
    if (!is_present(text)) continue;
    if (count == 0) first = i;
    ValueStates *own = states_of(states[i] + part.offset);
    into[static_cast<size_t>(count++)] = own->at(borrow_text(text), spec, arena);
  }
  flush();
}

void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    states_of(into[i] + part.offset)->merge(states_of(from[i] + part.offset), spec_of(part), arena);
  }
}

void save(const Part &part, const State *state, std::string *out) {
  const ValueStates &own = *reinterpret_cast<const ValueStates *>(state + part.offset);
  if (!own.is_empty()) own.save(spec_of(part), part.runs, out);
}

void load_ranked(const Part &part, State *state, Bytes saved, Arena *arena) {
  states_of(state + part.offset)->load(saved, spec_of(part), part.runs, arena);
}

}  // namespace

const Reducer kRankedValues = make_reducer<add, merge, save, load_ranked>(sizeof(ValueStates));

void bound_ranked(const Part &part, State *state) {
  states_of(state + part.offset)->bound(spec_of(part), part.runs);
}

void finish_ranked(const Column &column, const State *own, Notation notation, std::string *out) {
  const RankedValues &spec = spec_of(column);
  FirstValues first(static_cast<size_t>(spec.most), is_more);
  states_of(own)->each(spec, [&](Bytes text, const State *state) {
    const u64 rank = spec.layout.rank(0, state);
    if (rank == 0 && !spec.has_result(state)) return;
    Arena wide;
    first.offer({text, number_in(text, &wide), rank},
                [&](std::string *shown) { spec.layout.finish(0, state, notation, shown); });
  });
  ValueListText list(spec.label, notation, out);
  first.each(
      [&](const CountedValue &value, const std::string &shown) { list.add(value.text, shown); });
  list.end();
}

u64 rank_ranked(const Column &column, const State *own) {
  const RankedValues &spec = spec_of(column);
  u64 most = 0;
  states_of(own)->each(
      spec, [&](Bytes, const State *state) { most = std::max(most, spec.layout.rank(0, state)); });
  return most;
}

}  // namespace mrc
