// combine: columns that show a number of a part's state.
#pragma once

#include "combine/figure.h"

#include <type_traits>

namespace mrc {

// The user's choices for one column, except the style of numbers. It is its Column's context.
struct ColumnStyle {
  i64 most = 0;                        // how many values a list has
  i64 numerator = 0, denominator = 1;  // which part of the values is not above a quantile
};

inline const ColumnStyle &style_of(const Column &column) {
  return *static_cast<const ColumnStyle *>(column.context);
}

// Column::figure of a function of the state, and of the style if it takes one.
template <auto kFigure>
Figure shown_figure(const Column &column, const State *own, const State *) {
  if constexpr (std::is_invocable_v<decltype(kFigure), const State *>)
    return kFigure(own);
  else
    return kFigure(own, style_of(column));
}

// Column::rank of what orders by how much there is.
template <u64 (*kCountOf)(const State *)>
u64 rank_count(const Column &, const State *own) {
  return kCountOf(own);
}

}  // namespace mrc
