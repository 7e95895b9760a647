// combine: columns that show a number of a part's state.
#pragma once

#include "combine/figure.h"

#include <type_traits>

namespace mrc {

// What a user said of one column; its Column's context.
struct ColumnStyle {
  NumberStyle numbers;
  i64 most = 0;                        // how many values a list has
  i64 numerator = 0, denominator = 1;  // which part of the values is not above a quantile
};

inline const ColumnStyle &style_of(const Column &column) {
  return *static_cast<const ColumnStyle *>(column.context);
}

// `kFigure` is a function of the state, and of the style if it takes one.
template <auto kFigure>
Figure shown_figure(const Column &column, const State *own) {
  if constexpr (std::is_invocable_v<decltype(kFigure), const State *>)
    return kFigure(own);
  else
    return kFigure(own, style_of(column));
}
template <auto kFigure>
void finish_figure(const Column &column, const State *own, Notation notation, std::string *out) {
  const NumberStyle style = notation == Notation::exact ? NumberStyle{} : style_of(column).numbers;
  shown_figure<kFigure>(column, own).append(style, notation, out);
}
template <auto kFigure>
u64 rank_figure(const Column &column, const State *own) {
  return shown_figure<kFigure>(column, own).rank();
}

// Numbers of things: `round` is not for them.
template <u64 (*kCountOf)(const State *)>
void finish_count(const Column &, const State *own, Notation notation, std::string *out) {
  Figure::decimal(kCountOf(own), 0).append({}, notation, out);
}
template <u64 (*kCountOf)(const State *)>
u64 rank_count(const Column &, const State *own) {
  return kCountOf(own);
}

}  // namespace mrc
