// Sort fields: a value becomes bytes whose order (memcmp, as unsigned) is the order of the values.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

// One thing to sort by. A field that a record lacks is empty.
struct SortField {
  // number: as sort -n of GNU has it in the C locale. Blanks, an optional '-', digits,
  // optionally '.' and digits, of any length and exact; what follows does not count;
  // no digits are 0, and 0 is -0.
  enum class Type { bytes, number };

  i64 field = 0;  // from 1; 0 is the whole record
  Type type = Type::bytes;
  bool descending = false;
  bool ignore_case = false;  // of ASCII letters in bytes; to upper case, as sort -f
};

// Appends the sort key of one field's value.
//
// Invariants: 1. keys of one SortField compare as the values do, and are equal if and
// only if the values are. 2. None is the prefix of another. So keys of several fields
// can be put one after another, followed by whatever decides between equals.
void append_sort_field(const SortField &field, Bytes value, std::string *out);

// Appends a tie-breaker: where the record stood. Always eight bytes.
void append_position(u64 position, std::string *out);
// The inverse.
u64 position_at(const char *bytes);

}  // namespace mrc
