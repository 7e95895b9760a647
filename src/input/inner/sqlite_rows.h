// Rows of a query of SQLite as lines of text.
#pragma once

#include "base/status.h"
#include "input/inner/sqlite_statement.h"
#include "input/stream.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Rows that a job reads of one query.
struct RowQuery {
  std::string text;
  bool has_range = false;  // the first and the last rowid are parameters of the query
  i64 first = 0, last = 0;
};

// The columns to write: their places in a row, and in what the query returns.
struct SqliteColumns {
  std::vector<i64> places;
  std::vector<int> returned;
  std::vector<std::string> labels;  // of members of JSON; empty: values in a line
};

// Reads the rows of a query, which end with an error if `check` returns one then.
Result<std::unique_ptr<Stream>> open_row_stream(std::unique_ptr<SqliteConnection> connection,
                                                const RowQuery &query, SqliteColumns shape,
                                                std::function<Status()> check);

}  // namespace mrc
