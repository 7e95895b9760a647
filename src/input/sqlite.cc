// Rows of a table or a query of SQLite, as lines of text (row_text.h). A table is divided by ranges
// of its rowids, which workers read at the same time, each by a connection of its own. One more
// connection holds a lock until the job ends, so that all of them see the same rows. If the
// database has a write-ahead log with nothing in it, no lock is taken, and a change meanwhile is an
// error.
#include "base/typed_text.h"
#include "input/inner/collections.h"
#include "input/inner/sqlite_statement.h"
#include "input/inner/sqlite_stream.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <span>

namespace mrc {
namespace {

constexpr std::string_view kPrefix = "sqlite:", kTable = "?table=", kQuery = "?query=";
constexpr i64 kPartBytes = i64{4} << 20;  // bytes of the file for each part of a table
constexpr i64 kMostParts = 256;

// The name of an input, taken apart: sqlite:FILE?table=NAME or sqlite:FILE?query=QUERY.
struct Asked {
  std::string file, table, query;
};

Asked asked_of(std::string_view text) {
  text.remove_prefix(kPrefix.size());
  const size_t table = text.find(kTable), query = text.find(kQuery);
  const size_t end = std::min({table, query, text.size()});
  Asked asked{.file = std::string(text.substr(0, end)), .table = {}, .query = {}};
  if (end == text.size()) return asked;
  (table < query ? asked.table : asked.query) = text.substr(end + kTable.size());
  return asked;
}

// The state of a file, by which a change is noticed.
struct Stamp {
  i64 size = -1, seconds = 0, nanoseconds = 0;
  bool operator==(const Stamp &) const = default;
};

Stamp stamp_of(const std::string &file) {
  struct stat info;
  if (stat(file.c_str(), &info) != 0) return {};
  return {info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
}

// True if the header of the file says that it has a write-ahead log.
bool has_log(const std::string &file) {
  constexpr off_t kVersion = 18;
  constexpr char kLog = 2;
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  char version = 0;
  const bool is_read = fd >= 0 && pread(fd, &version, 1, kVersion) == 1;
  if (fd >= 0) close(fd);
  return is_read && version == kLog;
}

class SqliteRows : public Collection {
 public:
  static Result<std::shared_ptr<Collection>> open(const std::string &name);

  std::string what() const override { return "rows of a database"; }
  Result<std::vector<Source>> split(const Source &whole, bool divides_rows) override;
  Result<Source> first(const Source &whole) override;
  Result<std::unique_ptr<Stream>> open(const Source &source) override;
  const std::vector<std::string> &columns() const override { return columns_; }
  bool leaves_out_rows() const override { return !order_.empty(); }
  void read_rows(Rows rows) override { rows_ = std::move(rows); }

 private:
  SqliteRows(std::string name, Asked asked) : name_(std::move(name)), asked_(std::move(asked)) {}

  Status prepare();
  Status choose_table();
  Status find_columns();
  Status find_rowid();
  Status find_order();
  Status hold();
  Status check() const;
  Result<std::vector<std::string>> tables() const;
  Result<std::pair<i64, i64>> rowids() const;
  std::string query_of(std::span<const size_t> columns) const;
  std::string condition() const;

  const std::string name_;
  Asked asked_;
  bool is_alone_ = false, has_log_ = false;
  Stamp stamp_;
  std::unique_ptr<SqliteConnection> holder_;
  std::unique_ptr<SqliteStatement> lock_;
  std::vector<std::string> columns_;
  std::string rowid_;  // empty: there is none
  std::string
      order_;  // columns by which rows are ordered; empty: they are in an order of their own
  Rows rows_;
  std::vector<std::pair<i64, i64>> ranges_;  // ranges of rowids, by part
};

Result<std::shared_ptr<Collection>> SqliteRows::open(const std::string &name) {
  std::shared_ptr<SqliteRows> rows(new SqliteRows(name, asked_of(name)));
  Status status = rows->prepare();
  if (!status.is_ok()) return status;
  return std::shared_ptr<Collection>(std::move(rows));
}

Status SqliteRows::prepare() {
  if (access(asked_.file.c_str(), R_OK) != 0) return Status::from_errno(asked_.file, errno);
  stamp_ = stamp_of(asked_.file);
  if (stamp_.size == 0) return Status::error(asked_.file + ": is empty, and no SQLite database");
  has_log_ = has_log(asked_.file);
  is_alone_ = has_log_ && stamp_of(asked_.file + "-wal").size <= 0;
  Result<std::unique_ptr<SqliteConnection>> holder = SqliteConnection::open(asked_.file, is_alone_);
  if (!holder.is_ok()) return holder.status();
  holder_ = std::move(*holder);
  Status status = hold();
  if (status.is_ok() && asked_.query.empty()) status = choose_table();
  if (status.is_ok()) status = find_columns();
  if (status.is_ok() && asked_.query.empty()) status = find_rowid();
  return status;
}

// Begins to read, and does not end: a writer waits with what it has written.
Status SqliteRows::hold() {
  Result<std::unique_ptr<SqliteStatement>> lock =
      SqliteStatement::prepare(*holder_, "SELECT name FROM sqlite_master UNION ALL SELECT ''");
  if (!lock.is_ok()) return lock.status();
  lock_ = std::move(*lock);
  return lock_->next().status();
}

Result<std::vector<std::string>> SqliteRows::tables() const {
  Result<std::unique_ptr<SqliteStatement>> rows =
      SqliteStatement::prepare(*holder_,
                               "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND "
                               "name NOT LIKE 'sqlite~_%' "
                               "ESCAPE '~' ORDER BY name");
  if (!rows.is_ok()) return rows.status();
  std::vector<std::string> names;
  for (;;) {
    const Result<bool> found = (*rows)->next();
    if (!found.is_ok()) return found.status();
    if (!*found) return names;
    names.emplace_back((*rows)->text(0));
  }
}

// Finds the table that is asked for, or the only one.
Status SqliteRows::choose_table() {
  constexpr size_t kMostShown = 20;
  Result<std::vector<std::string>> names = tables();
  if (!names.is_ok()) return names.status();
  if (asked_.table.empty() && names->size() == 1) asked_.table = names->front();
  if (std::ranges::find(*names, asked_.table) != names->end()) return Status::ok();
  if (names->empty()) return Status::error(asked_.file + ": the database has no table");
  const size_t shown = std::min(names->size(), kMostShown);
  std::string list = fmt::format(
      "{}", fmt::join(names->begin(), names->begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < names->size()) list += fmt::format(" and {} more", names->size() - shown);
  const std::string what = asked_.table.empty() ? fmt::format("name a table, as in {}{}?table={}",
                                                              kPrefix, asked_.file, names->front())
                                                : fmt::format("no table \"{}\"", asked_.table);
  return Status::error(fmt::format("{}: {}; there are {}", asked_.file, what, list));
}

Status SqliteRows::find_columns() {
  const std::string query = asked_.query.empty()
                                ? fmt::format("SELECT * FROM {}", in_double_quotes(asked_.table))
                                : asked_.query;
  const Result<std::unique_ptr<SqliteStatement>> rows = SqliteStatement::prepare(*holder_, query);
  if (!rows.is_ok()) return rows.status();
  std::set<std::string> known;
  for (int i = 0; i < (*rows)->columns(); ++i) {
    columns_.push_back((*rows)->name_of(i));
    if (known.insert(columns_.back()).second) continue;
    return Status::error(fmt::format("{}: two columns are called {}; name one of them by AS",
                                     asked_.file, columns_.back()));
  }
  return Status::ok();
}

// Finds a name of the rowid that no column has. Views and tables WITHOUT ROWID have none, and
// virtual tables might be slow to search by it.
Status SqliteRows::find_rowid() {
  Result<std::unique_ptr<SqliteStatement>> kind =
      SqliteStatement::prepare(*holder_,
                               "SELECT type = 'table' AND sql NOT LIKE 'create virtual%' FROM "
                               "sqlite_master WHERE name = ?1");
  if (!kind.is_ok()) return kind.status();
  (*kind)->bind(1, asked_.table);
  const Result<bool> found = (*kind)->next();
  if (!found.is_ok()) return found.status();
  if (!*found || (*kind)->integer(0) == 0) return Status::ok();
  for (const char *name : {"rowid", "_rowid_", "oid"}) {
    const auto is_same = [&](const std::string &column) {
      return strcasecmp(column.c_str(), name) == 0;
    };
    if (std::ranges::any_of(columns_, is_same)) continue;
    const std::string query =
        fmt::format("SELECT {} FROM {}", name, in_double_quotes(asked_.table));
    if (SqliteStatement::prepare(*holder_, query).is_ok()) rowid_ = name;
    break;
  }
  order_ = rowid_;
  return rowid_.empty() ? find_order() : Status::ok();
}

// A table without rowids is in the order of its primary key, but SQLite may read an index instead
// that has all wanted columns.
Status SqliteRows::find_order() {
  Result<std::unique_ptr<SqliteStatement>> keys = SqliteStatement::prepare(
      *holder_, "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk");
  if (!keys.is_ok()) return keys.status();
  (*keys)->bind(1, asked_.table);
  for (;;) {
    const Result<bool> found = (*keys)->next();
    if (!found.is_ok()) return found.status();
    if (!*found) return Status::ok();
    order_ += (order_.empty() ? "" : ", ") + in_double_quotes(std::string((*keys)->text(0)));
  }
}

// Returns the smallest and the largest rowid; the first is larger if there is no row.
Result<std::pair<i64, i64>> SqliteRows::rowids() const {
  std::pair<i64, i64> ends = {1, 0};
  for (const char *order : {"ASC", "DESC"}) {
    Result<std::unique_ptr<SqliteStatement>> row = SqliteStatement::prepare(
        *holder_, fmt::format("SELECT {0} FROM {1} ORDER BY {0} {2} LIMIT 1", rowid_,
                              in_double_quotes(asked_.table), order));
    if (!row.is_ok()) return row.status();
    const Result<bool> found = (*row)->next();
    if (!found.is_ok()) return found.status();
    if (*found) (*order == 'A' ? ends.first : ends.second) = (*row)->integer(0);
  }
  return ends;
}

Result<Source> SqliteRows::first(const Source &whole) {
  ranges_.clear();
  Source source = whole;
  source.stream = true;
  source.part = 0;
  return source;
}

// A log can be written while it is read, so that connections may see different rows.
Result<std::vector<Source>> SqliteRows::split(const Source &whole, bool divides_rows) {
  Source source = *first(whole);
  const bool divides = divides_rows && !rowid_.empty() && (!has_log_ || is_alone_);
  const i64 wanted = std::min(stamp_.size / kPartBytes + 1, kMostParts);
  if (!divides || wanted < 2) return std::vector<Source>{source};
  const Result<std::pair<i64, i64>> ends = rowids();
  if (!ends.is_ok()) return ends.status();
  const auto first = static_cast<u64>(ends->first);
  const u64 last = static_cast<u64>(ends->second) - first;  // wraps around as it should
  if (ends->first > ends->second || last < static_cast<u64>(wanted)) {
    return std::vector<Source>{source};
  }
  const u64 step = last / static_cast<u64>(wanted) + 1;
  std::vector<Source> all;
  for (u64 at = 0;; at += step) {
    const u64 end = last - at < step ? last : at + step - 1;
    ranges_.emplace_back(static_cast<i64>(first + at), static_cast<i64>(first + end));
    source.part = std::ssize(all);
    source.path = at == 0 ? name_ : fmt::format("{} from rowid {}", name_, ranges_.back().first);
    all.push_back(source);
    if (end == last) return all;
  }
}

// A query of the user returns all of its columns: around it, another one could change the order.
std::string SqliteRows::query_of(std::span<const size_t> columns) const {
  if (!asked_.query.empty()) return asked_.query;
  std::string list;
  for (const size_t column : columns) {
    list += (list.empty() ? "" : ", ") + in_double_quotes(columns_[column]);
  }
  if (list.empty()) list = "NULL";
  if (order_.empty()) return fmt::format("SELECT {} FROM {}", list, in_double_quotes(asked_.table));
  return fmt::format("SELECT {} FROM {} NOT INDEXED{} ORDER BY {}", list,
                     in_double_quotes(asked_.table), condition(), order_);
}

// Text is greater than all numbers, unless it is converted to a number, or a number to text: the
// plus takes the type of the column away, by which SQLite would do so.
std::string SqliteRows::condition() const {
  std::vector<std::string> all;
  if (!ranges_.empty()) all.push_back(fmt::format("{} BETWEEN ?1 AND ?2", rowid_));
  for (const Numbers &numbers : rows_.left_out) {
    all.push_back(fmt::format("+{} NOT BETWEEN {} AND {}",
                              in_double_quotes(columns_[numbers.column]), numbers.least,
                              numbers.most));
  }
  return all.empty() ? "" : fmt::format(" WHERE {}", fmt::join(all, " AND "));
}

Result<std::unique_ptr<Stream>> SqliteRows::open(const Source &source) {
  RowWriter writer(columns_, rows_);
  RowQuery query{.text = query_of(writer.columns()), .has_all_columns = !asked_.query.empty()};
  if (!ranges_.empty()) {
    query.has_range = true;
    std::tie(query.first, query.last) = ranges_[static_cast<size_t>(source.part)];
  }
  Result<std::unique_ptr<SqliteConnection>> connection =
      SqliteConnection::open(asked_.file, is_alone_);
  if (!connection.is_ok()) return connection.status();
  return open_sqlite_stream(std::move(*connection), query, std::move(writer),
                            [this] { return check(); });
}

// Without locks, only the state of the file shows that another process has written to it.
Status SqliteRows::check() const {
  if (!is_alone_ || stamp_of(asked_.file) == stamp_) return Status::ok();
  return Status::error(asked_.file + ": was changed while it was read; run the job again");
}

}  // namespace

bool names_rows(std::string_view name) { return name.starts_with(kPrefix); }

Result<std::shared_ptr<Collection>> open_rows(const std::string &name) {
  return SqliteRows::open(name);
}

}  // namespace mrc
