// What the fields of an input are, by its first bytes: the data of `mrc fields`.
#pragma once

#include "fields/sampled_kind.h"

namespace mrc {

struct FieldReport {
  static constexpr i64 kExamples = 3;

  std::string name;          // or the number, if it has no name
  std::string written = {};  // as users write it, in quotes where it must be
  // By the table of formats, or else by the sample; unknown without a value but "" and "-".
  FieldKind kind = {};
  std::vector<std::string> examples = {};  // different values, as they come
  i64 offset = 0;                          // in seconds, of the zone that the first time has
  i64 records = 0;                         // that have the field, even if it is empty
  bool has_numbers = false;                // among its values
};

struct InputReport {
  std::vector<FieldReport> fields;
  i64 records = 0;  // good ones
  i64 bad = 0;
  std::string first_bad = {};  // a bad record
  std::string reason = {};     // and why it is bad
};

// Reads the whole records of `head` by the dialect; the last one only if the input ends
// there (`whole`).
Result<InputReport> inspect(const Dialect &dialect, Bytes head, bool whole,
                            const ValueKinds &kinds);

// How many fields the record has that has most of them, among the whole records of `head`.
// REQUIRES: fields of the dialect have numbers
i64 most_fields(const Dialect &dialect, Bytes head, bool whole);

}  // namespace mrc
