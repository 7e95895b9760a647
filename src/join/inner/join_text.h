// The text of joined rows: the key, the fields of LEFT, the fields of RIGHT.
#pragma once

#include "join/join.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

// A row is a head, which is the key and the fields of LEFT, and a tail, which is the fields of
// RIGHT and the end of the record. Thread safe.
class JoinText {
 public:
  // Uses these members of the shape: format (one with field_text), header, raw, terminal and
  // terminator.
  JoinText(const Join &join, const RowShape &shape);

  void append_header(std::string *out) const;
  // A value whose data() is null is missing; an empty key is missing, too.
  void append_head(std::span<const Bytes> keys, std::span<const Bytes> left,
                   std::string *out) const;
  // Append the two parts of a head.
  void append_keys(std::span<const Bytes> keys, std::string *out) const {
    append_cells(0, keys, out);
  }
  void append_left(std::span<const Bytes> left, std::string *out) const {
    append_cells(keys_, left, out);
  }
  void append_tail(std::span<const Bytes> right, std::string *out) const;
  // Append the missing parts of records without a partner on the other side.
  void append_lone_left(std::string *out) const;
  void append_lone_head(std::span<const Bytes> keys, std::string *out) const;
  void append_lone_tail(std::string *out) const { out->append(lone_tail_); }

 private:
  struct Cell {
    std::string name;
    std::string label;       // text before the value in JSON
    bool is_number = false;  // numbers of a bucket
    ValueKind kind = ValueKind::unknown;
  };
  void append_cells(size_t first, std::span<const Bytes> values, std::string *out) const;
  void append_cell(const Cell &cell, Bytes value, std::string *out) const;
  bool labelled() const { return separator_ == '\0'; }

  const RowShape shape_;
  const char separator_;
  const AppendKey append_text_;
  std::vector<Cell> cells_;
  size_t keys_, lefts_;
  std::string lone_tail_;
};

}  // namespace mrc
