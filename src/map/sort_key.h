// Sort keys: a record becomes bytes whose order (memcmp, as unsigned) is the order
// of the records, so that sorting compares bytes and knows nothing of fields.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

struct SortKeySpec {
  std::vector<SortField> fields;  // the first decides, then the second, ...
  // What separates fields, empty ones included. Without it runs of blanks do, and
  // those at the ends of a record are in no field, as awk has it.
  std::optional<char> delimiter;
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

// Thread safe. Both invariants hold for the keys of whole records, too.
class SortKeyEncoder {
 public:
  explicit SortKeyEncoder(SortKeySpec spec);

  // `record` is without its terminator.
  void append(Bytes record, std::string *out) const;

  // Whether records compare as their keys do: then keys are not needed.
  bool is_plain() const;

 private:
  SortKeySpec spec_;
};

// Bytes [begin, end) of a record of fixed size.
struct ByteRange {
  i64 begin = 0;
  i64 end = 0;

  // As much of them as the record has.
  Bytes of(Bytes record) const;
};

// BEGIN:END, counted from 0.
Result<ByteRange> parse_byte_range(std::string_view text);

}  // namespace mrc
