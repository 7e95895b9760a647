// The mapper of records with fields.
#pragma once

#include "map/map.h"

namespace mrc {

// What a missing field is as a key; keys may be over-read.
alignas(64) inline constexpr char kNoKey[kPadding] = {};

std::unique_ptr<Mapper> make_field_mapper(const MapSpec &spec, const InputReaders &readers,
                                          BadRecordSink *bad);

}  // namespace mrc
