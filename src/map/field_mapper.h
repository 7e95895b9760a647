// The mapper of records with fields.
#pragma once

#include "map/map.h"

namespace mrc {

// Why a record is bad whose field should be a number.
std::string not_a_number(const FieldExpr &expr);

std::unique_ptr<Mapper> make_field_mapper(const MapSpec &spec, const InputReaders &readers,
                                          BadRecordSink *bad);

}  // namespace mrc
