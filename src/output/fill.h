// Rows for buckets that no record has.
#pragma once

#include "expr/bucket_steps.h"
#include "output/output.h"

#include <memory>
#include <string>

namespace mrc {

// A part of the key is a bucket with steps. Each combination of the other parts gets a row for each
// bucket between the first and the last of all rows.
struct FillSpec {
  std::shared_ptr<const Bucket> bucket;  // owns the steps
  const BucketSteps *steps;
  i64 part;            // of the key
  std::string number;  // result of columns of numbers; empty: missing. Text is always missing
  bool descending;     // order of keys
  // The key is the bucket alone, and rows are drawn: a long gap is one row, and whatever the memory
  // is, there is no error.
  bool is_chart = false;
};

// Appends what a column shows for a key that no record has: the number, unless it is empty or the
// column is text.
void append_missing(const Column &column, const std::string &number, Notation notation,
                    std::string *out);

// Makes the formatter for shapes with a fill. REQUIRES: rows are in the order of their keys
std::unique_ptr<Formatter> make_filled_formatter(const RowShape &shape, const StateLayout &layout,
                                                 const RowLayout &rows);

}  // namespace mrc
