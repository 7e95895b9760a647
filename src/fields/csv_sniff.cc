// Detects CSV, its separator, and if its first record is a header.
#include "base/names.h"
#include "base/text.h"
#include "fields/csv.h"
#include "fields/inner/log_layout.h"
#include "fields/inner/text_form.h"
#include "fields/recognize.h"
#include "kinds/level.h"
#include "kinds/timestamp.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace mrc {
namespace {

constexpr size_t kMostSniffed = 500;

using Row = std::vector<std::string>;

// Returns the values of the first records. A last record that the head cuts off counts only if
// there is no other.
std::vector<Row> rows_of(Bytes head, CsvBytes bytes, bool whole) {
  head = without_byte_order_mark(head);
  std::vector<Row> rows;
  CsvRecords records(head, bytes, kMostSniffed);
  CsvRecord record;
  Arena copies;
  while (rows.size() < kMostSniffed) {
    const CsvRecords::Next found = records.next(&record);
    if (found == CsvRecords::Next::none) break;
    if (found == CsvRecords::Next::unclosed) continue;
    const bool cut_off =
        !whole && record.text.data() + record.text.size() == head.data() + head.size();
    if (cut_off && !rows.empty()) break;
    Row &row = rows.emplace_back();
    for (i64 k = 0; k < record.fields; ++k) row.emplace_back(csv_value(record.raw(k), &copies));
  }
  return rows;
}

// The most frequent number of fields, and the number of rows that have it.
struct Width {
  i64 fields = 0;
  i64 rows = 0;
};
Width usual_width(const std::vector<Row> &rows) {
  std::map<i64, i64> counts;
  for (const Row &row : rows) ++counts[std::ssize(row)];
  Width best;
  for (auto [fields, count] : counts) {
    if (count > best.rows) best = {fields, count};
  }
  return best;
}

// True for prose, where a blank follows most commas; in CSV it hardly ever does.
bool looks_like_prose(const std::vector<Row> &rows) {
  i64 separators = 0, blanks = 0;
  for (const Row &row : rows) {
    for (size_t k = 1; k < row.size(); ++k) {
      ++separators;
      blanks += row[k].starts_with(' ');
    }
  }
  return 2 * blanks > separators;
}

bool most(const std::vector<Row> &rows, bool (*fits)(const Row &)) {
  return 2 * std::ranges::count_if(rows, fits) > std::ssize(rows);
}
// True for a tenth. (A file may have the lines of several programs.)
bool some(const std::vector<Row> &rows, bool (*fits)(const Row &)) {
  return !rows.empty() && 10 * std::ranges::count_if(rows, fits) >= std::ssize(rows);
}

// True if the first comma is in a time with a fraction, as many programs write it: "2024-01-01
// 00:00:00,123 INFO ...". A field of CSV would end after the digits.
bool has_comma_in_time(const Row &row) {
  constexpr size_t kClock = 8;  // 00:00:00
  if (row.size() < 2 || row[0].size() < kClock) return false;
  const Bytes second = row[1];
  const size_t digits = std::min(second.find_first_not_of("0123456789"), second.size());
  return has_form(Bytes(row[0]).substr(row[0].size() - kClock), "00:00:00") &&
         (digits == 3 || digits == 6 || digits == 9) && digits < second.size();
}

bool begins_like_json(const Row &row) {
  const Bytes first = row[0];
  return first.starts_with("{\"") || first.starts_with("[{\"");
}

// True for XML elements, such as <event id="1" text="a|b"/>.
bool is_element(const Row &row) {
  const Bytes first = row[0];
  return first.size() > 1 && first[0] == '<' && is_letter(first[1]) && row.back().ends_with('>');
}

struct SniffedDialect {
  char separator = ',';
  std::vector<Row> rows;
  Width width;
};

// Returns the best separator: by the share of rows that agree, then by the number of fields.
SniffedDialect best_candidate(Bytes separators, char terminator, Bytes head, bool whole) {
  SniffedDialect best;
  for (char separator : separators) {
    SniffedDialect one{separator, {}, {}};
    const CsvBytes bytes{separator, terminator};
    if (can_separate(bytes)) one.rows = rows_of(head, bytes, whole);
    one.width = usual_width(one.rows);
    const bool is_other =
        separator == ',' && (some(one.rows, has_comma_in_time) || most(one.rows, begins_like_json));
    if (is_other || most(one.rows, is_element)) one.width.fields = 1;
    if (separator != separators[0]) {
      if (one.width.fields < 2) continue;
      const i64 ours = one.width.rows * std::ssize(best.rows);
      const i64 theirs = best.width.fields < 2 ? -1 : best.width.rows * std::ssize(one.rows);
      if (ours < theirs || (ours == theirs && one.width.fields <= best.width.fields)) continue;
    }
    best = std::move(one);
  }
  return best;
}

// True for numbers, dates, times and addresses, but not for names.
bool begins_like_a_number(Bytes text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+' || text[0] == '.')) text.remove_prefix(1);
  return !text.empty() && is_digit(text[0]);
}

// True for log lines such as "[2015-09-13 06:25:10] x", "[INFO] x" and "<134>x", and for those of
// the history of zsh, ": 1457771210:0".
bool begins_like_a_log(Bytes text) {
  if (text.starts_with('<')) {
    const size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size() - 1);
    return end > 1 && text[end] == '>';
  }
  if (text.starts_with(": ")) return find_timestamp(text.substr(2)).size > 0;
  if (!text.starts_with('[')) return false;
  const size_t close = std::min(text.find(']'), text.size());
  return find_timestamp(text.substr(1)).size > 0 || is_sure_level(text.substr(1, close - 1));
}

// True if the first value of a column has a label that most values below have, too: "Site: Rome".
bool has_label_of_column(const std::vector<Row> &rows, size_t column) {
  const Bytes first = rows[0][column];
  const size_t end = first.find(": ");
  if (end == Bytes::npos || end == 0) return false;
  const Bytes label = first.substr(0, end + 1);
  const auto below = std::ranges::count_if(rows, [&](const Row &row) {
    return column < row.size() && Bytes(row[column]).starts_with(label);
  });
  return below > 1 && 2 * below > std::ssize(rows);
}

bool first_is_names(const std::vector<Row> &rows) {
  if (rows.empty()) return false;
  const Row &first = rows[0];
  std::set<Bytes> different;
  for (size_t column = 0; column < first.size(); ++column) {
    const std::string &name = first[column];
    if (name.empty() || begins_like_a_number(name) || begins_like_a_log(name)) return false;
    if (!different.insert(name).second || has_label_of_column(rows, column)) return false;
  }
  bool recurs = false;
  for (size_t i = 1; i < rows.size(); ++i) {
    for (size_t k = 0; k < std::min(first.size(), rows[i].size()); ++k) {
      if (begins_like_a_number(rows[i][k])) return true;
      recurs = recurs || rows[i][k] == first[k];
    }
  }
  return !recurs;
}

// True if the first record looks like a header and all records have separators. Then a short input
// may be CSV even if one of its records is ragged.
bool has_plausible_header(const std::vector<Row> &rows) {
  return rows.size() >= 3 && first_is_names(rows) &&
         std::all_of(rows.begin(), rows.end(), [](const Row &row) { return row.size() >= 2; });
}

// True if text is CSV although the user does not say so: it has two records or more, and nearly all
// agree.
bool is_convincing_table(const SniffedDialect &best) {
  const i64 rows = std::ssize(best.rows);
  const i64 few = std::max<i64>(rows / 10, has_plausible_header(best.rows));
  return rows >= 2 && best.width.fields >= 2 && rows - best.width.rows <= few &&
         std::ssize(best.rows[0]) == best.width.fields &&
         (best.separator == '\t' || !looks_like_prose(best.rows));
}

// True if the only record of an input is the header of an empty table: the job asks for fields by
// name, and the record has all of these or only words.
bool is_lone_header(const SniffedDialect &best, const FormatSpec &spec) {
  const bool may_be_header =
      spec.names_fields && spec.columns.empty() && spec.header.value_or(true);
  if (best.rows.size() != 1 || best.width.fields < 2 || !may_be_header) return false;
  const Row &row = best.rows[0];
  const auto is_word = [](const std::string &name) {
    return std::ranges::all_of(name,
                               [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
  };
  const bool has_all = !spec.named.empty() && std::ranges::all_of(spec.named, [&](auto &name) {
    return has_name(row, name);
  });
  return first_is_names(best.rows) && (has_all || std::ranges::all_of(row, is_word));
}

std::string describe_table(const Dialect &dialect, const SniffedDialect &best) {
  const std::string separator =
      best.separator == '\t' ? "tab" : fmt::format("\"{}\"", best.separator);
  return fmt::format("{} of the first {} records have {} fields separated by {}; {}",
                     best.width.rows, best.rows.size(), best.width.fields, separator,
                     dialect.header ? "the first is the header" : "there is no header");
}

Status complete_csv(const InputHead &input, Dialect *dialect) {
  *dialect = *sniff_csv(input.spec, input.head, input.whole);
  return Status::ok();
}

// CSV without a header, as devices and mail servers write logs.

constexpr i64 kMostColumns = 100;

using Column = RecordBatch::Column;

bool is_date(Bytes value) {
  const Timestamp time = find_timestamp(value);
  return time.size == std::ssize(value) && has_date(time.shape);
}

i64 count_values(const RecordBatch &batch, i64 column, bool (*fits)(Bytes)) {
  const Column &values = batch.fields[static_cast<size_t>(column)];
  return std::count_if(values.data(), values.data() + batch.size, fits);
}

bool is_level_cell(Bytes value) {
  return value.size() > 2 && is_log_level(value) && !is_doubtful_level(value);
}

// Names the first column of times and the first of levels, and leaves the others without names.
void name_time_and_level(const InputHead &input, Dialect *dialect) {
  std::vector<FieldName> wanted;
  for (i64 number = 1; number <= kMostColumns; ++number) wanted.push_back({"", number});
  const std::unique_ptr<RecordBatch> batch = first_records(*dialect, wanted, input);
  if (batch == nullptr || batch->size == 0) return;
  const auto is_there = [](Bytes value) { return value.data() != nullptr; };
  i64 columns = 0, time = -1, level = -1;
  const auto most = [&](i64 i, bool (*fits)(Bytes)) {
    return count_values(*batch, i, fits) * 10 >= batch->size * 9;
  };
  for (i64 i = 0; i < kMostColumns && count_values(*batch, i, is_there) > 0; ++i, ++columns) {
    if (time < 0 && most(i, is_date)) time = i;
    if (level < 0 && most(i, is_level_cell)) level = i;
  }
  if ((time < 0 && level < 0) || columns == kMostColumns) return;
  dialect->names.resize(static_cast<size_t>(columns));
  if (time >= 0) dialect->names[static_cast<size_t>(time)] = "time";
  if (level >= 0) dialect->names[static_cast<size_t>(level)] = "level";
}

// True if some records are of another log: objects, or lines whose time has another shape.
bool are_of_several_logs(const std::vector<Bytes> &records) {
  std::set<TimeShape> shapes;
  for (Bytes record : records) {
    if (record.starts_with("{\"")) return true;
    if (const TimeShape shape = form_of_time(record).shape; shape != TimeShape::none)
      shapes.insert(shape);
  }
  return shapes.size() > 1;
}

// Recognizes CSV and TSV.
std::optional<Dialect> recognize_csv(const InputHead &input, const std::vector<Bytes> &records) {
  std::optional<Dialect> dialect = sniff_csv(input.spec, input.head, input.whole);
  const std::vector<std::string> &asked = input.spec.named;
  const bool may_ask = asked.empty() || has_name(asked, "time") || has_name(asked, "level");
  if (dialect && !dialect->header && may_ask && may_be_by_name(input.spec)) {
    name_time_and_level(input, &*dialect);
    const bool is_log = has_name(dialect->names, "time") || has_name(dialect->names, "level");
    if (is_log && are_of_several_logs(records)) return std::nullopt;
  }
  return dialect;
}

}  // namespace

constinit const LineFormat LineFormat::csv = {
    .name = "csv",
    .make_reader = make_csv_reader,
    .complete = complete_csv,
    .recognize = recognize_csv,
    .header = Header::sniffed,
    .delimiter = ',',
    .quoted = true,
};

constinit const LineFormat LineFormat::tsv = {
    .name = "tsv",
    .make_reader = make_csv_reader,
    .complete = complete_csv,
    .header = Header::sniffed,
    .delimiter = '\t',
    .quoted = true,
};

std::optional<Dialect> sniff_csv(const FormatSpec &spec, Bytes head, bool whole) {
  const bool told = spec.format != nullptr;
  if (told && !spec.format->quoted) return std::nullopt;
  std::string separators = spec.format == &LineFormat::tsv ? "\t" : ",;\t|";
  if (spec.delimiter) separators = *spec.delimiter;
  std::string padded(head);
  padded.append(kPadding, '\0');
  head = Bytes(padded).substr(0, head.size());
  const SniffedDialect best = best_candidate(separators, spec.terminator, head, whole);
  const bool is_table = is_convincing_table(best) || (whole && is_lone_header(best, spec));
  if (!told && !is_table) return std::nullopt;

  Dialect dialect;
  dialect.format = told                     ? spec.format
                   : best.separator == '\t' ? &LineFormat::tsv
                                            : &LineFormat::csv;
  dialect.delimiter = best.separator;
  dialect.terminator = spec.terminator;
  dialect.header = spec.header.value_or(spec.columns.empty() && first_is_names(best.rows));
  dialect.names = spec.columns;
  if (dialect.header && spec.columns.empty() && !best.rows.empty()) {
    dialect.names = distinct_names(best.rows[0]);
  }
  dialect.reason = describe_table(dialect, best);
  return dialect;
}

}  // namespace mrc
