// Lines below headers that name their fields, as IIS, CloudFront and other programs of the W3C's
// extended format write them, and Zeek:
//
//   #Fields: date time c-ip cs-method          #fields<tab>ts<tab>uid<tab>id.orig_h
//   2024-05-01 10:00:00 192.0.2.1 GET          1714557600.1<tab>C8Fq1<tab>192.0.2.1
//
// Lines that begin with # are not records. There may be headers in the middle, which may name other
// fields. All in the first bytes of the input are known beforehand, and a record is read by the
// first one that has as many fields as the record: where a record stands does not matter, so it
// does not matter where the input is split.
//
// Values in quotes lose them. `time` is the fields date and time together, if there are both.
#include "fields/joined_time.h"
#include "fields/make_line_reader.h"
#include "fields/named_formats.h"
#include "scan/find_byte.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mrc {
namespace {

constexpr size_t kMostFields = 256;

using Names = std::vector<std::string>;

Names split(Bytes text, Bytes separators) {
  Names names;
  while (!text.empty()) {
    const size_t size = std::min(text.find_first_of(separators), text.size());
    if (size > 0) names.emplace_back(text.substr(0, size));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return names;
}

// The names in a header of the row; empty if the line is not a header.
Names names_in_header(Bytes line, const NamedFormat &row) {
  const Bytes mark = row.mark;
  if (!line.starts_with(mark)) return {};
  return split(line.substr(mark.size()), " \t");
}

// Where the values of a header's fields go.
struct Layout {
  std::vector<i64> columns;  // by position; -1: not wanted
  i64 time_column = -1;      // of date and time together
  i64 date = -1, time = -1;  // their positions
};

struct HeadedParser {
  static constexpr bool kKeepsBlankLines = false;
  char separator;
  std::vector<Layout> layouts;

  bool skips(Bytes line) const { return line.starts_with('#'); }
  bool fits(Bytes line) const {
    std::array<Bytes, kMostFields> values;
    const size_t size = split_line(line, &values);
    return std::ranges::any_of(layouts,
                               [&](const Layout &layout) { return layout.columns.size() == size; });
  }

  const char *parse(Bytes line, FieldRow row, Arena *arena) const {
    std::array<Bytes, kMostFields> values;
    const size_t size = split_line(line, &values);
    for (const Layout &layout : layouts) {
      if (layout.columns.size() == size) return put(values, layout, row, arena);
    }
    return "it has another number of fields than the header";
  }

 private:
  MRC_INLINE size_t split_line(Bytes line, std::array<Bytes, kMostFields> *values) const {
    const char *p = line.data(), *end = p + line.size();
    size_t size = 0;
    for (;;) {
      if (separator == ' ') {
        while (p < end && *p == ' ') ++p;
        if (p == end) return size;
      }
      if (size == kMostFields) return size + 1;
      const char *stop = p < end && *p == '"' ? end_of_quoted(p, end) : nullptr;
      const bool quoted = stop != nullptr;
      if (!quoted) stop = find_byte(p, end, separator);
      (*values)[size++] = quoted ? Bytes(p + 1, static_cast<size_t>(stop - p - 2))
                                 : Bytes(p, static_cast<size_t>(stop - p));
      if (stop == end) return size;
      p = stop + 1;
    }
  }
  // After the closing quote, which a separator follows; null: the quote is an ordinary byte.
  const char *end_of_quoted(const char *p, const char *end) const {
    for (const char *at = p + 1;;) {
      at = find_byte(at, end, '"');
      if (at == end) return nullptr;
      ++at;
      if (at == end || *at == separator) return at;
    }
  }

  const char *put(const std::array<Bytes, kMostFields> &values, const Layout &layout, FieldRow row,
                  Arena *arena) const {
    for (size_t i = 0; i < layout.columns.size(); ++i) {
      if (layout.columns[i] >= 0) row.put(layout.columns[i], values[i]);
    }
    if (layout.time_column >= 0) {
      const Bytes date = values[static_cast<size_t>(layout.date)];
      const Bytes clock = values[static_cast<size_t>(layout.time)];
      row.put(layout.time_column, date == "-" ? date : join_time(date, clock, arena));
    }
    return nullptr;
  }
};

i64 position_of(const Names &names, Bytes name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? -1 : found - names.begin();
}

// The position that a name has in a header, by itself or as another name of one; -1: none.
i64 find_field(const Names &header, const std::string &name, const NamedFormat &row) {
  const i64 own = position_of(header, name);
  if (own >= 0) return own;
  for (const std::string &alias : split(row.rule, " ")) {
    const size_t sign = alias.find('=');
    if (alias.substr(0, sign) != name) continue;
    const i64 found = position_of(header, Bytes(alias).substr(sign + 1));
    if (found >= 0) return found;
  }
  return -1;
}

// `names`: of the dialect, to which the positions of the wanted fields refer.
Layout layout_of(const Names &header, const Names &names, const std::vector<WantedField> &wanted,
                 const NamedFormat &row) {
  Layout layout;
  layout.columns.assign(header.size(), -1);
  layout.date = position_of(header, "date");
  layout.time = position_of(header, "time");
  const bool has_both = layout.date >= 0 && layout.time >= 0;
  for (const WantedField &one : wanted) {
    const std::string &name = names[static_cast<size_t>(one.field)];
    const i64 position = find_field(header, name, row);
    if (name == "time" && has_both) {
      layout.time_column = one.column;
    } else if (position >= 0) {
      layout.columns[static_cast<size_t>(position)] = one.column;
    }
  }
  return layout;
}

HeadedParser parser_of(const Dialect &dialect, const std::vector<WantedField> &wanted) {
  HeadedParser parser{dialect.delimiter.value_or(' '), {}};
  for (const std::string &header : split(dialect.pattern, "\n")) {
    parser.layouts.push_back(
        layout_of(split(header, " "), dialect.names, wanted, *dialect.format->row));
  }
  return parser;
}

// Two names of one field make one column; the other is a copy of it.
Result<std::unique_ptr<RecordReader>> make_headed_reader(const Dialect &dialect,
                                                         std::span<const FieldName> wanted) {
  const NamedFormat &row = *dialect.format->row;
  std::vector<FieldName> named(wanted.begin(), wanted.end());
  for (const std::string &header : split(dialect.pattern, "\n")) {
    const Names names = split(header, " ");
    const bool joins = position_of(names, "date") >= 0 && position_of(names, "time") >= 0;
    for (FieldName &field : named) {
      if (field.number != -1 || (joins && field.text == "time")) continue;
      const i64 position = find_field(names, field.text, row);
      if (position >= 0) field.text = names[static_cast<size_t>(position)];
    }
  }
  return make_line_reader(dialect, named, std::ssize(dialect.names),
                          [&](const auto &fields) { return parser_of(dialect, fields); });
}

// All headers of the lines, each number of fields once, and what separates the fields of records.
bool read_headers(const std::vector<Bytes> &lines, const NamedFormat &row, Dialect *dialect) {
  std::vector<size_t> sizes;
  dialect->delimiter = ' ';
  for (Bytes line : lines) {
    if (!line.starts_with('#')) {
      if (line.find('\t') != Bytes::npos) dialect->delimiter = '\t';
      continue;
    }
    const Names names = names_in_header(line, row);
    if (names.empty() || names.size() > kMostFields) continue;
    if (std::ranges::find(sizes, names.size()) != sizes.end()) continue;
    sizes.push_back(names.size());
    dialect->pattern +=
        fmt::format("{}{}", dialect->pattern.empty() ? "" : "\n", fmt::join(names, " "));
    for (const std::string &name : names) {
      if (position_of(dialect->names, name) < 0) dialect->names.push_back(name);
    }
  }
  for (const std::string &alias : split(row.rule, " ")) {
    const size_t sign = alias.find('=');
    const std::string name = alias.substr(0, sign);
    const bool is_there = position_of(dialect->names, Bytes(alias).substr(sign + 1)) >= 0;
    if (is_there && position_of(dialect->names, name) < 0) dialect->names.push_back(name);
  }
  return !sizes.empty();
}

// As many lines as the head has: headers may come late.
constexpr size_t kMostLines = 100000;

Status complete_headed(const InputHead &input, Dialect *dialect) {
  const NamedFormat &row = *dialect->format->row;
  const std::vector<Bytes> lines = first_lines(input, kMostLines);
  if (read_headers(lines, row, dialect) || lines.empty()) return Status::ok();
  return Status::error(fmt::format("{}: no line of the first {} begins with \"{}\"", row.name,
                                   lines.size(), without_blanks_around(row.mark)));
}

std::optional<Dialect> recognize_headed(const LineFormat &format, const InputHead &input,
                                        const std::vector<Bytes> &records) {
  const NamedFormat &row = *format.row;
  const auto is_header = [&](Bytes line) { return line.starts_with(row.mark); };
  if (std::ranges::none_of(records, is_header)) return std::nullopt;
  Dialect dialect{.format = &format, .terminator = input.spec.terminator};
  read_headers(first_lines(input, kMostLines), row, &dialect);
  const HeadedParser parser = parser_of(dialect, {});
  i64 agreeing = 0, all = 0;
  for (Bytes line : records) {
    if (parser.skips(line)) continue;
    ++all;
    agreeing += parser.fits(line);
  }
  if (agreeing * 3 < all * 2) return std::nullopt;
  dialect.reason =
      fmt::format("{} of the first {} records have as many fields as a header", agreeing, all);
  return dialect;
}

}  // namespace

constinit const NamedKind kHeadedKind = {make_headed_reader, complete_headed, recognize_headed};

}  // namespace mrc
