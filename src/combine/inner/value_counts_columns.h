// combine: columns of values and their counts.
#pragma once

#include "combine/inner/figure_column.h"

namespace mrc {

u64 distinct_of(const State *own);  // number of different values

// The value with the most, or the fewest, occurrences; of equal ones the smallest.
void finish_mode(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_mode(const Column &column, const State *own);
void finish_antimode(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_antimode(const Column &column, const State *own);

// Lists as "VALUE (COUNT), ..." or a JSON array of {"value":,"count":}. top has the most frequent
// values first, as many as the column's style says, and is ranked by the first count. histogram has
// all values, the smallest first.
void finish_top(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_top(const Column &column, const State *own);
void stream_histogram(const Column &column, const State *own, Notation notation, std::string *out,
                      Drain *drain);
// Lists all values without counts, the smallest first: "VALUE, VALUE", or a JSON array.
void stream_unique(const Column &column, const State *own, Notation notation, std::string *out,
                   Drain *drain);

}  // namespace mrc
