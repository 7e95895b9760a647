// The fields of an input, as its first bytes show them: the data of `mrc fields`.
#pragma once

#include "fields/sampled_kind.h"
#include "record.h"

#include <string>
#include <vector>

namespace mrc {

struct FieldReport {
  static constexpr i64 kExamples = 3;

  std::string name;          // or the number of a field without a name
  std::string written = {};  // as users write it, quoted if necessary
  // From the table of formats, or else from the sample; unknown if all values are "" or "-".
  FieldKind kind = {};
  std::vector<std::string> examples = {};  // the first distinct values
  i64 offset = 0;                          // zone offset of the first time, in seconds
  i64 records = 0;                         // records that have the field, even if it is empty
  bool has_numbers = false;                // some value is a number
  bool mixes_zones = false;                // some times have a zone, and others have none
  bool lacks_zones = false;                // no time has a zone
  // Year that follows the clock of all times, if it may be another number: see year_after_clock().
  i64 assumed_year = 0;
};

struct InputReport {
  std::vector<FieldReport> fields;
  i64 records = 0;  // good records
  i64 bad = 0;
  std::string first_bad = {};  // the first bad record
  std::string reason = {};     // why that record is bad
};

// Reads the whole records of `head` with the dialect. The last record counts only if the input ends
// there (`whole`). `dates` is what the user has said about dates.
Result<InputReport> inspect(const Dialect &dialect, Bytes head, bool whole, DateOrder dates);

// Returns the largest number of fields among the whole records of `head`. REQUIRES: fields of the
// dialect have numbers
i64 most_fields(const Dialect &dialect, Bytes head, bool whole);

// Suggests a pattern for the lines of an input.

// Returns the pattern that reads the same fields as the dialect; empty if there is none.
std::string pattern_text(const Dialect &dialect);

struct SuggestedPattern {
  std::string pattern;
  i64 matching = 0;  // number of lines that match
};

// Returns the pattern that fits most of the lines: their common beginning has values, and the rest
// is the message. Empty if less than half of them match. The lines may be over-read by kPadding
// bytes.
SuggestedPattern suggest_pattern(const std::vector<Bytes> &lines);

}  // namespace mrc
