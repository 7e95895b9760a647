#include "join/changed_rows.h"

#include "base/arithmetic.h"
#include "base/name_index.h"
#include "base/setting_name.h"
#include "join/inner/key_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace mrc {
namespace {

FieldKind kind_of(const JoinInput &input, const FieldExpr &field) {
  return input.kind_of ? input.kind_of(field) : FieldKind();
}

NameIndex names_of(const JoinSide &side) {
  std::vector<std::string> names;
  for (const FieldExpr &field : side.fields) names.push_back(field.column());
  return NameIndex(names);
}

// The difference of two numbers, and in percent of the first one, as text.
struct Change {
  bool is_same = false;
  std::string difference = {}, percent = {};
};

// Decimals are exact; percents are rounded to two places. If one value is no number, the change
// has no text.
Change change_of(Bytes old_value, Bytes new_value) {
  constexpr i64 kPlaces = 2;
  Arena arena;
  const Number from = parse_number(old_value, &arena), to = parse_number(new_value, &arena);
  if (!is_number(from) || !is_number(to)) return {};
  if (compare_numbers(from, to) == 0) return {.is_same = true};
  Change change;
  const Number difference = subtract(to, from, &arena);
  append_number(difference, &change.difference);
  const Number hundredfold = multiply(difference, make_number(100, 0), &arena);
  const Number percent = divide(hundredfold, absolute(from, &arena), &arena);
  if (is_number(percent)) {
    append_number(rounded(percent, kPlaces, Rounding::nearest, &arena), &change.percent);
  }
  return change;
}

Bytes value_or_missing(const std::string &text) { return text.empty() ? Bytes() : Bytes(text); }

class KeyChanges : public KeyRows {
 public:
  KeyChanges(const JoinedRowsSpec &spec, const std::vector<ComparedField> &compared,
             const RowSource::Take &take)
      : KeyRows(spec, take), compared_(compared) {
    for (const Side side : {kLeft, kRight})
      values_[side].resize(spec.join.sides[side].fields.size());
  }

 private:
  void begin_key() override { has_ = {}; }
  Status add(const StoredSide &side) override {
    if (std::exchange(has_[side.side], true)) return repeated(side.side);
    std::string &fields = fields_[side.side];
    fields.assign(side.fields).append(kPadding, '\0');
    StoredSide copy = side;
    copy.fields = fields;
    copy.read_fields(&values_[side.side]);
    return Status::ok();
  }
  Status end_key() override {
    head_.clear();
    spec_.text.append_keys(keys(), &head_);
    if (has_[kLeft] && has_[kRight]) {
      compare();
    } else {
      show_lone(has_[kLeft] ? kLeft : kRight);
    }
    return Status::ok();
  }

  Status repeated(Side side) const;
  void compare();
  void show_lone(Side side);
  void show(const char *change, Bytes field, Bytes old_value, Bytes new_value,
            const Change &by = {});

  const std::vector<ComparedField> &compared_;
  std::array<bool, 2> has_ = {};
  std::array<std::string, 2> fields_;
  std::array<std::vector<Bytes>, 2> values_;
  std::string head_, tail_;
};

Status KeyChanges::repeated(Side side) const {
  return Status::error(
      fmt::format("several records of the {} input have the key {}; name fields by {} that no two "
                  "records have in common",
                  side == kLeft ? "first" : "second", fmt::join(keys(), ","), setting_name("key")));
}

void KeyChanges::compare() {
  for (const ComparedField &field : compared_) {
    const Bytes from = values_[kLeft][field.at[kLeft]], to = values_[kRight][field.at[kRight]];
    if (from == to) continue;
    const bool are_numbers = field.kind.kind == ValueKind::number && !from.empty() && !to.empty();
    const Change change = are_numbers ? change_of(from, to) : Change();
    if (!change.is_same) show("changed", field.name, from, to, change);
  }
}

void KeyChanges::show_lone(Side side) {
  const char *change = side == kLeft ? "removed" : "added";
  bool has_value = false;
  for (const ComparedField &field : compared_) {
    const Bytes value = values_[side][field.at[side]];
    if (value.empty()) continue;
    has_value = true;
    show(change, field.name, side == kLeft ? value : Bytes(), side == kRight ? value : Bytes());
  }
  if (!has_value) show(change, {}, {}, {});
}

void KeyChanges::show(const char *change, Bytes field, Bytes old_value, Bytes new_value,
                      const Change &by) {
  const Bytes cells[] = {change,
                         field,
                         old_value.empty() ? Bytes() : old_value,
                         new_value.empty() ? Bytes() : new_value,
                         value_or_missing(by.difference),
                         value_or_missing(by.percent)};
  static_assert(std::size(cells) == kChangeColumns.size());
  tail_.clear();
  spec_.text.append_tail(cells, &tail_);
  emit(0, 0, head_, tail_);
}

}  // namespace

std::array<FieldKind, kChangeColumns.size()> change_kinds(const Join &join) {
  const std::vector<ComparedField> compared = compared_fields(join);
  FieldKind of_values = compared.empty() ? FieldKind() : compared[0].kind;
  for (const ComparedField &field : compared) {
    if (!(field.kind == of_values)) of_values = {ValueKind::text};
  }
  const FieldKind text = {ValueKind::text}, number = {ValueKind::number};
  return {text, text, of_values, of_values, number, number};
}

std::vector<ComparedField> compared_fields(const Join &join) {
  std::vector<ComparedField> compared;
  const std::vector<FieldExpr> &left = join.sides[kLeft].fields, &right = join.sides[kRight].fields;
  const NameIndex partners = names_of(join.sides[kRight]);
  for (size_t i = 0; i < left.size(); ++i) {
    const std::string name = left[i].column();
    const i64 partner = partners.find(name);
    if (partner < 0) continue;
    const size_t place = static_cast<size_t>(partner);
    const FieldKind kind = kind_of(join.spec.inputs[kLeft], left[i]);
    const bool is_same = kind == kind_of(join.spec.inputs[kRight], right[place]);
    compared.push_back({name, {i, place}, is_same ? kind : FieldKind()});
  }
  return compared;
}

std::vector<std::string> lone_fields(const Join &join, Side side) {
  const NameIndex others = names_of(join.sides[side == kLeft ? kRight : kLeft]);
  std::vector<std::string> names;
  for (const FieldExpr &field : join.sides[side].fields) {
    if (others.find(field.column()) < 0) names.push_back(field.column());
  }
  return names;
}

std::unique_ptr<KeyRows> compare_keys(const JoinedRowsSpec &spec,
                                      const std::vector<ComparedField> &compared,
                                      const RowSource::Take &take) {
  return std::make_unique<KeyChanges>(spec, compared, take);
}

}  // namespace mrc
