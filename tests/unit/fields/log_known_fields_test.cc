// Logs of random separators, padding, brackets and order, whose generator knows the value of each
// field: it is right in each line, or missing.
#include "unit/fields/random_values.h"
#include "unit/fields/read_records.h"

namespace mrc {
namespace {

// Writes the same columns in each line.
struct Column {
  std::string field, before, after;  // text around the value
  size_t width = 0;                  // blanks follow shorter values
};

std::vector<Column> columns_with_bars(Random *random) {
  const bool has_blanks = random->below(2) == 0;
  const std::string bar = has_blanks ? " | " : "|";
  std::vector<Column> columns = {{"time", "", bar}, {"level", "", bar}, {"logger", "", bar}};
  if (random->below(2) == 0) columns.push_back({"pid", "", bar});
  if (random->below(2) == 0) std::swap(columns[1], columns[2]);
  if (random->below(2) == 0) columns[1].width = columns[2].width = 8;
  return columns;
}

std::vector<Column> columns_in_brackets(Random *random) {
  constexpr const char *kGaps[] = {"", " "}, *kEnds[] = {"] ", "]: ", "] - ", "]:", " ] "};
  const std::string gap = random->one_of(kGaps);
  std::vector<Column> columns = {{"time", "[", "]" + gap}};
  std::vector<std::string> fields = {"level", "logger", "pid", "thread"};
  random->shuffle(&fields);
  fields.resize(1 + random->below(4));
  for (const std::string &field : fields) columns.push_back({field, "[", "]" + gap});
  if (random->below(2) == 0) columns.back().width = 6;
  columns.back().after = random->one_of(kEnds);
  return columns;
}

std::vector<Column> columns_with_colons(Random *random) {
  constexpr const char *kEnds[] = {":", ": "};
  const bool is_in_brackets = random->below(2) == 0;
  std::vector<Column> columns = {{"time", is_in_brackets ? "[" : "", is_in_brackets ? "]:" : ":"},
                                 {"level", "", ":"}};
  if (random->below(2) == 0) columns.push_back({"logger", "", ":"});
  columns.back().after = random->one_of(kEnds);
  return columns;
}

std::vector<Column> columns_with_blanks(Random *random) {
  constexpr const char *kEnds[] = {": ", " - ", " : "}, *kLevelEnds[] = {": ", " ", ":"};
  std::vector<Column> columns = {{"time", "", " "}};
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

std::vector<Column> columns_of_syslog(Random *random) {
  constexpr const char *kEnds[] = {"]: ", "] "};
  return {{"time", "", " "},
          {"host", "", " "},
          {"program", "", "["},
          {"pid", "", random->one_of(kEnds)}};
}

std::string random_message(size_t shape, Random *random) {
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
std::string other_message(Random *random) {
  constexpr const char *kMessages[] = {"started anew", "seven birds came", "the end: no",
                                       "a - b",        "-5 degrees",       "x"};
  return random->one_of(kMessages);
}

struct KnownLog {
  std::string text;
  std::vector<std::string> lines;
  std::vector<Values> values;
};
KnownLog known_log(const std::vector<Column> &columns, Random *random) {
  constexpr size_t kShapes = 11;
  const char *time = random->one_of(kTimes);
  const size_t only = random->below(2 * kShapes);  // else the lines have messages of all shapes
  const bool has_others = columns.back().field != "pid" && random->below(2) == 0;
  KnownLog log;
  for (size_t count = 3 + random->below(60); count > 0; --count) {
    Values values = random_values(time, random);
    const size_t shape = only < kShapes ? only : random->below(kShapes);
    const bool is_other = has_others && log.lines.size() > 3 && random->below(15) == 0;
    std::string line;
    for (const Column &column : columns) {
      std::string value = values[column.field];
      if (value.size() < column.width) value.resize(column.width, ' ');
      line += column.before + value + column.after;
      if (is_other) {
        values = {{"time", values["time"]}};
        break;
      }
    }
    if (random->below(20) == 0) line += ' ';
    line += is_other ? other_message(random) : random_message(shape, random);
    log.text += line + "\n";
    log.lines.push_back(line);
    log.values.push_back(values);
  }
  return log;
}

bool has_column(const std::vector<Column> &columns, const std::string &field) {
  return std::ranges::find(columns, field, &Column::field) != columns.end();
}

TEST(RandomLog, HasNoWrongFields) {
  const u64 seed = first_seed();
  SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
  Random random(seed);
  constexpr decltype(&columns_with_bars) kStyles[] = {columns_with_bars, columns_in_brackets,
                                                      columns_with_colons, columns_with_blanks,
                                                      columns_of_syslog};
  for (int i = 0; i < 2000; ++i) {
    const std::vector<Column> columns = random.one_of(kStyles)(&random);
    const KnownLog log = known_log(columns, &random);
    const Result<Dialect> dialect = sniff({.names_fields = true}, log.text, true);
    ASSERT_TRUE(dialect.is_ok());
    // Pairs of messages are fields of other formats.
    if (dialect->format != &LineFormat::log && dialect->format != &LineFormat::syslog) continue;
    for (const char *field : {"time", "level", "host", "pid", "logger"}) {
      if (std::ranges::count(dialect->names, field) == 0) continue;
      const ReadRecords read = read_records(*dialect, {field}, log.text);
      ASSERT_EQ(read.rows.size() + read.bad.size(), log.lines.size()) << log.lines[0];
      for (size_t row = 0, line = 0; row < read.rows.size(); ++row, ++line) {
        while (read.records[row] != log.lines[line]) ++line;
        const std::string &value = read.rows[row][0];
        const auto known = log.values[line].find(field);
        const bool has = known != log.values[line].end() && has_column(columns, field);
        ASSERT_TRUE(value == kMissing || (has && value == known->second))
            << field << "=" << value << " of " << log.lines[line] << "\n"
            << dialect->format->name << " " << dialect->pattern << "\n"
            << log.text.substr(0, 400);
      }
    }
  }
}

}  // namespace
}  // namespace mrc
