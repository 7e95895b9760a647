// Checks all of a JSON record, and finds the wanted fields in it.
#pragma once

#include "fields/inner/json_index.h"
#include "fields/inner/json_paths.h"

namespace mrc {

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

 private:
  // Deeper nesting is an error: no log is nested deeper, and the walk is recursive.
  static constexpr i64 kMostDepth = 500;

  // Each takes a value from the front. Returns false and sets reason_ if the value is bad.
  bool value(i64 node, i64 depth);
  bool object(i64 node, i64 depth);
  bool array(i64 node, i64 depth);
  bool string(i64 node);
  bool scalar(i64 node);
  bool key(i64 node, i64 *member);

  char token() const { return at() < end_ ? *at() : '\0'; }
  const char *at() const { return base_ + *place_; }
  // Returns the end of the token before the next one.
  const char *token_end() const;
  bool unescaped(Bytes raw, Bytes *meaning);
  void set(i64 node, Bytes value);
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
  u64 number_ = 0;            // number of the record
  std::vector<u64> visited_;  // by node: number of the last record that has it
};

}  // namespace mrc
