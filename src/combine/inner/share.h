// combine: a group's share of the total of all groups, in percent.
#pragma once

#include "combine/inner/figure_column.h"

namespace mrc {

// Column::figure of a share; nothing if the total is 0 or unknown. `kFigure` is a sum of the state.
template <auto kFigure>
Figure share_of(const Column &, const State *own, const State *total) {
  return total == nullptr ? Figure() : Figure::percent(kFigure(own), kFigure(total));
}

// Returns the number of records of a state of kCount.
Figure records_of(const State *own);

}  // namespace mrc
