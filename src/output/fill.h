// Rows for buckets that no record has, and buckets along the axis of a drawing.
#pragma once

#include "expr/bucket_steps.h"
#include "output/output.h"

#include <memory>
#include <string>

namespace mrc {

// The last part of the key, whose values are drawn from the left to the right.
struct DrawnAxis {
  std::string name, number;              // of the part, and of the column that is drawn
  i64 column;                            // that column, in the layout
  std::shared_ptr<const Bucket> bucket;  // of the part; null: none
  std::string empty;                     // the number where no record is; empty: missing
};

// A part of the key is a bucket with steps. Each combination of the other parts gets a row for each
// bucket between the first and the last of all rows.
struct FillSpec {
  std::shared_ptr<const Bucket> bucket = {};  // owns the steps
  const BucketSteps *steps = nullptr;         // null: no rows are filled
  i64 part = 0;                               // of the key
  std::string number = {};  // result of columns of numbers; empty: missing. Text is always missing
  bool descending = false;  // order of keys
  // The key is the bucket alone, and rows are drawn: a long gap is one row, and whatever the memory
  // is, there is no error.
  bool is_chart = false;
  std::shared_ptr<const DrawnAxis> axis = {};  // of formats that spread; else null
};

// Appends what a column shows for a key that no record has: the number, unless it is empty or the
// column is text.
void append_missing(const Column &column, const std::string &number, Notation notation,
                    std::string *out);

// Makes the formatter for shapes with a fill. REQUIRES: rows are in the order of their keys
std::unique_ptr<Formatter> make_filled_formatter(const RowShape &shape, const StateLayout &layout,
                                                 const RowLayout &rows);

}  // namespace mrc
