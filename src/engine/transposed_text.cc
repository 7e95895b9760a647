// All rows are in memory, one after another. A walk over each of them takes its next cell for each
// row of the answer, so that a byte is read twice: to find where rows begin, and to write it.
#include "engine/inner/transposed_text.h"

#include "base/setting_name.h"
#include "base/varint.h"
#include "output/encode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

constexpr size_t kTransposedPiece = size_t{1} << 20;
constexpr i64 kLeast = i64{64} << 10;  // bytes that any table may take

double in_mib(i64 bytes) { return static_cast<double>(bytes) / (1 << 20); }

}  // namespace

Status TransposedText::write(Bytes bytes) {
  const i64 end = size_ + std::ssize(bytes);
  if (end > std::max(memory_, kLeast)) text_.reset();
  if (end <= std::max(memory_, kLeast)) {
    if (end > text_.size()) text_.grow(std::max(end, 2 * text_.size()));
    std::memcpy(text_.data() + size_, bytes.data(), bytes.size());
  }
  size_ = end;
  return Status::ok();
}

Status TransposedText::check_size() const {
  const i64 needed = size_ + std::ssize(rows_) * i64{sizeof(Bytes)};
  const i64 most = std::max(memory_, kLeast);
  if (needed <= most) return Status::ok();
  return Status::error(fmt::format(
      "a table of {:.1f} MiB has to be in memory to exchange its rows and columns, and may take "
      "{:.1f} MiB, a quarter of it; set {} to {}M, or choose fewer columns by {} or records by {}",
      in_mib(needed), in_mib(most), setting_name("memory"), (4 * needed >> 20) + 1,
      setting_name("key"), setting_name("where")));
}

void TransposedText::find_rows() {
  Bytes left(reinterpret_cast<const char *>(text_.data()), static_cast<size_t>(size_));
  while (!left.empty()) {
    rows_.push_back(left);
    for (i64 i = 0; i < columns_; ++i) take_sized(&left);
  }
}

Bytes TransposedText::take_cell(size_t row) { return take_sized(&rows_[row]); }

Status TransposedText::write_if_full(std::string *out) {
  if (out->size() < kTransposedPiece) return Status::ok();
  Status status = answer_->write(*out);
  out->clear();
  return status;
}

// Appends a row of the answer. The only cell of a line of CSV is quoted if it is empty.
void TransposedText::append_cells(std::string *out) {
  const bool may_be_blank = rows_.size() == 1 && shape_.format == &OutputFormat::csv;
  for (size_t row = 0; row < rows_.size(); ++row) {
    const Bytes cell = take_cell(row);
    if (row > 0) out->push_back(shape_.format->separator);
    out->append(may_be_blank && cell.empty() ? Bytes("\"\"") : cell);
  }
  out->push_back(shape_.terminator);
}

void TransposedText::append_objects(std::string *out) {
  for (size_t row = 0; row < rows_.size(); ++row) {
    out->append(labels_[row]).append(take_cell(row));
  }
  out->push_back('}');
  out->push_back(shape_.terminator);
}

Status TransposedText::write_columns() {
  const bool is_labelled = shape_.format->separator == '\0';
  std::string out;
  if (is_labelled) {
    std::vector<std::string> names;
    for (size_t row = 0; row < rows_.size(); ++row) names.emplace_back(take_cell(row));
    labels_ = json_labels(names);
  } else if (!shape_.header) {
    for (size_t row = 0; row < rows_.size(); ++row) take_cell(row);
  }
  for (i64 i = is_labelled || !shape_.header; i < columns_; ++i) {
    is_labelled ? append_objects(&out) : append_cells(&out);
    if (Status status = write_if_full(&out); !status.is_ok()) return status;
  }
  return answer_->write(out);
}

Status TransposedText::finish() {
  if (Status status = check_size(); !status.is_ok()) return status;
  find_rows();
  Status status = check_size();
  if (status.is_ok()) status = write_columns();
  return status.is_ok() ? answer_->commit() : status;
}

}  // namespace mrc
