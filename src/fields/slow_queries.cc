// Slow query logs of MySQL and MariaDB. A record is a query with labels above it:
//
//   # Time: 2024-05-01T10:00:00.123456Z                    (or 240501 10:00:00, if it has changed)
//   # User@Host: shop[shop] @ app-1 [192.0.2.7]  Id:    12
//   # Query_time: 2.5  Lock_time: 0.000012 Rows_sent: 3  Rows_examined: 90000
//   use orders;
//   SET timestamp=1714557600;
//   SELECT ...
//   FROM ...;
//
// Labels are fields, in lower case. `time` is the Time, or the timestamp of a record without one;
// `message` is the query. The lines that a server writes when it starts are in no record.
//
// A line "# Time:" begins a record, and so does "# User@Host:" without a Time before it. Chunks are
// cut at "# Time:" only, because this line alone shows where a record begins.
#include "base/text.h"
#include "fields/inner/make_line_reader.h"
#include "fields/inner/named_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

constexpr Bytes kTimeLine = "# Time: ", kUserLine = "# User@Host: ", kTimestamp = "SET timestamp=",
                kUse = "use ";
// The fields that all of these logs have; others are the labels that are found.
constexpr const char *kSlowQueryNames[] = {
    "time",      "user",      "host",          "ip",       "id",     "query_time",
    "lock_time", "rows_sent", "rows_examined", "database", "message"};

// Finds the fields of a record: names in lower case, and values.
class SlowQuery {
 public:
  explicit SlowQuery(Bytes record) : record_(record) {}

  // Calls put(Bytes label, Bytes value) for each. Labels are as written.
  template <typename Put>
  void each(Put put) const {
    Bytes rest = record_, timestamp;
    bool has_time = false;
    while (!rest.empty()) {
      const Bytes line = take_line(&rest);
      if (line.starts_with(kTimeLine)) {
        has_time = true;
        put("time", without_blanks_around(line.substr(kTimeLine.size())));
      } else if (line.starts_with(kUserLine)) {
        each_of_user(line.substr(kUserLine.size()), put);
      } else if (line.starts_with('#')) {
        each_label(line.substr(1), put);
      } else if (line.starts_with(kUse) && line.ends_with(';')) {
        put("database", line.substr(kUse.size(), line.size() - kUse.size() - 1));
      } else if (line.starts_with(kTimestamp)) {
        timestamp = line.substr(kTimestamp.size());
        timestamp = timestamp.substr(0, timestamp.find_first_of(",;"));
      } else {
        put("message", query(line, rest));
        break;
      }
    }
    if (!has_time && !timestamp.empty()) put("time", timestamp);
  }

 private:
  static Bytes take_line(Bytes *rest) {
    const size_t end = std::min(rest->find('\n'), rest->size());
    Bytes line = rest->substr(0, end);
    rest->remove_prefix(std::min(end + 1, rest->size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  static Bytes query(Bytes line, Bytes rest) {
    const char *end = rest.data() + rest.size();
    return without_spaces_around({line.data(), static_cast<size_t>(end - line.data())});
  }
  // Reads shop[shop] @ app-1 [192.0.2.7]  Id:    12
  template <typename Put>
  static void each_of_user(Bytes text, Put put) {
    const size_t at = text.find(" @ ");
    put("user", text.substr(0, std::min(text.find('['), at)));
    if (at == Bytes::npos) return;
    text.remove_prefix(at + 3);
    const size_t open = std::min(text.find('['), text.size()), close = text.find(']', open);
    if (const Bytes host = without_blanks_around(text.substr(0, open)); !host.empty()) {
      put("host", host);
    }
    if (close == Bytes::npos) return;
    if (close > open + 1) put("ip", text.substr(open + 1, close - open - 1));
    each_label(text.substr(close + 1), put);
  }
  // Reads Query_time: 2.5  Lock_time: 0.000012
  template <typename Put>
  static void each_label(Bytes text, Put put) {
    for (;;) {
      text = without_blanks_around(text);
      const size_t colon = text.find(": ");
      if (colon == Bytes::npos || colon == 0) return;
      const Bytes label = text.substr(0, colon);
      if (label.find(' ') != Bytes::npos) return;
      text = without_blanks_around(text.substr(colon + 1));
      const size_t end = std::min(text.find(' '), text.size());
      const Bytes value = text.substr(0, end);
      if (!value.ends_with(':')) text.remove_prefix(end);
      put(label == "Schema" ? Bytes("database") : label, value.ends_with(':') ? Bytes() : value);
    }
  }

  Bytes record_;
};

bool is_same_label(Bytes label, Bytes name) {
  return std::ranges::equal(label, name, {}, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  });
}
std::string in_lower_case(Bytes label) {
  std::string name(label);
  for (char &c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return name;
}

class SlowQueryReader : public RecordReader {
 public:
  SlowQueryReader(const Dialect &dialect, Projection projection)
      : dialect_(dialect), projection_(std::move(projection)) {}

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    projection_.begin(batch);
    const char *end = chunk.bytes.data() + chunk.bytes.size();
    const char *at = skip_preamble(chunk, *next, dialect_);
    while (at < end && !is_full(*batch)) at = take(at, end, batch);
    *next = at;
    projection_.finish(batch);
  }
  bool joins_lines() const override { return true; }
  bool begins(Bytes head) const override { return head.starts_with(kTimeLine); }

 private:
  const char *after_line(const char *line, const char *end) const {
    const void *found = std::memchr(line, dialect_.terminator, static_cast<size_t>(end - line));
    return found == nullptr ? end : static_cast<const char *>(found) + 1;
  }
  // Takes a record, or a line that is in none. Returns the place after it.
  const char *take(const char *begin, const char *end, RecordBatch *batch) const {
    const Bytes all(begin, static_cast<size_t>(end - begin));
    const char *at = after_line(begin, end);
    if (!all.starts_with(kTimeLine) && !all.starts_with(kUserLine)) {
      const Bytes line(begin, static_cast<size_t>(at - begin));
      const bool is_known = is_blank_line(without_line_end(line)) || is_of_start(line);
      if (!is_known) close_record(batch, without_line_end(line), "it is in no query");
      return at;
    }
    bool has_user = all.starts_with(kUserLine);
    while (at < end) {
      const Bytes rest(at, static_cast<size_t>(end - at));
      const bool is_user = rest.starts_with(kUserLine);
      if (rest.starts_with(kTimeLine) || (is_user && has_user)) break;
      const char *after = after_line(at, end);
      const Bytes line(at, static_cast<size_t>(after - at));
      if (is_of_start(line) || (is_digit(line[0]) && has_own_time(line))) break;
      has_user |= is_user;
      at = after;
    }
    put(without_line_end({begin, static_cast<size_t>(at - begin)}), batch);
    return at;
  }
  void put(Bytes record, RecordBatch *batch) const {
    const FieldRow row{batch->fields.data(), static_cast<size_t>(batch->size)};
    for (const WantedField &field : projection_.fields()) row.put(field.column, Bytes());
    SlowQuery(record).each([&](Bytes label, Bytes value) {
      for (const WantedField &field : projection_.fields()) {
        const bool is_free = row.columns[static_cast<size_t>(field.column)][row.index].empty();
        if (is_free && is_same_label(label, field.name)) row.put(field.column, value);
      }
    });
    close_record(batch, record, nullptr);
  }
  static Bytes without_line_end(Bytes text) {
    const size_t last = text.find_last_not_of(" \t\r\n");
    return text.substr(0, last == Bytes::npos ? 0 : last + 1);
  }
  // True for the three lines that a server writes when it starts.
  static bool is_of_start(Bytes line) {
    const Bytes text = without_line_end(line);
    return text.ends_with(" started with:") || text.starts_with("Tcp port: ") ||
           text.starts_with("TCP Port: ") ||
           (text.starts_with("Time") && text.ends_with("Argument"));
  }

  const Dialect dialect_;
  const Projection projection_;
};

Status complete_slow_queries(const InputHead &input, Dialect *dialect) {
  dialect->names = {std::begin(kSlowQueryNames), std::end(kSlowQueryNames)};
  dialect->open = true;
  dialect->joins_lines = true;
  for (Bytes line : first_lines(input)) {
    if (!line.starts_with('#')) continue;
    SlowQuery(line).each([&](Bytes label, Bytes) {
      const std::string name = in_lower_case(label);
      if (!has_name(dialect->names, name)) dialect->names.push_back(name);
    });
  }
  return Status::ok();
}

std::optional<Dialect> recognize_slow_queries(const LineFormat &format, const InputHead &input,
                                              const std::vector<Bytes> &records) {
  const auto count = [&](Bytes front) {
    return std::ranges::count_if(records, [&](Bytes line) { return line.starts_with(front); });
  };
  const i64 queries = count("# Query_time: ");
  if (queries == 0 || count(kUserLine) == 0) return std::nullopt;
  return completed(format, input,
                   fmt::format("{} queries in the first {} lines", queries, std::ssize(records)));
}

}  // namespace

constinit const NamedKind kSlowQueriesKind = {.make_reader = make_joining_reader<SlowQueryReader>,
                                              .complete = complete_slow_queries,
                                              .recognize = recognize_slow_queries,
                                              .alone = false};

}  // namespace mrc
