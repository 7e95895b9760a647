// Most values need no escape: they are read in place.
#include "fields/stage_rows.h"

#include "base/name_index.h"
#include "fields/inner/make_line_reader.h"
#include "fields/inner/text_form.h"
#include "fields/json.h"
#include "fields/recognize.h"
#include "scan/vector.h"

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

// No other value is written like this, because backslashes are escaped.
constexpr Bytes kMissing = "\\N";

struct RowParser {
  static constexpr bool kKeepsBlankLines = true;
  std::vector<i64> columns;  // columns of the batch, by position; -1: not wanted

  const char *parse(Bytes line, FieldRow row, Arena *arena) const {
    const char *at = line.data(), *end = at + line.size();
    for (const i64 column : columns) {
      const char *stop = find_byte(at, end, '\t');
      if (column >= 0) put(column, {at, static_cast<size_t>(stop - at)}, row, arena);
      at = std::min(stop + 1, end);
    }
    return nullptr;
  }

  static void put(i64 column, Bytes value, FieldRow row, Arena *arena) {
    if (value == kMissing) return;
    const bool plain = std::memchr(value.data(), '\\', value.size()) == nullptr;
    row.put(column, plain ? value : unescape(value, arena));
  }
};

std::vector<i64> by_position(const std::vector<WantedField> &fields) {
  std::vector<i64> columns;
  for (const WantedField &one : fields) {
    columns.resize(static_cast<size_t>(one.field) + 1, -1);
    columns.back() = one.column;
  }
  return columns;
}

Result<std::unique_ptr<RecordReader>> make_rows_reader(const Dialect &dialect,
                                                       std::span<const FieldName> wanted) {
  return make_line_reader(dialect, wanted, std::ssize(dialect.names),
                          [](const auto &fields) { return RowParser{by_position(fields)}; });
}

// Returns the member for a field. A column's name is not a path.
Result<FieldName> member_of(const Dialect &dialect, const NameIndex &names,
                            const FieldName &field) {
  const i64 columns = std::ssize(dialect.names);
  if (field.number == 0) return field;
  if (field.number > columns) return unknown_field(dialect, field, columns);
  if (field.number > 0) {
    return FieldName{dialect.names[static_cast<size_t>(field.number - 1)], -1, true};
  }
  if (names.find(field.text) < 0) return unknown_field(dialect, field, columns);
  return FieldName{field.text, -1, true};
}

Result<std::unique_ptr<RecordReader>> make_objects_reader(const Dialect &dialect,
                                                          std::span<const FieldName> wanted) {
  const NameIndex names(dialect.names);
  std::vector<FieldName> members;
  for (const FieldName &field : wanted) {
    Result<FieldName> member = member_of(dialect, names, field);
    if (!member.is_ok()) return member.status();
    members.push_back(std::move(*member));
  }
  return make_json_reader(dialect, members);
}

Status complete_rows(const InputHead &input, Dialect *dialect) {
  dialect->names = input.spec.columns;
  dialect->reason = "of the stage before";
  return Status::ok();
}

}  // namespace

Dialect dialect_of_rows(const std::vector<std::string> &columns, bool are_objects,
                        std::string reason) {
  Dialect dialect;
  dialect.format = are_objects ? &LineFormat::row_objects : &LineFormat::rows;
  dialect.names = columns;
  dialect.reason = std::move(reason);
  return dialect;
}

constinit const LineFormat LineFormat::rows = {
    .name = "rows",
    .make_reader = make_rows_reader,
    .complete = complete_rows,
    .header = Header::asked,
};

constinit const LineFormat LineFormat::row_objects = {
    .name = "rows",
    .make_reader = make_objects_reader,
    .complete = complete_rows,
    .header = Header::asked,
};

}  // namespace mrc
