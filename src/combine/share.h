// combine: what a group has of the total of all groups, in percent.
#pragma once

#include "combine/figure_column.h"

namespace mrc {

// Column::figure; nothing if the total is 0 or not known. `kFigure` is a function of the state, a
// sum.
template <auto kFigure>
Figure share_of(const Column &, const State *own, const State *total) {
  return total == nullptr ? Figure() : Figure::percent(kFigure(own), kFigure(total));
}

// How many records there are, of kCount.
Figure records_of(const State *own);

}  // namespace mrc
