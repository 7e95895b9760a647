// The mapper of records with fields.
#pragma once

#include "map/map.h"

namespace mrc {

// The (empty) bytes of a missing key, padded for over-reads.
alignas(64) inline constexpr char kNoKey[kPadding] = {};

std::unique_ptr<Mapper> make_field_mapper(const MapSpec &spec, const InputReaders &readers,
                                          BadRecordSink *bad);

}  // namespace mrc
