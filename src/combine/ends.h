// combine: the first and the last value of a key, by the order of the input.
#pragma once

#include "combine/combine.h"

namespace mrc {

// Values are texts, those that are missing are passed over; positions tell the order. The
// state: 24 bytes, longer texts in the arena.
extern const Reducer kFirstText;
extern const Reducer kLastText;

// Of their parts.
template <bool kLast>
void shift_end(const Part &part, State *state, u64 by);

// The text of either.
void finish_end(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_end(const Column &column, const State *own);

}  // namespace mrc
