// combine: columns that show a number of a part's state.
#pragma once

#include "combine/figure.h"

#include <type_traits>

namespace mrc {

// The user's choices for one column, except the style of numbers. The context of its Column.
struct ColumnStyle {
  i64 most = 0;                        // maximum number of values in a list
  i64 numerator = 0, denominator = 1;  // a quantile's share of the values
};

inline const ColumnStyle &style_of(const Column &column) {
  return *static_cast<const ColumnStyle *>(column.context);
}

// Column::figure from a function of the state, and of the style if it takes one.
template <auto kFigure>
Figure shown_figure(const Column &column, const State *own, const State *) {
  if constexpr (std::is_invocable_v<decltype(kFigure), const State *>)
    return kFigure(own);
  else
    return kFigure(own, style_of(column));
}

// Column::rank of columns that are ordered by a count.
template <u64 (*kCountOf)(const State *)>
u64 rank_count(const Column &, const State *own) {
  return kCountOf(own);
}

}  // namespace mrc
