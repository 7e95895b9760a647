// combine: the first and the last value of a key, by the order of the input.
#pragma once

#include "combine/combine.h"

namespace mrc {

// Values are texts, and missing ones are skipped; positions give the order. The state has 24 bytes;
// longer texts are in the arena.
extern const Reducer kFirstText;
extern const Reducer kLastText;

// Part::shift of these reducers.
template <bool kLast>
void shift_end(const Part &part, State *state, u64 by);

// Column::finish and Column::rank of these reducers.
void finish_end(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_end(const Column &column, const State *own);

}  // namespace mrc
