#include "input/inner/sqlite_rows.h"

#include "base/json_text.h"
#include "base/row_text.h"

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

class RowStream : public Stream {
 public:
  RowStream(std::unique_ptr<SqliteConnection> connection, std::unique_ptr<SqliteStatement> rows,
            SqliteColumns shape, std::function<Status()> check)
      : connection_(std::move(connection)),
        rows_(std::move(rows)),
        shape_(std::move(shape)),
        check_(std::move(check)) {}

  Result<i64> read(char *to, i64 size) override {
    while (!is_done_ && unread() < size) add_row();
    if (unread() == 0 && !failure_.is_ok()) return failure_;
    const i64 bytes = std::min(size, unread());
    std::copy_n(text_.data() + read_, bytes, to);
    read_ += bytes;
    if (read_ > unread()) {  // so that the bytes of a long row are moved only once
      text_.erase(0, static_cast<size_t>(read_));
      read_ = 0;
    }
    return bytes;
  }

 private:
  i64 unread() const { return std::ssize(text_) - read_; }

  void add_row() {
    const Result<bool> found = rows_->next();
    if (!found.is_ok()) failure_ = found.status();
    is_done_ = !found.is_ok() || !*found;
    if (is_done_) {
      if (failure_.is_ok()) failure_ = check_();
      return;
    }
    shape_.labels.empty() ? add_values() : add_object();
    text_ += '\n';
  }

  void add_values() {
    i64 place = 0;
    for (size_t i = 0; i < shape_.places.size(); ++i) {
      for (; place < shape_.places[i]; ++place) text_ += '\t';
      append_row_value(rows_->text(shape_.returned[i]), &text_);
    }
  }

  void add_object() {
    for (size_t i = 0; i < shape_.labels.size(); ++i) {
      const int column = shape_.returned[i];
      text_ += shape_.labels[i];
      const Bytes value = rows_->text(column);
      if (value.data() == nullptr) {
        text_ += "null";
      } else if (rows_->is_number(column) && is_json_number(value)) {
        text_ += value;
      } else {
        append_json(value, &text_);
      }
    }
    text_ += '}';
  }

  std::unique_ptr<SqliteConnection> connection_;
  std::unique_ptr<SqliteStatement> rows_;
  const SqliteColumns shape_;
  const std::function<Status()> check_;
  std::string text_;  // rows, of which `read_` bytes have been read
  i64 read_ = 0;
  bool is_done_ = false;
  Status failure_ = Status::ok();
};

}  // namespace

Result<std::unique_ptr<Stream>> open_row_stream(std::unique_ptr<SqliteConnection> connection,
                                                const RowQuery &query, SqliteColumns shape,
                                                std::function<Status()> check) {
  Result<std::unique_ptr<SqliteStatement>> rows = SqliteStatement::prepare(*connection, query.text);
  if (!rows.is_ok()) return rows.status();
  if (query.has_range) {
    (*rows)->bind(1, query.first);
    (*rows)->bind(2, query.last);
  }
  return std::unique_ptr<Stream>(std::make_unique<RowStream>(
      std::move(connection), std::move(*rows), std::move(shape), std::move(check)));
}

}  // namespace mrc
