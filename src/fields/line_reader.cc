#include "fields/line_reader.h"

#include "base/names.h"
#include "base/setting_name.h"
#include "base/text.h"
#include "fields/inner/named_formats.h"
#include "regex/regex.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Lists as many names as fit in a line. Columns may have none.
std::string list_names(const Dialect &dialect) {
  std::string list;
  for (const std::string &name : dialect.names) {
    if (name.empty()) continue;
    if (list.size() + name.size() > 200) return list + ", ...";
    list += (list.empty() ? "" : ", ") + name;
  }
  return list;
}

}  // namespace

Status unknown_field(const Dialect &dialect, const FieldName &field, i64 most) {
  const char *format = dialect.format->name;
  if (field.number >= 0) {
    return Status::error(
        fmt::format("no field {} in {}; the last field is {}", field.number, format, most));
  }
  std::string found = "the fields are " + list_names(dialect);
  if (dialect.names.empty()) {
    found = dialect.format->one_field
                ? "the only field is 1, the line; " + setting_name("from") + " sets another format"
                : "fields have numbers, from 1; " + setting_name("columns") + " gives them names";
  }
  const bool has_minus = field.text.find('-') != std::string::npos;
  return Status::error(fmt::format("no field \"{}\" in {}{}{}; {}", field.text, format,
                                   did_you_mean(field.text, dialect.names),
                                   has_minus ? ", and a minus has blanks around it" : "", found));
}

Result<Projection> Projection::resolve(const Dialect &dialect, std::span<const FieldName> wanted,
                                       i64 most) {
  Projection projection;
  NameIndex names, known;  // names of fields; wanted fields so far
  if (std::ranges::any_of(wanted, [](const FieldName &name) { return name.number < 0; })) {
    names = NameIndex(dialect.names);
  }
  projection.columns_ = std::ssize(wanted);
  for (i64 column = 0; column < projection.columns_; ++column) {
    const FieldName &name = wanted[static_cast<size_t>(column)];
    if (name.number == 0) {
      projection.copies_.push_back({-1, column});
    } else if (name.number > 0) {
      const bool has_it = dialect.open || most < 0 || name.number <= most;
      if (!has_it) return unknown_field(dialect, name, most);
      projection.add(name.number - 1, "", column, &known);
    } else {
      const i64 found = names.find(name.text);
      if (found < 0 && !dialect.open) return unknown_field(dialect, name, most);
      if (dialect.open) {
        projection.add(-1, name.text, column, &known);
      } else {
        projection.add(found, "", column, &known);
      }
    }
  }
  std::sort(projection.fields_.begin(), projection.fields_.end(),
            [](const WantedField &a, const WantedField &b) {
              return static_cast<u64>(a.field) < static_cast<u64>(b.field);
            });
  return projection;
}

// A field that is wanted already is copied from its column.
void Projection::add(i64 field, const std::string &name, i64 column, NameIndex *known) {
  const std::string key = field < 0 ? name : std::string(1, '\0') + std::to_string(field);
  if (known->add(key, column)) return fields_.push_back({field, name, column});
  copies_.push_back({known->find(key), column});
}

std::vector<i64> Projection::columns_by_position() const {
  std::vector<i64> columns;
  for (const WantedField &one : fields_) {
    if (one.field < 0) break;
    columns.resize(static_cast<size_t>(one.field) + 1, -1);
    columns.back() = one.column;
  }
  return columns;
}

void Projection::begin(RecordBatch *batch) const {
  batch->set_columns(static_cast<size_t>(columns_));
}

void Projection::finish(RecordBatch *batch) const {
  for (const auto [from, to] : copies_) {
    const Bytes *source =
        from < 0 ? batch->records.data() : batch->fields[static_cast<size_t>(from)].data();
    std::copy_n(source, batch->size, batch->fields[static_cast<size_t>(to)].data());
  }
}

Result<LineGroups> groups_started_by(const std::string &regex, char terminator) {
  Result<std::unique_ptr<Regex>> compiled = Regex::compile(regex, {});
  if (!compiled.is_ok()) {
    return compiled.status().within(fmt::format("{} \"{}\"", setting_name("record-start"), regex));
  }
  const std::shared_ptr<const Regex> start = std::move(*compiled);
  return LineGroups{[start](Bytes head) { return start->matches(without_byte_order_mark(head)); },
                    terminator};
}

bool may_start_records(const LineFormat &format) {
  const NamedKind *kind = format.row == nullptr ? nullptr : format.row->kind;
  const bool are_lines = kind == nullptr || (kind->alone && kind != &kFlowKind);
  const bool is_binary = &format == &LineFormat::binary;
  return are_lines && !format.quoted && !format.paths && !format.one_line && !is_binary;
}

std::string starts_of_records(Bytes head, bool whole, const LineGroups &groups) {
  std::string starts;
  const char *end = head.data() + head.size();
  for (const char *begin = head.data(); begin < end;) {
    const LineGroups::Found found = groups.first(begin, end, end, true);
    const char *stop = found.cut == nullptr ? end : found.cut + 1;
    if (found.cut == nullptr && !whole && !starts.empty()) break;  // its first line may continue
    const Bytes record(begin, static_cast<size_t>(stop - begin));
    starts += record.substr(0, record.find(groups.terminator));
    starts += groups.terminator;
    begin = stop;
  }
  return starts;
}

}  // namespace mrc
