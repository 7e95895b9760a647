// The result of an inverted index: the positions of each key.
#pragma once

#include "combine/value_list.h"
#include "engine/inner/line_table.h"
#include "input/input.h"
#include "map/map.h"

#include <span>

namespace mrc {

// How positions are written; the context of columns that show them.
struct PositionNames {
  MapSpec::Values values = MapSpec::Values::byte;
  LineTable lines;  // sealed before anything is written
  std::span<const Source> sources;
};

}  // namespace mrc
