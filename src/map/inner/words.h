// The mapper of wordcount: each word of a chunk is a key.
#pragma once

#include "map/map.h"

namespace mrc {

std::unique_ptr<Mapper> make_word_mapper(const MapSpec &spec, const Scanner &scanner);

}  // namespace mrc
