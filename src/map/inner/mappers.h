// Mappers: words, lines and records with fields.
#pragma once

#include "map/map.h"

namespace mrc {

// The (empty) bytes of a missing key, padded for over-reads.
alignas(64) inline constexpr char kNoKey[kPadding] = {};

std::unique_ptr<Mapper> make_field_mapper(const MapSpec &spec, const InputReaders &readers,
                                          BadRecordSink *bad);

// Each line of a chunk is a key, as for count.
std::unique_ptr<Mapper> make_line_mapper(const MapSpec &spec, const Scanner &scanner);

// Each word of a chunk is a key, as for wordcount.
std::unique_ptr<Mapper> make_word_mapper(const MapSpec &spec, const Scanner &scanner);

}  // namespace mrc
