// Logs of random separators, padding, brackets and order, whose generator knows the value of each
// field.
#pragma once

#include "fields/inner/surrounded.h"
#include "unit/fields/random_values.h"
#include "unit/fields/read_records.h"

namespace mrc {

// Writes the same columns in each line.
struct KnownColumnText {
  std::string field, before, after;  // text around the value
  size_t width = 0;                  // blanks follow shorter values
};

// The values of requests, besides random_values().
inline void add_request(Values *values, Random *random) {
  constexpr const char *kStatuses[] = {"200", "404", "503"}, *kUsers[] = {"-", "anna", "bob"};
  constexpr const char *kMethods[] = {"GET", "POST"};
  (*values)["ip"] = "192.0.2." + random->digits(254);
  (*values)["status"] = random->one_of(kStatuses);
  (*values)["user"] = random->one_of(kUsers);
  (*values)["bytes"] = random->digits(99999);
  (*values)["seconds"] = "0." + random->digits(999);
  (*values)["agent"] = "Agent/" + random->digits(9) + " (X; y " + random->letters(4) + ")";
  (*values)["request"] = std::string(random->one_of(kMethods)) + " /" + random->letters(8) +
                         "?n=" + random->digits(99) + " HTTP/1.1";
}

inline std::vector<KnownColumnText> columns_with_bars(Random *random) {
  const bool has_blanks = random->below(2) == 0;
  const std::string bar = has_blanks ? " | " : "|";
  std::vector<KnownColumnText> columns = {
      {"time", "", bar}, {"level", "", bar}, {"logger", "", bar}};
  if (random->below(2) == 0) columns.push_back({"pid", "", bar});
  if (random->below(2) == 0) std::swap(columns[1], columns[2]);
  if (random->below(2) == 0) columns[1].width = columns[2].width = 8;
  return columns;
}

inline std::vector<KnownColumnText> columns_in_brackets(Random *random) {
  constexpr const char *kGaps[] = {"", " "}, *kEnds[] = {"] ", "]: ", "] - ", "]:", " ] "};
  const std::string gap = random->one_of(kGaps);
  std::vector<KnownColumnText> columns = {{"time", "[", "]" + gap}};
  std::vector<std::string> fields = {"level", "logger", "pid", "thread"};
  random->shuffle(&fields);
  fields.resize(1 + random->below(4));
  for (const std::string &field : fields) columns.push_back({field, "[", "]" + gap});
  if (random->below(2) == 0) columns.back().width = 6;
  columns.back().after = random->one_of(kEnds);
  return columns;
}

inline std::vector<KnownColumnText> columns_with_colons(Random *random) {
  constexpr const char *kEnds[] = {":", ": "};
  const bool is_in_brackets = random->below(2) == 0;
  std::vector<KnownColumnText> columns = {
      {"time", is_in_brackets ? "[" : "", is_in_brackets ? "]:" : ":"}, {"level", "", ":"}};
  if (random->below(2) == 0) columns.push_back({"logger", "", ":"});
  columns.back().after = random->one_of(kEnds);
  return columns;
}

inline std::vector<KnownColumnText> columns_with_blanks(Random *random) {
  constexpr const char *kEnds[] = {": ", " - ", " : "}, *kLevelEnds[] = {": ", " ", ":"};
  std::vector<KnownColumnText> columns = {{"time", "", " "}};
  if (random->below(3) == 0) columns.push_back({"pid", "", " "});
  if (random->below(3) == 0) columns.push_back({"thread", "[", "] "});
  columns.push_back({"level", "", " "});
  if (random->below(2) == 0) columns.back().width = 5;
  if (random->below(3) > 0) {
    columns.push_back({"logger", "", random->one_of(kEnds)});
  } else {
    columns.back().after = random->one_of(kLevelEnds);
  }
  return columns;
}

inline std::vector<KnownColumnText> columns_of_syslog(Random *random) {
  constexpr const char *kEnds[] = {"]: ", "] "};
  return {{"time", "", " "},
          {"host", "", " "},
          {"program", "", "["},
          {"pid", "", random->one_of(kEnds)}};
}

// Nothing tells a host beside a level from a logger, so there is none.
inline std::vector<KnownColumnText> columns_with_tabs(Random *random) {
  std::vector<KnownColumnText> columns = {{"time", "", "\t"}};
  std::vector<std::string> fields = {"level", "logger", "pid"};
  random->shuffle(&fields);
  fields.resize(1 + random->below(3));
  for (const std::string &field : fields) columns.push_back({field, "", "\t"});
  return columns;
}

// Lines with a word or a program's name in front of the time, or with a zone after it.
inline std::vector<KnownColumnText> columns_with_zones(Random *random) {
  constexpr const char *kZones[] = {" +0200", " UTC",   " [Europe/Berlin]",      " (CEST)",
                                    "Z",      "+02:00", "+02:00[Europe/Berlin]", ".123 +0000",
                                    ",123"};
  constexpr const char *kEnds[] = {" ", ": ", " - ", " | "};
  std::vector<KnownColumnText> columns;
  if (random->below(3) == 0) columns.push_back({"w1", "", " "});
  columns.push_back({"time", "", ""});
  columns.push_back({"zone", random->one_of(kZones), random->below(2) == 0 ? " " : "\t"});
  columns.push_back({"level", "[", "] "});
  if (random->below(2) == 0) columns.push_back({"logger", "", random->one_of(kEnds)});
  return columns;
}

// Access logs with parts between and after the usual ones. They have no message.
inline std::vector<KnownColumnText> columns_of_requests(Random *random) {
  constexpr const char *kSeparators[] = {" ", "\t", "|", " | "};
  const std::string mark = random->below(2) == 0 ? " " : random->one_of(kSeparators);
  const bool has_quoted_status = random->below(6) == 0;
  const std::string quote = has_quoted_status ? "\"" : "";
  std::vector<KnownColumnText> columns;
  if (random->below(5) == 0) columns.push_back({"host", "", mark});
  columns.push_back({"ip", "", mark});
  columns.push_back({"", "-", mark});
  columns.push_back({"user", "", mark});
  columns.push_back({"time", "[", "]" + mark});
  if (random->below(4) == 0) columns.push_back({"seconds", "[", "]" + mark});
  columns.push_back({"request", "\"", "\"" + mark});
  columns.push_back({"status", quote, quote + mark});
  columns.push_back({"bytes", "", mark});
  columns.push_back({"", "\"-\"", mark});
  columns.push_back({"agent", "\"", "\""});
  if (random->below(3) == 0) columns.push_back({"seconds", mark, ""});
  if (random->below(5) == 0) std::swap(columns[columns.size() - 2], columns[columns.size() - 1]);
  return columns;
}

// JSON, whose last member is the message.
inline std::vector<KnownColumnText> columns_of_objects(Random *random) {
  std::vector<std::string> fields = {"level", "logger", "pid"};
  random->shuffle(&fields);
  fields.resize(1 + random->below(3));
  std::vector<KnownColumnText> columns = {{"time", "{\"time\":\"", "\","}};
  for (const std::string &field : fields) {
    columns.push_back({field, "\"" + field + "\":\"", "\","});
  }
  columns.back().after += "\"message\":\"";
  return columns;
}

using Style = std::vector<KnownColumnText> (*)(Random *random);
inline constexpr Style kStyles[] = {columns_with_bars,   columns_in_brackets, columns_with_colons,
                                    columns_with_blanks, columns_of_syslog,   columns_with_tabs,
                                    columns_with_zones,  columns_of_requests};
// Fields whose values must never be wrong.
inline constexpr const char *kProtected[] = {"time",   "level", "host",  "pid",
                                             "logger", "ip",    "status"};

inline std::string random_message(size_t shape, Random *random) {
  const std::string name = random->letters(6), number = random->digits(99999);
  switch (shape) {
    case 0: return "Login failed for db:shop login:" + name + "@x.example from 10.0.0." + number;
    case 1: return "Processed orders [" + number + "]";
    case 2: return "GET /" + name + " HTTP/1.1 404 in " + number + " ms";
    case 3: return name + "[" + number + "] is done";
    case 4: return "Request ERROR code " + number;
    case 5: return number + " items of " + name + ".db.example";
    case 6: return "[" + number + "] no reply: " + name;
    case 7: return name + "." + name + " is up";
    case 8: return "- " + name + " - " + number;
    case 9: return "host=" + name + " pid=" + number + " level=high";
    default: return "Copyright " + number + " by the " + name;
  }
}

// Lines with nothing but a time and a message.
inline std::string other_message(Random *random) {
  constexpr const char *kMessages[] = {"started anew", "seven birds came", "the end: no",
                                       "a - b",        "-5 degrees",       "x"};
  return random->one_of(kMessages);
}

inline bool has_column(const std::vector<KnownColumnText> &columns, const std::string &field) {
  return std::ranges::find(columns, field, &KnownColumnText::field) != columns.end();
}

inline const KnownColumnText &column_called(const std::string &field,
                                            const std::vector<KnownColumnText> &columns) {
  return *std::ranges::find(columns, field, &KnownColumnText::field);
}

// Times that a zone may follow.
inline constexpr const char *kZoned[] = {"%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S",
                                         "%d.%m.%Y %H:%M:%S", "%d/%b/%Y:%H:%M:%S"};

struct KnownLog {
  std::string text;
  std::vector<std::string> lines;
  std::vector<Values> values;
};
inline KnownLog known_log(const std::vector<KnownColumnText> &columns, Random *random) {
  constexpr size_t kShapes = 11;
  const bool are_requests = has_column(columns, "request");
  const bool has_zone = has_column(columns, "zone");
  const char *time = are_requests ? "%d/%b/%Y:%H:%M:%S +0000"
                     : has_zone   ? kZoned[random->below(std::size(kZoned))]
                                  : random->one_of(kTimes);
  const size_t only = random->below(2 * kShapes);  // else the lines have messages of all shapes
  const bool is_object = columns[0].before.starts_with('{');
  const bool has_others = columns.back().field != "pid" && !is_object && !are_requests &&
                          !has_zone && random->below(2) == 0;
  KnownLog log;
  for (size_t count = 3 + random->below(60); count > 0; --count) {
    Values values = random_values(time, random);
    add_request(&values, random);
    const size_t shape = only < kShapes ? only : random->below(kShapes);
    const bool is_other = has_others && log.lines.size() > 3 && random->below(15) == 0;
    std::string line;
    for (const KnownColumnText &column : columns) {
      std::string value = values[column.field];
      if (value.size() < column.width) value.resize(column.width, ' ');
      line += column.before + value + column.after;
      if (is_other) {
        values = {{"time", values["time"]}};
        break;
      }
    }
    if (has_zone) values["time"] += column_called("zone", columns).before;
    if (!are_requests && random->below(20) == 0) line += ' ';
    if (!are_requests) line += is_other ? other_message(random) : random_message(shape, random);
    if (is_object) line += "\"}";
    log.text += line + "\n";
    log.lines.push_back(line);
    log.values.push_back(values);
  }
  return log;
}

inline std::string line_of_log(const KnownLog &log, const Dialect &dialect, size_t line) {
  std::string text = log.lines[line] + "\n" + dialect.format->name + " " + dialect.pattern + "\n";
  for (const Dialect &part : dialect.mixed) text += part.format->name + (" " + part.pattern + "\n");
  return text + log.text.substr(0, 400);
}

// Returns the first line that is no record; the first line if all are.
inline size_t first_unread(const ReadRecords &read, const KnownLog &log) {
  const auto is_record = [&](const std::string &line) {
    return std::ranges::find(read.records, line) != read.records.end();
  };
  const auto found = std::ranges::find_if_not(log.lines, is_record);
  return found == log.lines.end() ? 0 : static_cast<size_t>(found - log.lines.begin());
}

// True if the record is the line, or begins with it if lines may be joined.
inline bool starts(const std::string &record, const std::string &line, bool are_alike) {
  return record == line || (!are_alike && record.starts_with(line + "\n"));
}

// True if pairs of messages are fields.
inline bool reads_pairs(const Dialect &dialect) {
  return std::string(dialect.format->name).starts_with("logfmt") ||
         std::ranges::any_of(dialect.mixed, reads_pairs);
}

// The field is in each record what the generator has written, or missing. Returns the number of
// values.
inline i64 expect_known(const std::string &field, const Dialect &dialect,
                        const std::vector<KnownColumnText> &columns, const KnownLog &log,
                        bool are_alike = true) {
  const ReadRecords read = read_records(dialect, {field}, log.text);
  // Lines of another log that has no format of its own go on with the record before them.
  EXPECT_TRUE(!are_alike || read.rows.size() + read.bad.size() == log.lines.size())
      << field << " of " << line_of_log(log, dialect, first_unread(read, log));
  i64 right = 0;
  for (size_t row = 0, line = 0; row < read.rows.size(); ++row, ++line) {
    while (line < log.lines.size() && !starts(read.records[row], log.lines[line], are_alike))
      ++line;
    if (line == log.lines.size()) {
      ADD_FAILURE() << read.records[row] << " is no line";
      return right;
    }
    const std::string &value = read.rows[row][0];
    const auto known = log.values[line].find(field);
    const bool has = known != log.values[line].end() && has_column(columns, field);
    const bool is_missing = value == kMissing || (value.empty() && !has);
    right += !is_missing;
    EXPECT_TRUE(is_missing || (has && value == known->second))
        << field << "=" << value << " of " << line_of_log(log, dialect, line);
    if (::testing::Test::HasFailure()) return right;
  }
  return right;
}

}  // namespace mrc
