// The mapper of records with fields.
#pragma once

#include "map/map.h"

namespace mrc {

// What a missing field is as a key; keys may be over-read.
alignas(64) inline constexpr char kNoKey[kPadding] = {};

// Where a field is among those that readers are asked for.
size_t find_field(const std::vector<FieldName> &wanted, const FieldName &name);

// What is wrong with a value: it should be a number, or of its bucket's kind.
std::string not_a_number(const FieldExpr &expr);
std::string not_of_kind(const FieldExpr &expr);

std::unique_ptr<Mapper> make_field_mapper(const MapSpec &spec, const InputReaders &readers,
                                          BadRecordSink *bad);

}  // namespace mrc
