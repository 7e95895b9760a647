// The result of an inverted index: where a key occurs.
#pragma once

#include "combine/value_list.h"
#include "engine/line_table.h"
#include "input/input.h"
#include "map/map.h"

#include <span>

namespace mrc {

// The meaning and the form of positions; the context of columns that show them.
struct PositionNames {
  MapSpec::Values values = MapSpec::Values::byte;
  LineTable lines;  // sealed before anything is written
  std::span<const Source> sources;
};

}  // namespace mrc
