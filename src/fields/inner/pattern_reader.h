// Splits records with a pattern.
#pragma once

#include "fields/fields.h"

namespace mrc {

// Makes a reader for the dialect's pattern. A record that the pattern does not match is bad.
Result<std::unique_ptr<RecordReader>> make_pattern_reader(const Dialect &dialect,
                                                          std::span<const FieldName> wanted);

// Number of lines that match, and of other lines that look like a continuation of a record: they
// begin with a blank, or like lines of stack traces.
struct PatternVotes {
  i64 matching = 0, going_on = 0;
};
struct Pattern;
PatternVotes count_matching(const Pattern &pattern, const std::vector<Bytes> &lines);

}  // namespace mrc
