// One JSON record: checks all of it, and finds what is wanted in it.
#pragma once

#include "fields/json_index.h"
#include "fields/json_paths.h"

namespace mrc {

// Walks over the tokens of records, one after another. One thread uses it.
class JsonRecord {
 public:
  // Fields go to columns of `batch`, at row batch->size.
  JsonRecord(const JsonPaths &paths, JsonIndex *index, RecordBatch *batch);

  // The text that the index was just built of; walks begin at its front.
  void begin(Bytes text);
  // Moves to a line of the text, after what was walked over before. Returns false if it
  // is blank.
  bool move_to(Bytes line);
  // Walks over that line. Returns nullptr, or why it is bad: a constant.
  const char *walk();

 private:
  // Nested deeper than that is bad: no log is, and the walk is recursive.
  static constexpr i64 kMostDepth = 500;

  // Each takes a value off the front, and returns false with reason_ set if it is bad.
  bool value(i64 node, i64 depth);
  bool object(i64 node, i64 depth);
  bool array(i64 node, i64 depth);
  bool string(i64 node);
  bool scalar(i64 node);
  bool key(i64 node, i64 *member);

  char token() const { return at() < end_ ? *at() : '\0'; }
  const char *at() const { return base_ + *place_; }
  // Where the token before the next one ends.
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
  const char *end_ = nullptr;  // of the record
  const char *reason_ = nullptr;
  bool has_escapes_ = false;
  u64 number_ = 0;            // of the record
  std::vector<u64> visited_;  // by node: the record in which it was met
};

}  // namespace mrc
