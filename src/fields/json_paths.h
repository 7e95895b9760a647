// Which members of a JSON object are wanted: the paths to them, as a tree.
#pragma once

#include "base/name_index.h"
#include "fields/fields.h"

namespace mrc {

// A path is names with dots between them: a.b.0.c. A name in quotes may have dots in it, and
// quotes, which are doubled: a."b.c". A number is a name too, or the index of an element, from
// 0. A path with dots is also the name of a member of the whole object: the one that comes
// first counts.
// A name under which a field can also be asked for, and the path to it.
struct JsonAlias {
  std::string name, path;
};

class JsonPaths {
 public:
  // Nodes are numbers; the root is that of the whole object.
  static constexpr i64 kRoot = 0;
  static constexpr i64 kUnwanted = -1;

  // `wanted` with numbers other than 0 (the whole record) are errors: members have names. A field
  // that is asked for by an alias may have several paths: the first one in the record counts.
  static Result<JsonPaths> of(std::span<const FieldName> wanted,
                              std::span<const JsonAlias> aliases = {});

  i64 size() const { return std::ssize(nodes_); }
  // Where a step leads from a node: kUnwanted if to nothing that is wanted.
  i64 member(i64 node, Bytes name) const;
  i64 element(i64 node, i64 index) const;
  // The wanted fields that are the value itself.
  const std::vector<size_t> &fields(i64 node) const {
    return nodes_[static_cast<size_t>(node)].fields;
  }
  const std::vector<size_t> &whole_records() const { return whole_records_; }

 private:
  struct Element {
    i64 index, node;
  };
  struct Node {
    NameIndex members;              // nodes by name
    std::vector<Element> elements;  // those whose names are indices, ascending
    std::vector<size_t> fields;
  };

  void add(const std::vector<std::string> &path, size_t field);
  static void add_step(Node *from, const std::string &name, i64 to);
  // A path, and the name with dots that it also is.
  void add_both(const std::string &path, size_t field);

  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::vector<size_t> whole_records_;
};

// How a path goes on from `path` (empty: the root) to a member of that name.
std::string json_path(const std::string &path, Bytes name);

}  // namespace mrc
