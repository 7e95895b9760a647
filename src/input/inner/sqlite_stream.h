// Rows of a query of SQLite as lines of text.
#pragma once

#include "base/status.h"
#include "input/inner/sqlite_statement.h"
#include "input/row_stream.h"

#include <functional>
#include <memory>
#include <string>

namespace mrc {

// Rows that a job reads of one query.
struct RowQuery {
  std::string text;
  bool has_all_columns = false;  // false: the query returns only those of the writer
  bool has_range = false;        // the first and the last rowid are parameters of the query
  i64 first = 0, last = 0;
};

// Reads the rows of a query, which end with an error if `check` returns one then.
Result<std::unique_ptr<Stream>> open_sqlite_stream(std::unique_ptr<SqliteConnection> connection,
                                                   const RowQuery &query, RowWriter writer,
                                                   std::function<Status()> check);

}  // namespace mrc
