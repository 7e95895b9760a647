#include "fields/spread.h"

#include "base/setting_name.h"
#include "base/typed_text.h"
#include "fields/inner/json_record.h"
#include "fields/inner/spread_reader.h"
#include "fields/json.h"
#include "fields/line_reader.h"
#include "fields/recognize.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

using By = Spread::By;

std::string path_of(const FieldName &field) {
  return field.whole ? in_double_quotes(field.text) : field.text;
}

bool is_member(const FieldName &name, const FieldName &of) {
  return name.number < 0 && !name.whole && name.text.starts_with(path_of(of) + ".");
}

// Returns the position of a field, from 0; -1: it has none that is known.
i64 place_of(const std::vector<std::string> &names, const FieldName &name) {
  if (name.number >= 0) return name.number - 1;
  const auto found = std::ranges::find(names, name.text);
  return found == names.end() ? -1 : found - names.begin();
}

bool is_same_field(const Dialect &dialect, const FieldName &a, const FieldName &b) {
  if (a == b) return true;
  const i64 place = place_of(dialect.names, a);
  return !dialect.open && place >= 0 && place == place_of(dialect.names, b);
}

bool has_text(const std::vector<FieldName> &fields, Bytes text) {
  return std::ranges::find(fields, text, &FieldName::text) != fields.end();
}

// Finds where wanted fields come from.
class Sources {
 public:
  explicit Sources(const Dialect &dialect) : dialect_(dialect), spread_(dialect.spread) {}

  Status add(const FieldName &name) {
    Result<SpreadField> field =
        spread_.by == By::columns ? find_beside_columns(name) : find_in_field(name);
    if (field.is_ok()) fields.wanted.push_back(*field);
    return field.status();
  }

  SpreadFields fields;

 private:
  using From = SpreadField::From;

  Result<SpreadField> find_in_field(const FieldName &name) {
    const FieldName &field = spread_.fields[0];
    if (is_same_field(dialect_, name, field)) return SpreadField{From::value};
    const bool is_column = !dialect_.open && has_name(dialect_.names, name.text);
    if (spread_.by != By::elements || is_column || !is_member(name, field)) return of_record(name);
    fields.of_members.push_back({name.text.substr(path_of(field).size() + 1)});
    return SpreadField{From::member, fields.of_members.size() - 1};
  }

  // Numbers of fields count the new ones.
  Result<SpreadField> find_beside_columns(const FieldName &name) {
    const i64 columns = std::ssize(dialect_.names), place = place_of(dialect_.names, name);
    if (name.number == 0) return of_record(name);
    if (name.number > 0 && (dialect_.open || place >= columns)) {
      return unknown_field(dialect_, name, columns);
    }
    const std::string &text =
        name.number > 0 ? dialect_.names[static_cast<size_t>(place)] : name.text;
    if (text == spread_.key) return SpreadField{From::key};
    if (text == spread_.value) return SpreadField{From::value};
    if (dialect_.open && has_text(spread_.fields, text)) return SpreadField{From::nowhere};
    if (dialect_.open) return of_record(name);
    if (place < 0 && dialect_.around.empty()) return unknown_field(dialect_, name, columns);
    return of_record(name.number > 0 ? number_before(name.number) : name);
  }

  // Returns the number that a field has in the input.
  FieldName number_before(i64 number) const {
    for (size_t i = 0; i < spread_.names.size(); ++i) {
      if (has_text(spread_.fields, spread_.names[i])) continue;
      if (--number == 0) return {std::to_string(i + 1), static_cast<i64>(i) + 1};
    }
    return {};
  }

  SpreadField of_record(const FieldName &name) {
    fields.of_records.push_back(name);
    return {From::record, fields.of_records.size() - 1};
  }

  const Dialect &dialect_;
  const Spread &spread_;
};

// Returns an error if the record has fields of the new names already.
Status check_spread_names(const Dialect &dialect) {
  const Spread &spread = dialect.spread;
  for (const std::string &name : {spread.key, spread.value}) {
    if (spread.by != By::columns || std::ranges::count(dialect.names, name) < 2) continue;
    return Status::error(
        fmt::format("there is a field \"{}\" already; {} KEY,VALUE=FIELDS names "
                    "the new ones",
                    name, setting_name("stack")));
  }
  return Status::ok();
}

}  // namespace

Dialect with_spread(Dialect dialect, const Spread &spread) {
  dialect.spread = spread;
  if (spread.by != By::columns) return dialect;
  dialect.spread.names = dialect.names;
  std::erase_if(dialect.names,
                [&](const std::string &name) { return has_text(spread.fields, name); });
  const bool has_names = !dialect.spread.names.empty() || dialect.open;
  if (has_names) dialect.names.insert(dialect.names.end(), {spread.key, spread.value});
  return dialect;
}

Dialect without_spread(Dialect dialect) {
  const Spread spread = std::exchange(dialect.spread, {});
  if (spread.by == By::columns) dialect.names = spread.names;
  return dialect;
}

std::vector<FieldName> fields_before(const Spread &spread, const std::vector<FieldName> &wanted) {
  if (!spread.is_wanted()) return wanted;
  std::vector<FieldName> fields;
  for (const FieldName &name : wanted) {
    if (!is_changed_by(spread, name)) fields.push_back(name);
  }
  fields.insert(fields.end(), spread.fields.begin(), spread.fields.end());
  return fields;
}

bool is_changed_by(const Spread &spread, const FieldName &field) {
  switch (spread.by) {
    case By::nothing: return false;
    case By::pieces: return field == spread.fields[0];
    case By::elements: return field == spread.fields[0] || is_member(field, spread.fields[0]);
    case By::columns: break;
  }
  return field.number < 0 && (field.text == spread.key || field.text == spread.value);
}

std::string describe(const Spread &spread) {
  std::vector<std::string> names;
  for (const FieldName &field : spread.fields) names.push_back(field.text);
  switch (spread.by) {
    case By::nothing: break;
    case By::elements: return "each element of " + names[0];
    case By::pieces: return fmt::format("each piece of {} at \"{}\"", names[0], spread.separator);
    case By::columns: return fmt::format("each of {}", fmt::join(names, ", "));
  }
  return "";
}

void add_element_names(Bytes head, Dialect *dialect) {
  const Spread &spread = dialect->spread;
  if (spread.by != By::elements || !dialect->format->paths) return;
  const std::string padded = std::string(head) + std::string(kPadding, '\0');
  const FormatSpec spec;
  const Bytes text = Bytes(padded).substr(0, head.size());
  const auto batch = first_records(*dialect, spread.fields, {spec, text, true});
  if (batch == nullptr) return;
  JsonIndex index;
  for (size_t i = 0; i < static_cast<size_t>(batch->size); ++i) {
    const Bytes value = batch->fields[0][i];
    const bool is_object = value.starts_with('{') && !is_json_string(value);
    if (is_object && index.build(value) == nullptr) {
      add_json_paths(value, index, path_of(spread.fields[0]), &dialect->names);
    }
  }
}

Result<std::unique_ptr<RecordReader>> make_spread_reader(const Dialect &dialect,
                                                         std::span<const FieldName> wanted) {
  if (Status status = check_spread_names(dialect); !status.is_ok()) return status;
  Sources sources(dialect);
  for (const FieldName &name : wanted) {
    if (Status status = sources.add(name); !status.is_ok()) return status;
  }
  std::vector<FieldName> read = sources.fields.of_records;
  read.insert(read.end(), dialect.spread.fields.begin(), dialect.spread.fields.end());
  Result<std::unique_ptr<RecordReader>> reader = make_reader(without_spread(dialect), read);
  if (!reader.is_ok()) return reader;
  return make_spread_reader(dialect, std::move(*reader), std::move(sources.fields));
}

}  // namespace mrc
