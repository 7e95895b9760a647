// Keys of several fields: one string of bytes whose order is theirs, and back.
#pragma once

#include "base/int.h"
#include "fields/kind.h"

#include <string>
#include <vector>

namespace mrc {

// One field of a key, as a column of the output.
struct KeyPart {
  std::string name;
  bool number = false;  // ordered and, in JSON, written as a number
  FieldKind kind = {};  // what conditions on columns know of its values
};

// What keys are made of. A key of one part that is no number is its bytes as they are;
// others are sort fields (sort_key.h) one after another, so that keys order by their
// parts and can be taken apart. A key without parts is empty: there is one row.
struct KeyShape {
  std::vector<KeyPart> parts;

  bool is_plain() const { return parts.size() == 1 && !parts[0].number; }
};

// Whether text is a number to keys: [+-]digits[.digits], where digits may be missing
// before or after the point.
bool is_key_number(Bytes text);

// Appends the next part of a key that is not plain. A number is kept as its value: it
// comes back in its shortest form. What stands in the place of a number and is none
// (is_key_number) is kept as bytes, and follows all numbers.
void append_key_part(const KeyPart &part, Bytes value, std::string *key);

// Takes the next part off the front of such a key and appends its value. REQUIRES: keys
// were made by append_key_part() for the same parts.
void take_key_part(const KeyPart &part, Bytes *key, std::string *value);
// The same, without its value. Returns the part as it is in the key.
Bytes take_encoded_part(const KeyPart &part, Bytes *key);

}  // namespace mrc
