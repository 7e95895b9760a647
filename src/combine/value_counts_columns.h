// combine: what is shown of values and their counts.
#pragma once

#include "combine/figure_column.h"

namespace mrc {

u64 distinct_of(const State *own);  // how many different values

// The value with the most, or the least, occurrences; of several the smallest.
void finish_mode(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_mode(const Column &column, const State *own);
void finish_antimode(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_antimode(const Column &column, const State *own);

// Lists, as "VALUE (COUNT), ..." or a JSON array of {"value":,"count":}: the most frequent
// values first, as many as the column's style says; or all, the smallest first. Ranked by
// the count of the first; by how many there are.
void finish_top(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_top(const Column &column, const State *own);
void stream_histogram(const Column &column, const State *own, Notation notation, std::string *out,
                      Drain *drain);
// The values alone, the smallest first: "VALUE, VALUE", or a JSON array.
void stream_unique(const Column &column, const State *own, Notation notation, std::string *out,
                   Drain *drain);

}  // namespace mrc
