// combine: a value of the record with the largest or the smallest number (argmax, argmin).
#pragma once

#include "combine/combine.h"

namespace mrc {

// Values are a number, and a text in the part's second column; records without either are skipped.
// If numbers are equal, the first by position wins. The state has 32 bytes; longer texts and
// numbers are in the arena.
extern const Reducer kArgMax;
extern const Reducer kArgMin;

// Part::shift of these reducers.
void shift_extreme(const Part &part, State *state, u64 by);

// Column::finish and Column::rank of these reducers.
void finish_extreme(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_extreme(const Column &column, const State *own);

}  // namespace mrc
