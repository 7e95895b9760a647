#include "join/join_text.h"

#include "output/json_labels.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Of columns with the same name, the second is called a_2, the third a_3, as members of JSON are.
std::string distinct_name(const std::string &name, const std::vector<std::string> &before,
                          const std::vector<std::string> &all) {
  auto contains = [](const std::vector<std::string> &names, const std::string &wanted) {
    return std::ranges::find(names, wanted) != names.end();
  };
  std::string distinct = name;
  for (i64 i = 2; contains(before, distinct) || (i > 2 && contains(all, distinct)); ++i) {
    distinct = fmt::format("{}_{}", name, i);
  }
  return distinct;
}

}  // namespace

JoinText::JoinText(const Join &join, const RowShape &shape)
    : shape_(shape),
      separator_(shape.format->separator),
      append_text_(shape.format->field_text(shape)),
      keys_(join.sides[kLeft].keys.size()),
      lefts_(join.sides[kLeft].fields.size()) {
  std::vector<std::string> names, distinct;
  auto add = [&](const std::vector<FieldExpr> &exprs) {
    for (const FieldExpr &expr : exprs) {
      names.push_back(expr.column());
      cells_.push_back({"", "", expr.bucket && expr.bucket->is_number()});
    }
  };
  add(join.sides[kLeft].keys);
  add(join.sides[kLeft].fields);
  add(join.sides[kRight].fields);
  for (const std::string &name : names) distinct.push_back(distinct_name(name, distinct, names));
  const std::vector<std::string> labels = json_labels(distinct);
  for (size_t i = 0; i < cells_.size(); ++i) {
    cells_[i].name = distinct[i];
    cells_[i].label = labels[i];
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
  append_cells(0, keys, out);
  append_cells(keys_, left, out);
}

void JoinText::append_lone_head(std::span<const Bytes> keys, std::string *out) const {
  append_cells(0, keys, out);
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
  } else if (cell.is_number && is_key_number(value)) {
    out->append(value);
  } else {
    append_text_(value, out);
  }
}

}  // namespace mrc
