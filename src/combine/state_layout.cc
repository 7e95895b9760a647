#include "combine/combine.h"
#include "combine/figure.h"
#include "combine/group_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

namespace mrc {
namespace {

constexpr i64 kMark = 8;           // bytes before a state that init makes
constexpr i64 kMostStates = 1024;  // maximum number of states in a call
static_assert(Batch<Key16>::kCapacity <= kMostStates);

bool is_marked(const Part &part) { return part.reducer->init && !part.reducer->destroy; }
bool is_boxed(const Part &part) { return part.reducer->destroy != nullptr; }

u64 *mark_of(const Part &part, State *state) {
  return reinterpret_cast<u64 *>(state + part.offset - kMark);
}
State **box_of(const Part &part, State *state) {
  return reinterpret_cast<State **>(state + part.offset);
}

i64 round_up(i64 bytes) { return (bytes + 7) / 8 * 8; }

void make_new(const Part &part, State *state) {
  std::memset(state + part.offset, 0, static_cast<size_t>(part.reducer->state_bytes));
  if (part.reducer->init) part.reducer->init(&part, state);
}

void initialise(const Part &part, State *state) {
  if (*mark_of(part, state) != 0) return;
  *mark_of(part, state) = 1;
  make_new(part, state);
}

// Returns the part for a state that stands alone, at offset 0.
Part alone(const Part &part) {
  Part own = part;
  own.offset = 0;
  return own;
}

State *unboxed(const Part &part, State *state, Arena *arena) {
  State **box = box_of(part, state);
  if (*box != nullptr) return *box;
  *box = arena->alloc(round_up(part.reducer->state_bytes));
  make_new(alone(part), *box);
  arena->destroy_later(
      [](const void *context, State *piece) {
        const Part own = alone(*static_cast<const Part *>(context));
        own.reducer->destroy(&own, piece);
      },
      &part, *box);
  return *box;
}

void add_boxed(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  assert(n <= kMostStates);
  std::array<State *, kMostStates> boxes;
  for (i64 i = 0; i < n; ++i) boxes[static_cast<size_t>(i)] = unboxed(part, states[i], arena);
  const Part own = alone(part);
  ReducerArena memory(arena);
  part.reducer->add(&own, boxes.data(), values, n, &memory);
}

void merge_boxed(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
  assert(n <= kMostStates);
  std::array<State *, kMostStates> to, of;
  i64 full = 0;
  for (i64 i = 0; i < n; ++i) {
    if (*box_of(part, from[i]) == nullptr) continue;
    of[static_cast<size_t>(full)] = *box_of(part, from[i]);
    to[static_cast<size_t>(full++)] = unboxed(part, into[i], arena);
  }
  const Part own = alone(part);
  ReducerArena memory(arena);
  part.reducer->merge(&own, to.data(), of.data(), full, &memory);
}

// Saves a box as a byte 0, which shows that there is a box, and its state. load() must be called
// even for a state without content: copied bytes would have two owners.
void save_box(const Part &part, const State *box, std::string *out) {
  out->push_back('\0');
  TextOut saved(out);
  const Part own = alone(part);
  part.reducer->save(&own, box, &saved);
}

void load_box(const Part &part, State *state, Bytes saved, Arena *arena) {
  *box_of(part, state) = nullptr;
  if (saved.empty()) return;
  const Part own = alone(part);
  ReducerArena memory(arena);
  part.reducer->load(&own, unboxed(part, state, arena), {saved.data() + 1, saved.size() - 1},
                     &memory);
}

Number number_of(u64 whole, Arena *wide) {
  constexpr u64 kMost = u64{1} << 58;
  return whole < kMost ? make_number(static_cast<i64>(whole), 0)
                       : decimal_number(static_cast<__int128>(whole), 0, wide);
}

void append_whole(u64 number, std::string *out) {
  const fmt::format_int text(number);
  out->append(text.data(), text.size());
}

}  // namespace

StateLayout::StateLayout(Aggregation aggregation, ValueRuns *runs)
    : aggregation_(std::move(aggregation)) {
  for (Part &part : aggregation_.parts) {
    if (part.bound != nullptr) part.runs = runs;
    spills_ = spills_ || part.runs != nullptr;
    wants_total_ = wants_total_ || part.wants_total;
    if (is_marked(part)) state_bytes_ += kMark;
    part.offset = state_bytes_;
    state_bytes_ += is_boxed(part) ? i64{sizeof(State *)} : round_up(part.reducer->state_bytes);
    // A reducer with destroy has save, which the loader checks.
    flat_ = flat_ && part.reducer->save == nullptr && !is_boxed(part);
  }
  finishes_alone_ = std::ranges::any_of(
      aggregation_.columns, [this](const Column &column) { return may_be_long(column); });
}

bool StateLayout::may_be_long(const Column &column) const {
  if (column.formula) {
    return std::ranges::any_of(column.formula->inputs(), [this](const Formula::Input &input) {
      return input.column.same_as < 0 && may_be_long(input.column);
    });
  }
  return column.text && aggregation_.parts[static_cast<size_t>(column.part)].runs != nullptr;
}

void StateLayout::add(State *const *states, ValueRows values, i64 n, Arena *arena) const {
  ReducerArena memory(arena);
  for (const Part &part : aggregation_.parts) {
    if (is_boxed(part)) {
      add_boxed(part, states, values, n, arena);
      continue;
    }
    if (is_marked(part)) {
      for (i64 i = 0; i < n; ++i) initialise(part, states[i]);
    }
    part.reducer->add(&part, states, values, n, &memory);
  }
}

void StateLayout::merge(State *const *into, State *const *from, i64 n, Arena *arena) const {
  ReducerArena memory(arena);
  for (const Part &part : aggregation_.parts) {
    if (is_boxed(part)) {
      merge_boxed(part, into, from, n, arena);
      continue;
    }
    if (is_marked(part)) {
      for (i64 i = 0; i < n; ++i) initialise(part, into[i]), initialise(part, from[i]);
    }
    part.reducer->merge(&part, into, from, n, &memory);
  }
}

// A state that has no values yet is made anew to be shown.
template <typename Show>
void StateLayout::with_own(const Column &column, const State *state, Show show) const {
  const Part &part = aggregation_.parts[static_cast<size_t>(column.part)];
  const bool marked = is_marked(part);
  if (!marked && !is_boxed(part)) return show(state + part.offset);
  State *mutable_state = const_cast<State *>(state);
  if (marked && *mark_of(part, mutable_state) != 0) return show(state + part.offset);
  if (!marked && *box_of(part, mutable_state) != nullptr) {
    return show(*box_of(part, mutable_state));
  }
  std::vector<u64> words(static_cast<size_t>(round_up(part.reducer->state_bytes)) / 8);
  State *fresh = reinterpret_cast<State *>(words.data());
  const Part own = alone(part);
  make_new(own, fresh);
  show(static_cast<const State *>(fresh));
  if (!marked) own.reducer->destroy(&own, fresh);
}

void StateLayout::finish(const Column &shown, const State *state, Notation notation,
                         std::string *out, Bytes key) const {
  if (shown.formula) {
    const BorrowedBatch alone(*this);
    alone->add(key, state);
    return alone->append(shown, 0, notation, out);
  }
  if (shown.finish_of_key && aggregation_.parts.empty()) {  // made from the key alone
    return shown.finish_of_key(shown, key, nullptr, notation, out);
  }
  with_own(shown, state, [&](const State *own) {
    if (shown.whole) return append_whole(shown.whole(own), out);
    if (shown.figure) {
      const NumberStyle style = notation == Notation::exact ? NumberStyle{} : shown.style;
      return shown.figure(shown, own, total_of(shown)).append(style, notation, out);
    }
    if (shown.finish_of_key) return shown.finish_of_key(shown, key, own, notation, out);
    shown.finish(shown, own, notation, out);
  });
}

Number StateLayout::number(const Column &shown, const State *state, Bytes key, Arena *wide) const {
  Number number = kNoNumber;
  if (shown.whole || shown.figure) {
    with_own(shown, state, [&](const State *own) {
      number = shown.whole ? number_of(shown.whole(own), wide)
                           : shown.figure(shown, own, total_of(shown)).number(wide);
    });
    return number;
  }
  std::string text;
  finish(shown, state, Notation::exact, &text, key);
  const size_t size = text.size();
  text.append(kPadding, '\0');
  return parse_number(Bytes(text).substr(0, size), wide);
}

void StateLayout::finish(i64 i, const State *state, Notation notation, std::string *out,
                         Bytes key) const {
  finish(column(i), state, notation, out, key);
}

void StateLayout::stream(i64 i, const State *state, Notation notation, std::string *out,
                         Drain *drain) const {
  with_own(column(i), state,
           [&](const State *own) { column(i).stream(column(i), own, notation, out, drain); });
}

u64 StateLayout::rank(const Column &shown, const State *state, Bytes key) const {
  if (shown.formula) {
    const BorrowedBatch alone(*this);
    alone->add(key, state);
    return alone->rank(shown, 0);
  }
  u64 rank = 0;
  with_own(shown, state, [&](const State *own) {
    rank = shown.whole    ? shown.whole(own)
           : shown.figure ? shown.figure(shown, own, total_of(shown)).rank()
                          : shown.rank(shown, own);
  });
  return rank;
}

const State *StateLayout::total_of(const Column &column) const {
  if (total_ == nullptr) return nullptr;
  return total_ + aggregation_.parts[static_cast<size_t>(column.part)].offset;
}

// Saves each part as its size (u64) and bytes.
void StateLayout::save(const State *state, std::string *out) const {
  for (const Part &part : aggregation_.parts) {
    if (part.reducer->save == nullptr) continue;
    const size_t at = out->size();
    out->append(8, '\0');
    TextOut saved(out);
    State *mutable_state = const_cast<State *>(state);
    if (is_boxed(part)) {
      if (const State *box = *box_of(part, mutable_state)) save_box(part, box, out);
    } else if (!is_marked(part) || *mark_of(part, mutable_state) != 0) {
      part.reducer->save(&part, state, &saved);
    }
    const u64 size = out->size() - at - 8;
    std::memcpy(out->data() + at, &size, 8);
  }
}

void StateLayout::load(State *state, Bytes saved, Arena *arena) const {
  ReducerArena memory(arena);
  for (const Part &part : aggregation_.parts) {
    if (part.reducer->save == nullptr) continue;
    u64 size;
    std::memcpy(&size, saved.data(), 8);
    if (is_boxed(part)) {
      load_box(part, state, saved.substr(8, size), arena);
    } else if (size > 0) {
      make_new(part, state);
      part.reducer->load(&part, state, {saved.data() + 8, size}, &memory);
    }
    saved.remove_prefix(8 + size);
  }
}

// Parts that want a total are built-in reducers, without init and destroy.
void StateLayout::load_totals(State *state, Bytes saved, Arena *arena) const {
  ReducerArena memory(arena);
  for (const Part &part : aggregation_.parts) {
    if (part.reducer->save == nullptr) continue;
    u64 size;
    std::memcpy(&size, saved.data(), 8);
    if (part.wants_total && size > 0) {
      make_new(part, state);
      part.reducer->load(&part, state, {saved.data() + 8, size}, &memory);
    }
    saved.remove_prefix(8 + size);
  }
}

void StateLayout::bound(State *state) const {
  for (const Part &part : aggregation_.parts) {
    if (part.runs != nullptr) part.bound(part, state);
  }
}

void StateLayout::shift(State *state, u64 by) const {
  for (const Part &part : aggregation_.parts) {
    if (part.shift != nullptr) part.shift(part, state, by);
  }
}

}  // namespace mrc
