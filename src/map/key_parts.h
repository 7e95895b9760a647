// Encodes a key of several fields as one byte string that sorts as the fields do, and decodes it.
#pragma once

#include "base/int.h"
#include "kinds/kind.h"

#include <string>
#include <vector>

namespace mrc {

// One field of a key, which is one column of the output.
struct KeyPart {
  std::string name;
  bool number = false;    // ordered and, in JSON, written as a number
  bool rolls_up = false;  // subtotals have no value of it, and sort after all values
  FieldKind kind = {};    // kind of the values, for conditions on columns
};

// The parts of a key. A key with a single part that is not a number is stored as its bytes. Other
// keys are sort fields (sort_key.h) one after another, so that they order by their parts and can be
// taken apart. A key without parts is empty: all records are in one group.
struct KeyShape {
  std::vector<KeyPart> parts;

  bool is_plain() const { return parts.size() == 1 && !parts[0].number && !parts[0].rolls_up; }
};

// True if a key sorts this text as a number: [+-]digits[.digits], where the digits before or after
// the point may be missing.
bool is_key_number(Bytes text);

// Appends the next part of a key that is not plain. A number is stored by value and decoded in its
// shortest form. In a part of numbers, other text (see is_key_number) is stored as bytes and sorts
// after all numbers.
void append_key_part(const KeyPart &part, Bytes value, std::string *key);

// The text of the first part of a subtotal, which has all values of it.
constexpr Bytes kTotalText = "total";

// Appends a part of a subtotal: the first one is decoded as kTotalText, and those after it as
// empty. REQUIRES: the part rolls up
void append_total_part(bool is_first, std::string *key);
// True if the key begins with such a part.
bool begins_with_total(const KeyPart &part, Bytes key);

// Removes the next part from the front of such a key and appends its decoded value. REQUIRES:
// append_key_part() made the key for the same parts.
void take_key_part(const KeyPart &part, Bytes *key, std::string *value);
// Removes the next part without decoding it. Returns the part as it is in the key.
Bytes take_encoded_part(const KeyPart &part, Bytes *key);

}  // namespace mrc
