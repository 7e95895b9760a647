// Rows of values as streams of text, which all stages read as they read files.
#pragma once

#include "base/status.h"
#include "input/collection.h"
#include "input/stream.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

// Writes the rows that a job reads: each as a line of values (row_text.h), or as an object of JSON.
class RowWriter {
 public:
  RowWriter(const std::vector<std::string> &columns, const Collection::Rows &rows);

  // Returns the columns to write, in order.
  std::span<const size_t> columns() const { return columns_; }
  // Adds the value of the next of these columns. A value without data() is missing.
  void add(size_t column, Bytes value, bool is_number);
  void end_row();

 private:
  friend class RowStream;
  void add_member(size_t column, Bytes value, bool is_number);

  std::vector<size_t> columns_;
  std::vector<std::string> labels_;  // of members of JSON; empty: values in a line
  std::string text_;
  size_t place_ = 0;  // of the last value in its line
};

// Makes the text of rows when it is read.
class RowStream : public Stream {
 public:
  explicit RowStream(RowWriter writer) : writer_(std::move(writer)) {}
  Result<i64> read(char *to, i64 size) final;

 private:
  // Adds at least one row; returns false if there are no more. An error concerns the rows after
  // those that have been added.
  virtual Result<bool> add_rows(RowWriter *to) = 0;
  void fill();
  i64 unread() const { return std::ssize(writer_.text_) - read_; }

  RowWriter writer_;
  i64 read_ = 0;  // bytes of the writer's text that have been read
  bool is_done_ = false;
  Status failure_ = Status::ok();
};

}  // namespace mrc
