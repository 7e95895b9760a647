// What the fields of an input are, by its first bytes: the data of `mrc fields`.
#pragma once

#include "fields/fields.h"

namespace mrc {

// What kinds of values there are is known later in the way of the data: functions that say
// whether a value, not empty and not "-", is one. Both may over-read by kPadding.
struct ValueKinds {
  bool (*is_number)(Bytes value);
  bool (*is_time)(Bytes value);
};

struct FieldReport {
  enum class Type {
    empty,  // no value but "" and "-"
    number,
    time,
    text,
  };
  static constexpr i64 kExamples = 3;

  std::string name;                        // or the number, if it has no name
  std::string written = {};                // as users write it, in quotes where it must be
  Type type = Type::empty;                 // what nine tenths of the values are, else text
  std::vector<std::string> examples = {};  // different values, as they come
  i64 records = 0;                         // that have the field, also if it is empty
};
const char *type_name(FieldReport::Type type);

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
