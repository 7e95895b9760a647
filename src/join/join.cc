#include "join/join.h"

#include "base/names.h"
#include "base/setting_name.h"
#include "base/typed_text.h"
#include "expr/expression_items.h"
#include "expr/hash_bucket.h"
#include "join/changed_rows.h"
#include "output/encode.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

std::string written_names(const std::vector<std::string> &names,
                          const std::vector<FieldExpr> &keys) {
  std::string text;
  for (const std::string &name : names) {
    const bool is_key = std::ranges::any_of(
        keys, [&](const FieldExpr &key) { return !key.bucket && key.field.text == name; });
    if (is_key) continue;
    if (!text.empty()) text.push_back(',');
    text += written_name(name, false);
  }
  return text;
}

Status unknown_fields(const JoinSpec &spec, Side side, const Dialect &dialect,
                      const std::string &name) {
  const std::string setting = setting_name(setting_of_fields(spec, side));
  if (dialect.names.empty()) {
    return Status::error(
        fmt::format("{}: its fields have no names; say which to print with {}, "
                    "such as {} 2,3",
                    name, setting, setting));
  }
  return Status::error(
      fmt::format("{}: records of the format {} may have other fields than the first ones have; "
                  "say which to print with {}, such as {} {}",
                  name, dialect.format->name, setting, setting,
                  written_names(dialect.names, spec.inputs[side].keys)));
}

FieldExpr named_field(const std::string &name) {
  FieldExpr expr;
  expr.field = {.text = name, .number = -1, .whole = true};
  expr.text = written_name(name, false);
  return expr;
}

FieldExpr numbered_field(i64 number) {
  FieldExpr expr;
  expr.text = std::to_string(number);
  expr.field = {.text = expr.text, .number = number};
  return expr;
}

// True if the field with this number and name is a key. A line has one field, the whole line.
bool is_key(const std::vector<FieldExpr> &keys, const LineFormat &format, i64 number,
            const std::string &name) {
  return std::ranges::any_of(keys, [&](const FieldExpr &key) {
    if (key.bucket || key.computed) return false;
    if (format.one_field) return true;
    return key.field.number < 0 ? key.field.text == name : key.field.number == number;
  });
}

}  // namespace

const char *setting_of_fields(const JoinSpec &spec, Side side) {
  if (spec.kind == JoinKind::changes) return "fields";
  return side == kLeft ? "left-fields" : "right-fields";
}

WantedFields JoinSide::wanted() const {
  WantedFields wanted(filter);
  for (const FieldExpr &key : keys) wanted.add(key.field);
  for (const FieldExpr &field : fields) wanted.add(field.field);
  return wanted;
}

Result<JoinSide> join_side(const JoinSpec &spec, Side side, const Dialect *dialect,
                           const std::string &name) {
  const JoinInput &input = spec.inputs[side];
  JoinSide made{input.keys, {}, input.filter};
  made.is_lines = dialect != nullptr && dialect->format->one_field;
  made.needs_key = spec.kind == JoinKind::changes;
  if (side == kRight && !spec.prints_right()) return made;
  if (input.fields) {
    made.fields = *input.fields;
    return made;
  }
  const bool has_names = !dialect->names.empty();
  const i64 count = has_names ? std::ssize(dialect->names) : dialect->most_fields;
  if (dialect->open || count == 0) return unknown_fields(spec, side, *dialect, name);
  for (i64 number = 1; number <= count; ++number) {
    const std::string field = has_names ? dialect->names[static_cast<size_t>(number - 1)] : "";
    if (is_key(input.keys, *dialect->format, number, field)) continue;
    made.fields.push_back(has_names ? named_field(field) : numbered_field(number));
  }
  for (const std::string &folder : input.folders) {
    const bool is_there = std::ranges::find(dialect->names, folder) != dialect->names.end();
    if (!is_there && !is_key(input.keys, *dialect->format, -1, folder)) {
      made.fields.push_back(named_field(folder));
    }
  }
  return made;
}

void PartitionCheck::take(i64 source, std::span<const Bytes> keys) const {
  const i64 partition = files_.files[static_cast<size_t>(source - first_)].partition;
  const Bytes key = keys[key_];
  const i64 own = key == "-" ? files_.partitions : hash_partition(key, files_.partitions);
  if (own != partition) misplaced_.store(source, std::memory_order_relaxed);
}

std::vector<std::string> join_columns(const Join &join) {
  std::vector<std::string> names;
  const auto add = [&](const std::vector<FieldExpr> &exprs) {
    for (const FieldExpr &expr : exprs) names.push_back(expr.column());
  };
  add(join.sides[kLeft].keys);
  if (join.spec.kind == JoinKind::changes) {
    names.insert(names.end(), kChangeColumns.begin(), kChangeColumns.end());
    return distinct_names(names);
  }
  add(join.sides[kLeft].fields);
  add(join.sides[kRight].fields);
  return distinct_names(names);
}

std::vector<FieldKind> join_kinds(const Join &join) {
  const auto kind_of = [&](Side side, const FieldExpr &expr) {
    const JoinInput &input = join.spec.inputs[side];
    return input.kind_of ? input.kind_of(expr) : FieldKind();
  };
  std::vector<FieldKind> kinds;
  for (size_t i = 0; i < join.sides[kLeft].keys.size(); ++i) {
    const FieldKind left = kind_of(kLeft, join.sides[kLeft].keys[i]);
    const FieldKind right = kind_of(kRight, join.sides[kRight].keys[i]);
    kinds.push_back(left == right ? left : FieldKind());
  }
  if (join.spec.kind == JoinKind::changes) {
    for (const FieldKind &kind : change_kinds(join)) kinds.push_back(kind);
    return kinds;
  }
  for (const Side side : {kLeft, kRight}) {
    for (const FieldExpr &field : join.sides[side].fields) kinds.push_back(kind_of(side, field));
  }
  return kinds;
}

Status parse_join_keys(std::string_view text, const Clock &clock, JoinSpec *spec) {
  const Result<std::vector<std::string>> items = split_items(text);
  if (!items.is_ok()) return items.status();
  for (const std::string &item : *items) {
    const size_t sign = find_unquoted(item, '=');
    const std::string names[] = {item.substr(0, sign),
                                 sign == item.npos ? item : item.substr(sign + 1)};
    for (const Side side : {kLeft, kRight}) {
      Result<FieldExpr> key = parse_field(names[side], clock);
      if (!key.is_ok()) return key.status();
      spec->inputs[side].keys.push_back(std::move(*key));
    }
  }
  return Status::ok();
}

SideRecords::SideRecords(const JoinSide &side, const InputReaders &readers, BadRecordSink *bad)
    : bad_(bad),
      check_(side.check.get()),
      needs_key_(side.needs_key),
      keys_(cells_of(side.keys, side.wanted())),
      fields_(cells_of(side.fields, side.wanted())),
      key_values_(keys_.size()),
      field_values_(fields_.size()),
      scan_(side.wanted(), readers, bad) {
  record_.keys = key_values_;
  record_.fields = field_values_;
}

std::vector<SideRecords::Cell> SideRecords::cells_of(const std::vector<FieldExpr> &exprs,
                                                     const WantedFields &wanted) {
  std::vector<Cell> cells;
  for (const FieldExpr &expr : exprs) {
    cells.push_back({&expr, wanted.column(expr.field), expr.not_of_kind()});
  }
  return cells;
}

bool SideRecords::read(const Chunk &chunk, size_t record) {
  if (!read_cells(chunk, record, &keys_, &key_values_)) return false;
  if (!read_cells(chunk, record, &fields_, &field_values_)) return false;
  record_.has_key = true;
  for (Bytes &key : key_values_) {
    if (!key.empty()) continue;
    key = Bytes();
    record_.has_key = false;
  }
  if (needs_key_ && !record_.has_key) {
    bad_->take(chunk, {batch_.records[record], "it has no key"});
    return false;
  }
  if (check_ != nullptr && record_.has_key) check_->take(chunk.source, key_values_);
  const i64 offset = chunk.offset + (batch_.records[record].data() - chunk.bytes.data());
  record_.position = position_of(chunk.source, offset);
  return true;
}

bool SideRecords::read_cells(const Chunk &chunk, size_t record, std::vector<Cell> *cells,
                             std::vector<Bytes> *values) {
  for (size_t i = 0; i < cells->size(); ++i) {
    Cell &cell = (*cells)[i];
    Bytes &value = (*values)[i];
    value = batch_.fields[cell.column][record];
    if (!cell.expr->bucket || apply_bucket(&cell, &value)) continue;
    bad_->take(chunk, {batch_.records[record], cell.not_of_kind.c_str()});
    return false;
  }
  return true;
}

bool SideRecords::apply_bucket(Cell *cell, Bytes *value) {
  if (value->empty() || *value == "-") return true;
  cell->text.clear();
  if (!cell->expr->bucket->append(*value, &cell->text)) return false;
  *value = cell->text;
  return true;
}

namespace {

// A row that is just one line is printed unchanged.
RowShape shape_for(const Join &join, RowShape shape) {
  const JoinSide &left = join.sides[kLeft], &right = join.sides[kRight];
  const size_t cells = left.keys.size() + left.fields.size() + right.fields.size();
  shape.raw |= cells == 1 && left.is_lines && shape.format == &OutputFormat::tsv;
  return shape;
}

}  // namespace

JoinText::JoinText(const Join &join, const RowShape &shape)
    : shape_(shape_for(join, shape)),
      separator_(shape.format->separator),
      append_text_(shape.format->field_text(shape_)),
      keys_(join.sides[kLeft].keys.size()),
      lefts_(join.spec.kind == JoinKind::changes ? 0 : join.sides[kLeft].fields.size()) {
  const std::vector<std::string> names = join_columns(join);
  const std::vector<std::string> labels = json_labels(names);
  const std::vector<FieldKind> kinds = labelled() ? join_kinds(join) : std::vector<FieldKind>();
  for (size_t i = 0; i < names.size(); ++i) {
    cells_.push_back({names[i], labels[i]});
    if (labelled()) cells_[i].kind = kinds[i].kind;
  }
  size_t cell = 0;
  const auto find_numbers = [&](const std::vector<FieldExpr> &exprs) {
    for (const FieldExpr &expr : exprs) {
      const bool is_number = expr.bucket && expr.bucket->is_number();
      cells_[cell].is_number = is_number && cells_[cell].kind != ValueKind::text;
      ++cell;
    }
  };
  find_numbers(join.sides[kLeft].keys);
  if (join.spec.kind != JoinKind::changes) {
    find_numbers(join.sides[kLeft].fields);
    find_numbers(join.sides[kRight].fields);
  }
  append_tail(std::vector<Bytes>(cells_.size() - keys_ - lefts_), &lone_tail_);
}

void JoinText::append_header(std::string *out) const {
  if (labelled()) return;
  for (const Cell &cell : cells_) {
    if (&cell != &cells_[0]) out->push_back(separator_);
    append_text_(cell.name, out);
  }
  out->push_back(shape_.terminator);
}

void JoinText::append_head(std::span<const Bytes> keys, std::span<const Bytes> left,
                           std::string *out) const {
  append_keys(keys, out);
  append_left(left, out);
}

void JoinText::append_lone_head(std::span<const Bytes> keys, std::string *out) const {
  append_keys(keys, out);
  append_lone_left(out);
}

void JoinText::append_lone_left(std::string *out) const {
  for (size_t i = 0; i < lefts_; ++i) {
    const Bytes missing;
    append_cells(keys_ + i, {&missing, 1}, out);
  }
}

void JoinText::append_tail(std::span<const Bytes> right, std::string *out) const {
  append_cells(keys_ + lefts_, right, out);
  if (labelled()) out->push_back('}');
  out->push_back(shape_.terminator);
}

void JoinText::append_cells(size_t first, std::span<const Bytes> values, std::string *out) const {
  for (size_t i = 0; i < values.size(); ++i) {
    if (!labelled() && first + i > 0) out->push_back(separator_);
    append_cell(cells_[first + i], values[i], out);
  }
}

void JoinText::append_cell(const Cell &cell, Bytes value, std::string *out) const {
  if (!labelled()) return append_text_(value, out);
  out->append(cell.label);
  if (value.data() == nullptr) {
    out->append("null");
  } else if (cell.is_number ? is_key_number(value) : is_bare_json(cell.kind, value)) {
    out->append(value);
  } else {
    append_text_(value, out);
  }
}

}  // namespace mrc
