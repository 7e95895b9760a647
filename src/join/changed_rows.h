// Compares two inputs whose records have keys of their own: a row for each value that differs.
#pragma once

#include "join/joined_rows.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace mrc {

class KeyRows;

// The columns of a change after the key: added, removed or changed; the field; its value in LEFT
// and in RIGHT; and, of numbers, what was added to the value, also in percent of the old one.
inline constexpr std::array kChangeColumns = {"change", "field",      "old",
                                              "new",    "difference", "percent"};

// A field that both sides have, and its place among the fields of each.
struct ComparedField {
  std::string name;
  std::array<size_t, 2> at;
  FieldKind kind;  // unknown if the sides have different ones
};
std::vector<ComparedField> compared_fields(const Join &join);

// Returns the kinds of these columns. Values have one if all that are compared have it.
std::array<FieldKind, kChangeColumns.size()> change_kinds(const Join &join);

// Returns the fields of a side that the other one does not have, so that they are not compared.
std::vector<std::string> lone_fields(const Join &join, Side side);

// Compares the records of each key. A record without a partner has a row for each of its values,
// or one row if it has none. It is an error if a side has a key twice. REQUIRES: all arguments
// outlive the result
std::unique_ptr<KeyRows> compare_keys(const JoinedRowsSpec &spec,
                                      const std::vector<ComparedField> &compared,
                                      const RowSource::Take &take);

}  // namespace mrc
