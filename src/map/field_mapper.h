// The mapper of records with fields.
#pragma once

#include "map/map.h"

namespace mrc {

std::unique_ptr<Mapper> make_field_mapper(const MapSpec &spec, const InputReaders &readers,
                                          BadRecordSink *bad);

}  // namespace mrc
