// combine: of the record with the largest or the smallest number, another value (argmax, argmin).
#pragma once

#include "combine/combine.h"

namespace mrc {

// Values: a number, and a text in the part's second column; records that lack one of them are
// passed over. Of equal numbers the first by position wins. The state: 32 bytes, longer texts and
// numbers in the arena.
extern const Reducer kArgMax;
extern const Reducer kArgMin;

// Of their parts.
void shift_extreme(const Part &part, State *state, u64 by);

// The text of either.
void finish_extreme(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_extreme(const Column &column, const State *own);

}  // namespace mrc
