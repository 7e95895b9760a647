// output: JSON objects of columns with dotted names: a.b and a.c are members of an object a, and
// x.0 and x.1 elements of an array x.
#pragma once

#include "record.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

class NestedNames {
 public:
  // A name of more parts than this stays one name.
  static constexpr i64 kMostParts = 100;

  explicit NestedNames(std::span<const std::string> names);

  // Appends a record as an object. `values`: by name, as JSON; an empty one is missing. A missing
  // value has no member, and is null if later elements of its array are there. If a value is there
  // whose name others begin with, as a and a.b, these stand beside it with their whole names.
  void append(std::span<const Bytes> values, std::string *out) const;

 private:
  struct Node {
    std::string name, whole;  // the last part of the path, and all of it, as JSON strings
    i64 value = -1;           // index of its value; -1: it has none
    bool is_array = false;    // its members are 0, 1, 2 and so on
    size_t end = 0;           // index after the last node below it
  };
  struct Tree;
  class Record;

  void lay_out(const Tree &tree, const std::vector<bool> &are_arrays, size_t from);

  std::vector<Node> nodes_;  // each before those below it; the first is the root
};

}  // namespace mrc
