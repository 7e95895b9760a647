// The mapper of count: each line of a chunk is a key.
#pragma once

#include "map/map.h"

namespace mrc {

std::unique_ptr<Mapper> make_line_mapper(const MapSpec &spec, const Scanner &scanner);

}  // namespace mrc
