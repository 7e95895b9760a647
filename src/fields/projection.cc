#include "fields/projection.h"

#include "base/spelling.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

Status unknown_name(const Dialect &dialect, const std::string &name) {
  const char *format = format_name(dialect.format);
  if (dialect.format == RecordFormat::lines && dialect.names.empty()) {
    return Status::error(
        fmt::format("no field \"{}\": these are lines, whose only field is 1; if they are more, "
                    "--from says what",
                    name));
  }
  if (dialect.names.empty()) {
    return Status::error(fmt::format(
        "no field \"{}\": {} have numbers from 1; --columns gives them names", name, format));
  }
  return Status::error(fmt::format("no field \"{}\" in {}{}; there are {}", name, format,
                                   did_you_mean(name, dialect.names),
                                   fmt::join(dialect.names, ", ")));
}

Status unknown_number(const Dialect &dialect, i64 number, i64 most) {
  return Status::error(fmt::format("no field {} in {}: the last one is {}", number,
                                   format_name(dialect.format), most));
}

}  // namespace

Result<Projection> Projection::resolve(const Dialect &dialect, std::span<const FieldName> wanted,
                                       i64 most) {
  Projection projection;
  projection.columns_ = std::ssize(wanted);
  for (i64 column = 0; column < projection.columns_; ++column) {
    const FieldName &name = wanted[static_cast<size_t>(column)];
    if (name.number == 0) {
      projection.copies_.push_back({-1, column});
    } else if (name.number > 0) {
      const bool known = dialect.open || most < 0 || name.number <= most;
      if (!known) return unknown_number(dialect, name.number, most);
      projection.add(name.number - 1, "", column);
    } else {
      const auto found = std::find(dialect.names.begin(), dialect.names.end(), name.text);
      const bool known = found != dialect.names.end();
      if (!known && !dialect.open) return unknown_name(dialect, name.text);
      if (dialect.open) {
        projection.add(-1, name.text, column);
      } else {
        projection.add(found - dialect.names.begin(), "", column);
      }
    }
  }
  std::sort(projection.fields_.begin(), projection.fields_.end(),
            [](const WantedField &a, const WantedField &b) {
              return static_cast<u64>(a.field) < static_cast<u64>(b.field);
            });
  return projection;
}

// A field that is there already is copied from its column.
void Projection::add(i64 field, const std::string &name, i64 column) {
  for (const WantedField &one : fields_) {
    if (one.field == field && one.name == name) return copies_.push_back({one.column, column});
  }
  fields_.push_back({field, name, column});
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
  batch->fields.resize(static_cast<size_t>(columns_));
}

void Projection::finish(RecordBatch *batch) const {
  for (const auto [from, to] : copies_) {
    const RecordBatch::Column &source =
        from < 0 ? batch->records : batch->fields[static_cast<size_t>(from)];
    std::copy_n(source.begin(), batch->size, batch->fields[static_cast<size_t>(to)].begin());
  }
}

}  // namespace mrc
