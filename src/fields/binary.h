// Records of a fixed size, which end without a terminator: numbers and text at fixed places.
#pragma once

#include "base/status.h"
#include "fields/fields.h"
#include "kinds/kind.h"

#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// The bytes [begin, end) of a record.
struct ByteRange {
  i64 begin = 0;
  i64 end = 0;

  // Returns as many of these bytes as the record has.
  Bytes of(Bytes record) const;
};

// Parses BEGIN:END, counted from 0.
Result<ByteRange> parse_byte_range(std::string_view text);

// A field of binary records.
struct BinaryField {
  enum class Type {
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    float32,
    float64,
    text,
    bytes,
  };
  Type type = Type::bytes;
  bool is_big_endian = false;
  ByteRange place;
  std::string name;  // empty: it has only a number
};

// The fields of binary records, in their order.
struct BinaryLayout {
  static constexpr i64 kMostBytes = i64{16} << 20;

  // Parses "u32 id, f64 x, s10 name, x2". A layout that only skips bytes has no fields: those of
  // its records are ranges of bytes.
  static Result<BinaryLayout> parse(std::string_view text);
  // Returns the text of a layout that skips all bytes.
  static std::string of_size(i64 bytes);

  i64 record_bytes = 0;
  std::vector<BinaryField> fields;
};

// Returns the size of the dialect's records; 0: they end with a terminator.
i64 record_bytes(const Dialect &dialect);

// Returns the kind that the layout's type of a field tells. It is unknown for text, and for a
// number that may be a time by its name: a sample decides.
FieldKind kind_in_layout(const std::string &layout, const FieldName &field);

// Puts ranges such as 0:10 between the commas of a list of fields into double quotes, which makes
// them names of fields.
std::string with_quoted_ranges(std::string_view fields);

}  // namespace mrc
