#include "input/inner/sqlite_stream.h"

#include <utility>

namespace mrc {
namespace {

class SqliteStream : public RowStream {
 public:
  SqliteStream(std::unique_ptr<SqliteConnection> connection, std::unique_ptr<SqliteStatement> rows,
               bool has_all_columns, RowWriter writer, std::function<Status()> check)
      : RowStream(std::move(writer)),
        connection_(std::move(connection)),
        rows_(std::move(rows)),
        has_all_columns_(has_all_columns),
        check_(std::move(check)) {}

 private:
  Result<bool> add_rows(RowWriter *to) override {
    const Result<bool> found = rows_->next();
    if (!found.is_ok()) return found.status();
    if (!*found) {
      Status status = check_();
      return status.is_ok() ? Result<bool>(false) : status;
    }
    int returned = 0;
    for (const size_t column : to->columns()) {
      const int place = has_all_columns_ ? static_cast<int>(column) : returned++;
      const bool is_number = rows_->is_number(place);
      to->add(column, rows_->text(place), is_number);
    }
    to->end_row();
    return true;
  }

  std::unique_ptr<SqliteConnection> connection_;
  std::unique_ptr<SqliteStatement> rows_;
  const bool has_all_columns_;
  const std::function<Status()> check_;
};

}  // namespace

Result<std::unique_ptr<Stream>> open_sqlite_stream(std::unique_ptr<SqliteConnection> connection,
                                                   const RowQuery &query, RowWriter writer,
                                                   std::function<Status()> check) {
  Result<std::unique_ptr<SqliteStatement>> rows = SqliteStatement::prepare(*connection, query.text);
  if (!rows.is_ok()) return rows.status();
  if (query.has_range) {
    (*rows)->bind(1, query.first);
    (*rows)->bind(2, query.last);
  }
  return std::unique_ptr<Stream>(
      std::make_unique<SqliteStream>(std::move(connection), std::move(*rows), query.has_all_columns,
                                     std::move(writer), std::move(check)));
}

}  // namespace mrc
