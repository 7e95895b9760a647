// combine: all values of a key in the order of the input (list).
#pragma once

#include "combine/combine.h"

namespace mrc {

// Values are texts, and missing ones are skipped; positions give the order. The state has 56 bytes;
// a value that is longer than 15 bytes, and all values from the second on, are in the arena, each
// with a few bytes for its place. Values that outgrow memory are in runs on disk (value_runs.h).
extern const Reducer kTextList;

// Part::bound and Part::shift of kTextList.
void bound_texts(const Part &part, State *state);
void shift_texts(const Part &part, State *state, u64 by);

u64 texts_of(const State *own);  // number of values

// Column::stream: all values, with the separator of the column's style between them.
void stream_texts(const Column &column, const State *own, Notation notation, std::string *out,
                  Drain *drain);

}  // namespace mrc
