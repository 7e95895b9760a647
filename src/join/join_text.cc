#include "join/inner/join_text.h"

#include "output/text.h"

namespace mrc {
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
      lefts_(join.sides[kLeft].fields.size()) {
  const std::vector<std::string> names = join_columns(join);
  const std::vector<std::string> labels = json_labels(names);
  const std::vector<FieldKind> kinds = labelled() ? join_kinds(join) : std::vector<FieldKind>();
  const auto add = [&](const std::vector<FieldExpr> &exprs) {
    for (const FieldExpr &expr : exprs) {
      const size_t i = cells_.size();
      const ValueKind kind = labelled() ? kinds[i].kind : ValueKind::unknown;
      cells_.push_back({names[i], labels[i], expr.bucket && expr.bucket->is_number(), kind});
    }
  };
  add(join.sides[kLeft].keys);
  add(join.sides[kLeft].fields);
  add(join.sides[kRight].fields);
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
