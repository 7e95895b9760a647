// The table of formats, and its kinds for patterns and for CSV without a header.
#include "fields/inner/named_formats.h"

#include "base/setting_name.h"
#include "base/text.h"
#include "base/typed_text.h"
#include "fields/csv.h"
#include "fields/inner/pattern_values.h"
#include "fields/line_reader.h"
#include "fields/pattern.h"
#include "kinds/level.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace mrc {
namespace {

// True if the first line is a header.
bool has_header(const NamedFormat &row, const std::vector<Bytes> &lines) {
  return row.mark[0] != '\0' && !lines.empty() && lines[0].starts_with(row.mark);
}

// Returns the number of bytes up to the end of the header, if only lines that are no records are
// above it; else 0.
i64 preamble_of(const NamedFormat &row, const InputHead &input) {
  constexpr size_t kMostLines = 200;
  if (row.mark[0] == '\0') return 0;
  for (Bytes line : first_lines(input, kMostLines)) {
    if (!line.starts_with(row.mark)) {
      if (count_matching(pattern_of(row), {line}).matching > 0) return 0;
      continue;
    }
    const auto at = static_cast<size_t>(line.data() - input.head.data());
    const size_t end = input.head.find(input.spec.terminator, at);
    return end == Bytes::npos ? std::ssize(input.head) : static_cast<i64>(end + 1);
  }
  return 0;
}

Status complete_named_pattern(const InputHead &input, Dialect *dialect) {
  const NamedFormat &row = *dialect->format->row;
  const Pattern &pattern = pattern_of(row);
  dialect->pattern = pattern.text;
  dialect->names = pattern.fields;
  dialect->joins_lines = pattern.joins_lines;
  dialect->header = has_header(row, first_lines(input, 1));
  if (!dialect->header) dialect->preamble = preamble_of(row, input);
  return Status::ok();
}

// Returns the first lines below the preamble.
std::vector<Bytes> lines_below(i64 preamble, const InputHead &input) {
  const InputHead below{input.spec, input.head.substr(static_cast<size_t>(preamble)), input.whole};
  return first_lines(below);
}

// True if one of the lines has the text that all logs of the format have.
bool has_sign(const NamedFormat &row, const std::vector<Bytes> &lines) {
  return row.sign[0] == '\0' ||
         std::ranges::any_of(lines, [&](Bytes line) { return line.find(row.sign) != Bytes::npos; });
}

// True if two thirds of the records match. For blocks, one line in twenty must match, and one of
// the first four, because a heading may precede it; and no more lines may be those of other logs.
bool row_fits(const NamedFormat &row, const Pattern &pattern, const PatternVotes &votes, i64 begun,
              const std::vector<Bytes> &records) {
  if (row.lines != NamedFormat::Lines::blocks) return votes.matching * 3 >= begun * 2;
  const size_t first = std::min<size_t>(records.size(), 4);
  const auto end = records.begin() + static_cast<std::ptrdiff_t>(first);
  return votes.matching * 20 >= begun && count_foreign(pattern, records) <= votes.matching &&
         count_matching(pattern, {records.begin(), end}).matching > 0;
}

std::optional<Dialect> recognize_pattern(const LineFormat &format, const InputHead &input,
                                         const std::vector<Bytes> &lines) {
  if (!has_sign(*format.row, lines)) return std::nullopt;
  const i64 preamble = preamble_of(*format.row, input);
  const bool is_above = preamble > 0 && !has_header(*format.row, lines);
  const std::vector<Bytes> below = is_above ? lines_below(preamble, input) : std::vector<Bytes>();
  const std::vector<Bytes> &records = is_above ? below : lines;
  const Pattern &pattern = pattern_of(*format.row);
  // With more, two thirds cannot match, even if one of them is a header.
  const bool may_stop = format.row->lines != NamedFormat::Lines::blocks;
  const PatternVotes votes = count_matching(
      pattern, records, may_stop ? std::ssize(records) / 3 + 1 : std::ssize(records));
  const bool header = has_header(*format.row, records);
  const i64 begun = std::ssize(records) - votes.going_on - header;
  if (votes.matching == 0 || !row_fits(*format.row, pattern, votes, begun, records)) {
    return std::nullopt;
  }
  const i64 all = std::ssize(records) - header - (pattern.has_line_ends ? votes.going_on : 0);
  return completed(format, input, fmt::format("{} of the first {} records", votes.matching, all));
}

LineFormat format_of(const NamedFormat &row) {
  return {.name = row.name,
          .make_reader = row.kind->make_reader,
          .complete = row.kind->complete,
          .quoted = row.kind->quoted,
          .paths = row.kind->paths,
          .by_name = true,
          .row = &row,
          .make_finder = row.kind->make_finder};
}

// Named formats of CSV without a header: their fields still have names.

constexpr char kSeparator = ',';

// Returns the beginnings of headers that the mark has after its number, with a bar between them; ""
// if there are none.
Bytes headers_in(const NamedFormat &row) { return Bytes(row.mark).substr(1); }

bool has_csv_header(const NamedFormat &row, const std::vector<Bytes> &lines) {
  if (lines.empty()) return false;
  for (Bytes headers = headers_in(row); !headers.empty();) {
    const Bytes header = headers.substr(0, headers.find('|'));
    if (lines[0].starts_with(header)) return true;
    headers.remove_prefix(std::min(header.size() + 1, headers.size()));
  }
  return false;
}

bool is_all(const char *end, Bytes value) {
  return !value.empty() && end == value.data() + value.size();
}

// Levels of Windows are written in the language of the machine.
bool is_windows_level(Bytes value) {
  const Bytes usual = usual_level(LevelWords::windows, value);
  return is_all(end_of_level(usual.data(), usual.data() + usual.size()), usual);
}

Status complete_named_csv(const InputHead &input, Dialect *dialect) {
  dialect->delimiter = kSeparator;
  dialect->names = *split_list(dialect->format->row->rule);
  dialect->header = has_csv_header(*dialect->format->row, first_lines(input, 1));
  return Status::ok();
}

// True if the times and levels are where their names say. Later versions of a program have more
// fields, and earlier ones fewer; all have at least `least` fields.
bool fits(const CsvRecord &record, const std::vector<std::string> &names, i64 least) {
  if (record.fields < least || record.fields > std::ssize(names)) return false;
  Arena copies;
  for (i64 i = 0; i < record.fields; ++i) {
    const std::string &name = names[static_cast<size_t>(i)];
    const Bytes value = csv_value(record.raw(i), &copies);
    const char *p = value.data(), *end = p + value.size();
    if (name.starts_with("time") && !is_all(end_of_time(p, end), value)) return false;
    if (name == "level" && !is_windows_level(value)) return false;
  }
  return true;
}

// `mark` is the number of fields that all records have, and the beginning of the header.
std::optional<Dialect> recognize_named_csv(const LineFormat &format, const InputHead &input,
                                           const std::vector<Bytes> &lines) {
  const NamedFormat &row = *format.row;
  const std::vector<std::string> names = *split_list(row.rule);
  const CsvBytes bytes{kSeparator, input.spec.terminator};
  if (lines.empty() || !can_separate(bytes)) return std::nullopt;
  const bool header = has_csv_header(row, lines);
  if (!header && !headers_in(row).empty()) return std::nullopt;
  CsvRecords records(without_byte_order_mark(input.head), bytes, std::ssize(lines));
  CsvRecord record;
  if (header) records.next(&record);
  i64 agreeing = 0, all = 0;
  while (all < std::ssize(lines)) {
    const CsvRecords::Next found = records.next(&record);
    if (found == CsvRecords::Next::none) break;
    const bool cut_off = !input.whole && record.text.data() + record.text.size() ==
                                             input.head.data() + input.head.size();
    if (cut_off) break;
    ++all;
    agreeing += found == CsvRecords::Next::record && fits(record, names, row.mark[0]);
  }
  if (agreeing == 0 || agreeing * 3 < all * 2) return std::nullopt;
  return completed(format, input, fmt::format("{} of the first {} records", agreeing, all));
}

}  // namespace

// Keeps compiled patterns, because an input of many files is recognized many times. A row that does
// not compile matches no line, and a job that names it gets the error of make_pattern_reader().
const Pattern &pattern_of(const NamedFormat &row) {
  static std::mutex mutex;
  static std::map<const NamedFormat *, Pattern> patterns;
  std::lock_guard lock(mutex);
  auto found = patterns.find(&row);
  if (found == patterns.end()) {
    Result<Pattern> compiled = Pattern::compile(row.rule);
    Pattern none;
    none.text = row.rule;
    found = patterns.emplace(&row, compiled.is_ok() ? std::move(*compiled) : std::move(none)).first;
  }
  return found->second;
}

constinit const NamedKind kPatternKind = {make_pattern_reader, complete_named_pattern,
                                          recognize_pattern};

std::span<const NamedFormat> named_format_rows() {
  static constexpr NamedFormat kRows[] = {
#include "fields/named_formats.inc"
  };
  return kRows;
}

std::span<const LineFormat> named_formats() {
  static const std::vector<LineFormat> formats = [] {
    std::vector<LineFormat> all;
    for (const NamedFormat &row : named_format_rows()) all.push_back(format_of(row));
    return all;
  }();
  return formats;
}

Status check_joins_lines(const Dialect &dialect) {
  if (dialect.joins_lines) return Status::ok();
  return Status::error(fmt::format("{} has records of several lines, which {} and {} do not read",
                                   dialect.format->name, setting_name("follow"),
                                   setting_name("state-tiles")));
}

std::vector<FieldName> by_names(const Dialect &dialect, std::span<const FieldName> wanted) {
  std::vector<FieldName> named(wanted.begin(), wanted.end());
  for (FieldName &field : named) {
    const auto number = static_cast<size_t>(field.number);
    if (field.number > 0 && number <= dialect.names.size()) field = {dialect.names[number - 1]};
  }
  return named;
}

std::optional<Dialect> recognize_named(const InputHead &input, const std::vector<Bytes> &records) {
  const bool starts = !input.spec.record_start.empty();
  for (const LineFormat &format : named_formats()) {
    if (starts && !may_start_records(format)) continue;
    std::optional<Dialect> dialect = format.row->kind->recognize(format, input, records);
    if (!dialect) continue;
    dialect->reason = fmt::format("{}: {}", format.row->title, dialect->reason);
    return dialect;
  }
  return std::nullopt;
}

constinit const NamedKind kCsvKind = {make_csv_reader, complete_named_csv, recognize_named_csv,
                                      true};

}  // namespace mrc
