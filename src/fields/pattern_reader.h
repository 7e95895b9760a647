// Records that a pattern takes apart.
#pragma once

#include "fields/fields.h"

namespace mrc {

// A reader for the dialect's pattern. A record that the pattern does not match is bad.
Result<std::unique_ptr<RecordReader>> make_pattern_reader(const Dialect &dialect,
                                                          std::span<const FieldName> wanted);

// How many of the lines match, and how many of the others look as if they went on with a record
// that began in a line before: they begin with a blank, or as parts of stack traces do.
struct PatternVotes {
  i64 matching = 0, going_on = 0;
};
struct Pattern;
PatternVotes count_matching(const Pattern &pattern, const std::vector<Bytes> &lines);

}  // namespace mrc
