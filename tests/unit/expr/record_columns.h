// Records for filters to look at, without a reader: rows of fields, by columns.
#pragma once

#include "expr/expr.h"
#include "unit/map/padded_text.h"

#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// A missing field is nullopt.
using Row = std::vector<std::optional<std::string>>;

// Each value ends with its padding in memory of its own, so that a sanitizer sees what
// goes further. Up to RecordBatch::kCapacity rows of `width` fields.
class RecordColumns {
 public:
  RecordColumns(const std::vector<Row> &rows, size_t width, i64 first_field = 0)
      : batch_(std::make_unique<RecordBatch>()) {
    batch_->size = static_cast<i64>(rows.size());
    batch_->fields.resize(width + static_cast<size_t>(first_field));
    for (size_t r = 0; r < rows.size(); ++r) {
      for (size_t f = 0; f < width; ++f) {
        if (!rows[r][f]) continue;
        values_.emplace_back(*rows[r][f], '7');
        batch_->fields[static_cast<size_t>(first_field) + f][r] = values_.back().text();
      }
    }
  }
  const RecordBatch &batch() const { return *batch_; }
  RecordBatch *batch() { return batch_.get(); }
  // What a filter of all fields selects.
  Filter::Selection select(const Filter &filter, size_t first_field = 0) {
    std::vector<size_t> columns(filter.fields().size());
    std::iota(columns.begin(), columns.end(), first_field);
    return filter.select(batch_.get(), columns, &bad_);
  }
  const std::vector<BadValue> &bad() const { return bad_; }

 private:
  std::vector<PaddedText> values_;
  std::unique_ptr<RecordBatch> batch_;
  std::vector<BadValue> bad_;
};

}  // namespace mrc
