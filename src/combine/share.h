// combine: what a group has of the total of all groups, in percent.
#pragma once

#include "combine/figure_column.h"

namespace mrc {

// Nothing if the total is 0 or not known. `kFigure` is a function of the state, a sum.
template <auto kFigure>
Figure share_of(const State *own, const State *total) {
  return total == nullptr ? Figure() : Figure::percent(kFigure(own), kFigure(total));
}
template <auto kFigure>
void finish_share(const Column &column, const State *own, const State *total, Notation notation,
                  std::string *out) {
  const NumberStyle style = notation == Notation::exact ? NumberStyle{} : style_of(column).numbers;
  share_of<kFigure>(own, total).append(style, notation, out);
}
template <auto kFigure>
u64 rank_share(const Column &, const State *own, const State *total) {
  return share_of<kFigure>(own, total).rank();
}

// How many records there are, of kCount.
Figure records_of(const State *own);

}  // namespace mrc
