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
  explicit NestedNames(std::span<const std::string> names);

  // Appends a record as an object. `values`: by name, as JSON; an empty one is not there. A value
  // whose name others begin with, as a and a.b, keeps these beside it, with their whole names.
  void append(std::span<const Bytes> values, std::string *out) const;

 private:
  struct Node {
    std::string name, whole;  // the last part of the path, and all of it, as JSON strings
    i64 number = -1;          // the last part as the place in an array; -1: it is none
    i64 value = -1;           // index of its value; -1: it has none
    std::vector<Node> members;
  };
  // Appends members with their commas.
  class Members;

  void add(std::string_view name, i64 value);
  static Node *member(std::string_view name, std::string_view whole, Node *of);
  static void order_elements(Node *node);

  Node root_;
};

}  // namespace mrc
