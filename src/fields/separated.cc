// One pass of the vector kernels lists delimiters and line ends. So a field costs one step through
// that list, and a short record little more than its fields.
//
// Every delimiter separates, as in cut(1), so fields may be empty. Without a delimiter, runs of
// blanks and tabs separate, as in awk(1), and those at the ends of a record are in no field.
#include "base/names.h"
#include "base/setting_name.h"
#include "base/text.h"
#include "fields/inner/make_line_reader.h"
#include "fields/recognize.h"
#include "regex/regex.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mrc {
namespace {

constexpr const char *kTooManyFields = "more fields than the first records have";

size_t most_fields(const Dialect &dialect) {
  return dialect.most_fields > 0 ? static_cast<size_t>(dialect.most_fields) : SIZE_MAX;
}

struct LineParser {
  static constexpr bool kKeepsBlankLines = true;
  i64 column;  // column of the line, as field 1; -1: not wanted

  const char *parse(Bytes line, FieldRow row, Arena *) const {
    if (column >= 0) row.put(column, line);
    return nullptr;
  }
};

template <bool kBlanks>
class SeparatedReader : public RecordReader {
 public:
  SeparatedReader(const Dialect &dialect, Projection projection)
      : dialect_(dialect),
        projection_(std::move(projection)),
        columns_(projection_.columns_by_position()),
        separators_{kBlanks ? ' ' : *dialect.delimiter, kBlanks ? '\t' : *dialect.delimiter,
                    dialect.terminator},
        separated_{dialect, positions_of(projection_)},
        most_(most_fields(dialect)) {}

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    projection_.begin(batch);
    const char *end = chunk.bytes.data() + chunk.bytes.size();
    const char *begin = skip_preamble(chunk, *next, dialect_);
    SeparatorCursor cursor(begin, end, separators_);
    while (begin < end && !is_full(*batch)) {
      const char *flaw = nullptr;
      const char *at = read_record(begin, end, &cursor, batch, &flaw);
      close_record(batch, line_of(begin, at, end, dialect_.terminator), flaw);
      begin = at == end ? end : at + 1;
    }
    *next = begin;
    projection_.finish(batch);
  }

  const SeparatedFields *separated() const override {
    const bool is_simple = !kBlanks && most_ == SIZE_MAX && !separated_.positions.empty();
    return is_simple ? &separated_ : nullptr;
  }

 private:
  // Returns positions by column; empty if whole records are wanted, or a field twice.
  static std::vector<i64> positions_of(const Projection &projection) {
    std::vector<i64> positions(static_cast<size_t>(projection.columns()), -1);
    for (const WantedField &one : projection.fields()) {
      positions[static_cast<size_t>(one.column)] = one.field;
    }
    if (std::ranges::count(positions, -1) > 0) positions.clear();
    return positions;
  }

  // Returns the end of the record. Sets *flaw to what is wrong with it, if anything.
  MRC_INLINE const char *read_record(const char *begin, const char *end, SeparatorCursor *cursor,
                                     RecordBatch *batch, const char **flaw) const {
    const FieldRow row{batch->fields.data(), static_cast<size_t>(batch->size)};
    const char terminator = dialect_.terminator;
    size_t field = 0;
    for (;;) {
      const char *at = cursor->next();
      const bool last = at == end || *at == terminator;
      const Bytes text = last ? line_of(begin, at, end, terminator)
                              : Bytes(begin, static_cast<size_t>(at - begin));
      if (!kBlanks || !text.empty()) {
        if (field < columns_.size() && columns_[field] >= 0) row.put(columns_[field], text);
        ++field;
      }
      if (last) {
        clear_from(field, row);
        if (field > most_) *flaw = kTooManyFields;
        return at;
      }
      begin = at + 1;
    }
  }

  // Clears the fields that the record lacks.
  MRC_INLINE void clear_from(size_t field, FieldRow row) const {
    for (; field < columns_.size(); ++field) {
      if (columns_[field] >= 0) row.put(columns_[field], Bytes());
    }
  }

  Dialect dialect_;
  Projection projection_;
  std::vector<i64> columns_;
  Separators separators_;
  SeparatedFields separated_;
  size_t most_;
};

// Calls take(Bytes field) for each field. Without a delimiter, runs of `blanks` separate.
void split_record(Bytes record, std::optional<char> delimiter, Bytes blanks, const auto &take) {
  const Bytes separators = delimiter ? Bytes(&*delimiter, 1) : blanks;
  for (size_t begin = 0; begin <= record.size();) {
    const size_t end = std::min(record.find_first_of(separators, begin), record.size());
    if (delimiter || end > begin) take(record.substr(begin, end - begin));
    begin = end + 1;
  }
}

// Parses records of several lines, where line ends count as blanks.
struct SeparatedParser {
  static constexpr bool kKeepsBlankLines = true;
  std::optional<char> delimiter;  // unset: runs of blanks
  std::vector<WantedField> wanted;
  size_t most;

  const char *parse(Bytes record, FieldRow row, Arena *) const {
    i64 field = 0;
    split_record(record, delimiter, " \t\r\n", [&](Bytes text) { put(field++, text, row); });
    return static_cast<size_t>(field) > most ? kTooManyFields : nullptr;
  }
  void put(i64 field, Bytes text, FieldRow row) const {
    for (const WantedField &one : wanted) {
      if (one.field == field) row.put(one.column, text);
    }
  }
};

Result<std::unique_ptr<RecordReader>> make_lines_reader(const Dialect &dialect,
                                                        std::span<const FieldName> wanted) {
  return make_line_reader(dialect, wanted, 1, [](const auto &fields) {
    return LineParser{fields.empty() ? -1 : fields[0].column};
  });
}

Result<std::unique_ptr<RecordReader>> make_separated_reader(const Dialect &dialect,
                                                            std::span<const FieldName> wanted) {
  // Maximum size of the table of columns.
  constexpr i64 kMostFields = 65536;
  if (!dialect.record_start.empty()) {
    return make_line_reader(dialect, wanted, kMostFields, [&](const auto &fields) {
      return SeparatedParser{dialect.delimiter, fields, most_fields(dialect)};
    });
  }
  Result<Projection> projection = Projection::resolve(dialect, wanted, kMostFields);
  if (!projection.is_ok()) return projection.status();
  if (dialect.delimiter) {
    return std::make_unique<SeparatedReader<false>>(dialect, std::move(*projection));
  }
  return std::make_unique<SeparatedReader<true>>(dialect, std::move(*projection));
}

// Takes the names from the user, or else from the header.
Status name_columns(const InputHead &input, Dialect *dialect) {
  const FormatSpec &spec = input.spec;
  dialect->header = spec.header.value_or(false);
  dialect->names = spec.columns;
  if (!dialect->header || !spec.columns.empty()) return Status::ok();
  const Bytes head = without_byte_order_mark(input.head);
  const char *end = head.data() + head.size(), *at = std::find(head.data(), end, spec.terminator);
  const Bytes header = line_of(head.data(), at, end, spec.terminator);
  const auto add = [&](Bytes name) { dialect->names.emplace_back(name); };
  dialect->format->one_field ? add(header) : split_record(header, spec.delimiter, " \t", add);
  dialect->names = distinct_names(dialect->names);
  return Status::ok();
}

std::optional<Dialect> recognize_lines(const InputHead &input, const std::vector<Bytes> &records) {
  Dialect dialect = {.terminator = input.spec.terminator};
  dialect.reason = records.empty()
                       ? "there is no whole record"
                       : fmt::format("the first {} records have no other format", records.size());
  static_cast<void>(name_columns(input, &dialect));  // cannot fail
  return dialect;
}

// Splits records with a regular expression, whose groups are the fields.

Result<std::unique_ptr<Regex>> compile_separator(const std::string &pattern) {
  Result<std::unique_ptr<Regex>> regex = Regex::compile(pattern, {});
  if (!regex.is_ok()) {
    return regex.status().within(fmt::format("{} \"{}\"", setting_name("regex"), pattern));
  }
  if ((*regex)->groups().empty()) {
    return Status::error(
        fmt::format("{} \"{}\" has no group: name the fields by (?<name>...) in it",
                    setting_name("regex"), pattern));
  }
  return regex;
}

// A record is malformed if the expression matches nowhere in it. A field is missing if its group
// takes no part in the match.
struct RegexParser {
  static constexpr bool kKeepsBlankLines = false;
  static constexpr size_t kMostGroups = Regex::kMostGroups - 1;  // without the whole match
  std::unique_ptr<Regex> regex;
  std::vector<WantedField> wanted;
  size_t groups;  // the whole match, and groups up to the last one wanted

  const char *parse(Bytes line, FieldRow row, Arena *) const {
    std::array<Bytes, kMostGroups + 1> group;
    if (!regex->capture(line, std::span(group).first(groups))) {
      return is_utf8(line) ? "the regular expression does not match"
                           : "the regular expression does not match (\\C matches bytes that are "
                             "not UTF-8)";
    }
    for (const WantedField &one : wanted) {
      const Bytes value = group[static_cast<size_t>(one.field) + 1];
      if (value.data() != nullptr) row.put(one.column, value);
    }
    return nullptr;
  }
};

Result<std::unique_ptr<RecordReader>> make_regex_reader(const Dialect &dialect,
                                                        std::span<const FieldName> wanted) {
  Result<std::unique_ptr<Regex>> regex = compile_separator(dialect.regex);
  if (!regex.is_ok()) return regex.status();
  const size_t groups = (*regex)->groups().size();
  if (groups > RegexParser::kMostGroups) {
    return Status::error(fmt::format("{} has {} groups: {} are the most", setting_name("regex"),
                                     groups, RegexParser::kMostGroups));
  }
  return make_line_reader(dialect, wanted, static_cast<i64>(groups), [&](const auto &fields) {
    size_t captured = 0;
    for (const WantedField &one : fields) {
      captured = std::max(captured, static_cast<size_t>(one.field) + 2);
    }
    return RegexParser{std::move(*regex), fields, captured};
  });
}

Status name_groups(const InputHead &input, Dialect *dialect) {
  const Result<std::unique_ptr<Regex>> regex = compile_separator(input.spec.regex);
  if (!regex.is_ok()) return regex.status();
  dialect->regex = input.spec.regex;
  dialect->names = input.spec.columns.empty() ? (*regex)->groups() : input.spec.columns;
  return Status::ok();
}

}  // namespace

constinit const LineFormat LineFormat::lines = {
    .name = "lines",
    .make_reader = make_lines_reader,
    .complete = name_columns,
    .recognize = recognize_lines,
    .header = Header::asked,
    .one_field = true,
};

constinit const LineFormat LineFormat::fields = {
    .name = "fields",
    .make_reader = make_separated_reader,
    .complete = name_columns,
    .header = Header::asked,
    .delimiter = ' ',
};

constinit const LineFormat LineFormat::regex = {
    .name = "regex",
    .make_reader = make_regex_reader,
    .complete = name_groups,
    .takes_regex = true,
};

}  // namespace mrc
