// The wanted members of a JSON object: a tree of the paths to them.
#pragma once

#include "base/name_index.h"
#include "fields/fields.h"
#include "fields/inner/json_index.h"

#include <algorithm>

namespace mrc {

// A path is names with dots between them: a.b.0.c. A name in quotes may contain dots, and quotes,
// which are doubled: a."b.c". A number is a name, or the index of an element, from 0. A path with
// dots is also the name of a member of the whole object: the one that comes first counts.
//
// JsonAlias is another name for a field, and the path to it.
struct JsonAlias {
  std::string name, path;
};

class JsonPaths {
 public:
  // Nodes are numbers; the root stands for the whole object.
  static constexpr i64 kRoot = 0;
  static constexpr i64 kUnwanted = -1;

  // Numbers in `wanted` other than 0 (the whole record) are errors, because members have names. A
  // field that is asked for by an alias may have several paths: of those in the record, the one
  // that is first in `aliases` counts. The member of the field's own name counts only if it is
  // there, too.
  static Result<JsonPaths> of(std::span<const FieldName> wanted,
                              std::span<const JsonAlias> aliases = {});

  i64 size() const { return std::ssize(nodes_); }
  // Returns the node that a step leads to; kUnwanted if nothing there is wanted. Most names are
  // not, which their length and first byte tell.
  MRC_INLINE i64 member(i64 node, Bytes name) const {
    const Node &from = nodes_[static_cast<size_t>(node)];
    return (from.filter >> filter_bit(name) & 1) == 0 ? kUnwanted : from.members.find(name);
  }
  i64 element(i64 node, i64 index) const;
  // A wanted field, and the rank of the path that leads to it: the lowest in a record counts.
  struct Target {
    size_t field;
    size_t rank;
    bool leaf = false;  // objects and arrays with members are not the field
  };
  // Returns the wanted fields that are the node's value.
  const std::vector<Target> &fields(i64 node) const {
    return nodes_[static_cast<size_t>(node)].fields;
  }
  const std::vector<size_t> &whole_records() const { return whole_records_; }

 private:
  struct Element {
    i64 index, node;
  };
  struct Node {
    NameIndex members;              // nodes by name
    u64 filter = 0;                 // the bits of the names
    std::vector<Element> elements;  // nodes whose names are indices, ascending
    std::vector<Target> fields;
  };

  static u64 filter_bit(Bytes name) {
    return name.empty() ? 0 : (static_cast<u8>(name[0]) + 7 * name.size()) % 64;
  }
  void add(const std::vector<std::string> &path, Target target);
  static void add_step(Node *from, const std::string &name, i64 to);
  // Adds a path, and the member whose name is all of it, with dots.
  void add_both(const std::string &path, Target target);

  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::vector<size_t> whole_records_;
};

// Returns the path from `path` (empty: the root) to a member of that name.
std::string json_path(const std::string &path, Bytes name);

// Adds the paths from `path` to the values in an object that the index begins with, up to a limit.
// REQUIRES: the object is valid
void add_json_paths(Bytes object, const JsonIndex &index, const std::string &path,
                    std::vector<std::string> *names);

// Checks all of a JSON record, and finds the wanted fields in it.

// Walks over the tokens of successive records. For one thread.
class JsonRecord {
 public:
  // Fields go to the columns of `batch`, at row batch->size.
  JsonRecord(const JsonPaths &paths, JsonIndex *index, RecordBatch *batch);

  // Begins a walk at the front of the text for which the index was just built.
  void begin(Bytes text);
  // Moves to a line of the text, after the last walk. Returns false if the line is blank.
  bool move_to(Bytes line);
  // Walks over that line. Returns nullptr, or the reason why it is bad (a constant).
  const char *walk();
  // Walks over a line that may be any value.
  const char *walk_value();

 private:
  // Deeper nesting is an error: no log is nested deeper, and the walk is recursive.
  static constexpr i64 kMostDepth = 500;

  // Each takes a value from the front. Returns false and sets reason_ if the value is bad.
  bool value(i64 node, i64 depth);
  // Does nothing but return false unless the value is a string that is neither wanted nor can be
  // bad.
  MRC_INLINE bool skip_string(i64 node) {
    if (node >= 0 || has_escapes_ || token() != '"') return false;
    ++place_;
    return true;
  }
  bool object(i64 node, i64 depth);
  bool array(i64 node, i64 depth);
  bool string(i64 node);
  bool scalar(i64 node);
  bool key(i64 node, i64 *member);

  char token() const { return at() < end_ ? *at() : '\0'; }
  const char *at() const { return base_ + *place_; }
  // Returns the end of the token before the next one.
  MRC_INLINE const char *token_end() const {
    const char *end = std::min(at(), end_);
    while (separates_tokens(end[-1])) --end;
    return end;
  }
  static bool separates_tokens(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  bool unescaped(Bytes raw, Bytes *meaning);
  void set(i64 node, Bytes value, bool has_members = false);
  bool fail(const char *reason) {
    reason_ = reason;
    return false;
  }

  const JsonPaths &paths_;
  JsonIndex *index_;
  RecordBatch *batch_;
  const char *base_ = nullptr;
  const u32 *place_ = nullptr;
  Bytes record_;
  const char *end_ = nullptr;  // end of the record
  const char *reason_ = nullptr;
  bool has_escapes_ = false;
  u64 number_ = 0;             // number of the record
  std::vector<u64> visited_;   // by node: number of the last record that has it
  std::vector<size_t> ranks_;  // by field: rank of its value, if there is one
};

}  // namespace mrc
