// Sort keys: encodes a record as bytes whose order (memcmp, as unsigned) is the order of the
// records, so that sorting compares bytes and needs no knowledge of fields.
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
  std::vector<SortField> fields;  // most significant first
  // Separates fields, which may be empty. Without a delimiter, runs of blanks separate fields and
  // blanks at the ends of a record are skipped, as in awk.
  std::optional<char> delimiter = {};
};

// Thread safe. The invariants of append_sort_field() also hold for the keys of whole records.
class SortKeyEncoder {
 public:
  explicit SortKeyEncoder(SortKeySpec spec);

  // `record` is without its terminator.
  void append(Bytes record, std::string *out) const;

  // True if records compare as their keys do, so that keys are not needed.
  bool is_plain() const;

 private:
  SortKeySpec spec_;
};

// The bytes [begin, end) of a record.
struct ByteRange {
  i64 begin = 0;
  i64 end = 0;

  // Returns as many of these bytes as the record has.
  Bytes of(Bytes record) const;
};

// Parses BEGIN:END, counted from 0.
Result<ByteRange> parse_byte_range(std::string_view text);

}  // namespace mrc
