// Connections to a database of SQLite, and queries.
#pragma once

#include "base/int.h"
#include "base/status.h"
#include "input/inner/sqlite_library.h"

#include <memory>
#include <string>

namespace mrc {

// One thread at a time.
class SqliteConnection {
 public:
  // Opens the database to read it. `is_alone`: no other process writes to it, so that no locks are
  // taken.
  static Result<std::unique_ptr<SqliteConnection>> open(const std::string &file, bool is_alone);
  ~SqliteConnection();
  SqliteConnection(const SqliteConnection &) = delete;
  SqliteConnection &operator=(const SqliteConnection &) = delete;

  const SqliteLibrary &library() const { return library_; }
  sqlite3 *handle() const { return handle_; }
  const std::string &file() const { return file_; }
  // Returns the error of the last call, about the database.
  Status failure() const;

 private:
  SqliteConnection(const SqliteLibrary &library, std::string file)
      : library_(library), file_(std::move(file)) {}

  const SqliteLibrary &library_;
  const std::string file_;
  sqlite3 *handle_ = nullptr;
};

// A query, and its rows one after another. The connection must outlive it.
class SqliteStatement {
 public:
  static Result<std::unique_ptr<SqliteStatement>> prepare(const SqliteConnection &connection,
                                                          const std::string &query);
  ~SqliteStatement();
  SqliteStatement(const SqliteStatement &) = delete;
  SqliteStatement &operator=(const SqliteStatement &) = delete;

  void bind(int place, i64 number);
  void bind(int place, const std::string &text);
  // Goes to the next row; false after the last one.
  Result<bool> next();

  int columns() const { return columns_; }
  std::string name_of(int column) const;
  i64 integer(int column) const;
  // Returns the value as text: numbers in the shortest form that reads back as the same number, the
  // bytes of a BLOB in hexadecimal. A missing value has no data(). Valid until the next call.
  Bytes text(int column);
  bool is_number(int column) const;

 private:
  SqliteStatement(const SqliteConnection &connection, sqlite3_stmt *handle);
  Bytes hexadecimal(int column);

  const SqliteConnection &connection_;
  const SqliteLibrary &library_;
  sqlite3_stmt *handle_;
  int columns_;
  std::string text_;
};

}  // namespace mrc
