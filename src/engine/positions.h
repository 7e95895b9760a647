// The result of an inverted index: where a key occurs.
#pragma once

#include "combine/value_list.h"
#include "engine/line_table.h"
#include "input/input.h"
#include "map/map.h"

#include <span>

namespace mrc {

// What positions mean and how they are written. Must outlive the column made for it.
struct PositionNames {
  MapSpec::Values values = MapSpec::Values::byte;
  LineTable lines;  // sealed before anything is written
  std::span<const Source> sources;
};

// The positions of a key in the order of the input, once each:
//   text, one input       3,17,90
//   text, several inputs  a.txt:3,17 b.txt:90   (inputs only: a.txt b.txt)
//   json                  {"a.txt":[3,17],"b.txt":[90]}   (["a.txt","b.txt"])
// Bytes are counted from 0, lines from 1. Orders by how many records there were.
Column positions_column(const PositionNames *names);

}  // namespace mrc
