// What the formats look at when they recognize an input.
#pragma once

#include "fields/fields.h"

namespace mrc {

// The beginning of an input. May be over-read by kPadding bytes.
struct InputHead {
  const FormatSpec &spec;
  Bytes head;
  bool whole;  // the input has no more
};

// The first lines that are not blank, without CR and byte order mark; the last one only if the
// input is whole.
std::vector<Bytes> first_lines(const InputHead &input, size_t most = 50);

// A dialect of the format, if two thirds of the records agree with it.
std::optional<Dialect> accept(const LineFormat &format, i64 agreeing, const InputHead &input,
                              const std::vector<Bytes> &records);

// The first records, with these fields, as a reader of the dialect has them; null: it has none.
std::unique_ptr<RecordBatch> first_records(const Dialect &dialect,
                                           std::span<const FieldName> wanted,
                                           const InputHead &input);

}  // namespace mrc
