// Sort fields: a value becomes bytes whose order (memcmp, unsigned) is the order of the values.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

// One field to sort by. A field that is missing from a record is empty.
struct SortField {
  // number: as GNU sort -n reads it in the C locale. Blanks, an optional '-', digits, optionally
  // '.' and digits, of any length and exact; the text after it is ignored. No digits are 0, and -0
  // equals 0.
  enum class Type { bytes, number };

  i64 field = 0;  // from 1; 0 is the whole record
  Type type = Type::bytes;
  bool descending = false;
  // Compares bytes in upper case, as sort -f does; those beyond ASCII as they are folded.
  bool ignore_case = false;
};

// Appends the sort key of one field's value.
//
// Invariants: 1. Keys of one SortField compare as the values do, and are equal if and only if the
// values are. 2. No key is a prefix of another. So keys of several fields can be concatenated,
// followed by a tie-breaker.
void append_sort_field(const SortField &field, Bytes value, std::string *out);

// Appends a tie-breaker, the position of the record: always eight bytes.
void append_position(u64 position, std::string *out);
// Reads what append_position() appended.
u64 position_at(const char *bytes);

}  // namespace mrc
