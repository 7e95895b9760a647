#include "input/inner/sqlite_statement.h"

#include "base/library.h"

#include <fmt/format.h>

#include <charconv>

namespace mrc {
namespace {

constexpr int kWaitMs = 2000;  // for another process that writes to the database

Result<SqliteLibrary> load_sqlite_library() {
  const Result<Library> library = Library::load("libsqlite3.so.0", "libsqlite3-0");
  if (!library.is_ok()) return library.status();
  SqliteLibrary functions;
#define MRC_FIND(name)                                     \
  if (!library->find("sqlite3_" #name, &functions.name)) { \
    return Status::error("libsqlite3.so.0 is too old");    \
  }
  MRC_SQLITE_FUNCTIONS(MRC_FIND)
#undef MRC_FIND
  return functions;
}

// Returns the file as a URI in which no byte of its name has a meaning.
std::string uri_of(const std::string &file) {
  std::string uri = "file:";
  for (const char c : file) {
    const bool is_special = c == '%' || c == '?' || c == '#' || static_cast<u8>(c) < ' ';
    uri += is_special ? fmt::format("%{:02x}", static_cast<u8>(c)) : std::string(1, c);
  }
  return uri + "?immutable=1";
}

template <typename Number>
void write_number(Number number, std::string *text) {
  constexpr size_t kLongest = 32;
  text->resize(kLongest);
  const char *end = std::to_chars(text->data(), text->data() + kLongest, number).ptr;
  text->resize(static_cast<size_t>(end - text->data()));
}

}  // namespace

Result<const SqliteLibrary *> SqliteLibrary::get() {
  static const Result<SqliteLibrary> library = load_sqlite_library();
  return library.is_ok() ? Result<const SqliteLibrary *>(&*library) : library.status();
}

Result<std::unique_ptr<SqliteConnection>> SqliteConnection::open(const std::string &file,
                                                                 bool is_alone) {
  const Result<const SqliteLibrary *> library = SqliteLibrary::get();
  if (!library.is_ok()) return library.status().within(file);
  std::unique_ptr<SqliteConnection> connection(new SqliteConnection(**library, file));
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | (is_alone ? SQLITE_OPEN_URI : 0);
  // (A name that begins with ":" or "file:" would have a meaning.)
  const std::string name = is_alone ? uri_of(file) : file.starts_with('/') ? file : "./" + file;
  if ((*library)->open_v2(name.c_str(), &connection->handle_, flags, nullptr) != SQLITE_OK) {
    return connection->failure();
  }
  (*library)->busy_timeout(connection->handle_, kWaitMs);
  return connection;
}

SqliteConnection::~SqliteConnection() { library_.close(handle_); }

Status SqliteConnection::failure() const {
  const char *reason = handle_ == nullptr ? "out of memory" : library_.errmsg(handle_);
  return Status::error(fmt::format("{}: SQLite says: {}", file_, reason));
}

Result<std::unique_ptr<SqliteStatement>> SqliteStatement::prepare(
    const SqliteConnection &connection, const std::string &query) {
  const SqliteLibrary &library = connection.library();
  sqlite3_stmt *handle = nullptr;
  const char *rest = nullptr;
  const int size = static_cast<int>(query.size()) + 1;
  if (library.prepare_v2(connection.handle(), query.c_str(), size, &handle, &rest) != SQLITE_OK) {
    return connection.failure();
  }
  std::unique_ptr<SqliteStatement> statement(new SqliteStatement(connection, handle));
  const bool is_one = std::string_view(rest).find_first_not_of(" \t\r\n;") == std::string::npos;
  const bool reads = handle != nullptr && library.stmt_readonly(handle) != 0;
  if (is_one && reads && statement->columns() > 0) return statement;
  return Status::error(connection.file() + ": the query must be one SELECT");
}

SqliteStatement::SqliteStatement(const SqliteConnection &connection, sqlite3_stmt *handle)
    : connection_(connection),
      library_(connection.library()),
      handle_(handle),
      columns_(library_.column_count(handle)) {}

SqliteStatement::~SqliteStatement() { library_.finalize(handle_); }

void SqliteStatement::bind(int place, i64 number) { library_.bind_int64(handle_, place, number); }

void SqliteStatement::bind(int place, const std::string &text) {
  library_.bind_text(handle_, place, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

Result<bool> SqliteStatement::next() {
  const int result = library_.step(handle_);
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) return false;
  return connection_.failure();
}

std::string SqliteStatement::name_of(int column) const {
  const char *name = library_.column_name(handle_, column);
  return name == nullptr ? "" : name;
}

bool SqliteStatement::is_number(int column) const {
  const int type = library_.column_type(handle_, column);
  return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

i64 SqliteStatement::integer(int column) const { return library_.column_int64(handle_, column); }

Bytes SqliteStatement::text(int column) {
  switch (library_.column_type(handle_, column)) {
    case SQLITE_NULL: return {};
    case SQLITE_INTEGER: write_number(i64{library_.column_int64(handle_, column)}, &text_); break;
    case SQLITE_FLOAT: write_number(library_.column_double(handle_, column), &text_); break;
    case SQLITE_BLOB: return hexadecimal(column);
    default: {
      const auto *data = reinterpret_cast<const char *>(library_.column_text(handle_, column));
      const int bytes = library_.column_bytes(handle_, column);
      if (data == nullptr) throw std::bad_alloc();
      return {data, static_cast<size_t>(bytes)};
    }
  }
  return text_;
}

Bytes SqliteStatement::hexadecimal(int column) {
  const auto *data = static_cast<const u8 *>(library_.column_blob(handle_, column));
  const int bytes = library_.column_bytes(handle_, column);
  if (data == nullptr && bytes > 0) throw std::bad_alloc();
  text_.clear();
  for (int i = 0; i < bytes; ++i) fmt::format_to(std::back_inserter(text_), "{:02X}", data[i]);
  return text_;
}

}  // namespace mrc
