#include "combine/inner/ends.h"

#include "combine/aggregates.h"
#include "combine/figure.h"
#include "combine/inner/kept_text.h"

#include <cassert>

namespace mrc {
namespace {

struct End {
  u64 order;  // the largest wins; 0: no value yet
  KeptText text;
};
static_assert(sizeof(End) == 24);

End *end_of(State *state) { return reinterpret_cast<End *>(state); }
const End *end_of(const State *state) { return reinterpret_cast<const End *>(state); }

template <bool kLast>
u64 order_of(u64 position) {
  return kLast ? position + 1 : ~position;
}

template <bool kLast>
void add_end(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    End *end = end_of(states[i] + part.offset);
    const u64 order = order_of<kLast>(values.at(i, part.position));
    if (order <= end->order) continue;
    const Bytes text = values.text(i, part.value);
    if (!is_present(text)) continue;
    end->order = order;
    replace_text(&end->text, borrow_text(text), arena);
  }
}

void merge_ends(const Part &part, State *const *into, State *const *from, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) {
    End *a = end_of(into[i] + part.offset), *b = end_of(from[i] + part.offset);
    if (b->order > a->order) *a = *b;
  }
}

// Saves the order and the text if the text is long.
void save_end(const Part &part, const State *state, std::string *out) {
  const End &end = *end_of(state + part.offset);
  if (!end.text.is_long()) return;
  out->append(reinterpret_cast<const char *>(&end.order), sizeof end.order);
  out->append(end.text.bytes());
}

void load_end(const Part &part, State *state, Bytes saved, Arena *arena) {
  End *end = end_of(state + part.offset);
  assert(saved.size() > sizeof end->order + 15);
  std::memcpy(&end->order, saved.data(), sizeof end->order);
  replace_text(&end->text, borrow_exactly(saved.substr(sizeof end->order)), arena);
}

}  // namespace

const Reducer kFirstText = make_reducer<add_end<false>, merge_ends, save_end, load_end>(sizeof(End));
const Reducer kLastText = make_reducer<add_end<true>, merge_ends, save_end, load_end>(sizeof(End));

template <bool kLast>
void shift_end(const Part &part, State *state, u64 by) {
  u64 &order = end_of(state + part.offset)->order;
  if (order != 0) order += kLast ? by : -by;
}
template void shift_end<false>(const Part &, State *, u64);
template void shift_end<true>(const Part &, State *, u64);

void finish_end(const Column &, const State *own, Notation notation, std::string *out) {
  if (end_of(own)->order != 0) return append_text(end_of(own)->text.bytes(), notation, out);
  append_nothing(notation, out);
}

u64 rank_end(const Column &, const State *own) {
  return end_of(own)->order == 0 ? 0 : rank_of_text(end_of(own)->text.bytes());
}

}  // namespace mrc
