// The first bytes of an input, by which formats recognize it.
#pragma once

#include "fields/fields.h"

#include <algorithm>

namespace mrc {

// The beginning of an input. May be over-read by kPadding bytes.
struct InputHead {
  const FormatSpec &spec;
  Bytes head;
  bool whole;  // the head is all of the input
};

// Returns the first lines that are not blank, without CR and byte order mark. A last line without a
// terminator counts only if the input is whole.
std::vector<Bytes> first_lines(const InputHead &input, size_t most = 50);

inline bool has_name(const std::vector<std::string> &names, Bytes name) {
  return std::ranges::find(names, name) != names.end();
}

// Returns a dialect of the format that is complete, as if the user had named the format.
std::optional<Dialect> completed(const LineFormat &format, const InputHead &input,
                                 std::string reason);
// Returns a complete dialect if two thirds of the records agree with the format.
std::optional<Dialect> accept(const LineFormat &format, i64 agreeing, const InputHead &input,
                              const std::vector<Bytes> &records);

// Returns the first records with these fields; null if the dialect has no reader for them.
std::unique_ptr<RecordBatch> first_records(const Dialect &dialect,
                                           std::span<const FieldName> wanted,
                                           const InputHead &input);

// Detects the format of an input if the user has named none.

// True if `by_name` formats are tried: the job names a field, and the user sets neither columns nor
// a header.
bool may_be_by_name(const FormatSpec &spec);

// Returns the dialect of the first records, which are lines if they are nothing else. If `wrapped`,
// they were taken out of other lines already, or are the first lines of longer records.
Dialect recognize(const InputHead &input, bool wrapped);

}  // namespace mrc
