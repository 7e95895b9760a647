#include "input/row_stream.h"

#include "base/json_text.h"
#include "base/row_text.h"

#include <algorithm>

namespace mrc {

RowWriter::RowWriter(const std::vector<std::string> &columns, const Collection::Rows &rows) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (rows.are_objects || rows.wanted.empty() || rows.wanted[i]) columns_.push_back(i);
    if (!rows.are_objects) continue;
    std::string label(i == 0 ? "{" : ",");
    append_json(columns[i], &label);
    labels_.push_back(label + ":");
  }
}

void RowWriter::add(size_t column, Bytes value, bool is_number) {
  if (!labels_.empty()) return add_member(column, value, is_number);
  for (; place_ < column; ++place_) text_ += '\t';
  append_row_value(value, &text_);
}

void RowWriter::add_member(size_t column, Bytes value, bool is_number) {
  text_ += labels_[column];
  if (value.data() == nullptr) {
    text_ += "null";
  } else if (is_number && is_json_number(value)) {
    text_ += value;
  } else {
    append_json(value, &text_);
  }
}

void RowWriter::end_row() {
  text_ += labels_.empty() ? "\n" : "}\n";
  place_ = 0;
}

Result<i64> RowStream::read(char *to, i64 size) {
  while (!is_done_ && unread() < size) fill();
  if (unread() == 0 && !failure_.is_ok()) return failure_;
  const i64 bytes = std::min(size, unread());
  std::copy_n(writer_.text_.data() + read_, bytes, to);
  read_ += bytes;
  if (read_ > unread()) {  // so that the bytes of a long row are moved only once
    writer_.text_.erase(0, static_cast<size_t>(read_));
    read_ = 0;
  }
  return bytes;
}

void RowStream::fill() {
  const Result<bool> more = add_rows(&writer_);
  if (!more.is_ok()) failure_ = more.status();
  is_done_ = !more.is_ok() || !*more;
}

}  // namespace mrc
