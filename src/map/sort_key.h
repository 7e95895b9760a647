// Sort keys: a record becomes bytes whose order (memcmp, as unsigned) is the order
// of the records, so that sorting compares bytes and knows nothing of fields.
#pragma once

#include "base/int.h"
#include "base/sort_field.h"
#include "base/status.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

struct SortKeySpec {
  std::vector<SortField> fields;  // the first decides, then the second, ...
  // What separates fields, empty ones included. Without it runs of blanks do, and
  // those at the ends of a record are in no field, as awk has it.
  std::optional<char> delimiter;
};

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
