#include "cmd/profile.h"

#include "base/typed_text.h"
#include "cmd/record_columns.h"
#include "expr/computed_field.h"
#include "kinds/kind.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// The kinds that have a figure: all, those with an order of their own, or amounts.
enum class For { all, ordered, amounts };

// `aggregate`: computes the figure of the field in place of the brackets.
struct ProfileColumn {
  const char *name, *aggregate;
  For whom = For::all;
};
constexpr ProfileColumn kProfileColumns[] = {
    {"values", "count(${})"},
    {"missing", "count - count(${})"},
    {"distinct", "distinct(${})"},
    {"min", "min(${})", For::ordered},
    {"p25", "p25(${})", For::amounts},
    {"median", "median(${})", For::amounts},
    {"p75", "p75(${})", For::amounts},
    {"max", "max(${})", For::ordered},
    {"mean", "mean(${})", For::amounts},
    {"stddev", "stddev(${})", For::amounts},
    {"mode", "mode(${})"},
};

constexpr i64 kMostBins = 20;  // of a histogram

bool is_amount(ValueKind kind) {
  using enum ValueKind;
  return kind == number || kind == duration || kind == time;
}

bool has(ValueKind kind, const ProfileColumn &column) {
  using enum ValueKind;
  switch (column.whom) {
    case For::all: return true;
    case For::ordered: return is_amount(kind) || kind == level || kind == address;
    case For::amounts: return is_amount(kind);
  }
  return false;
}

}  // namespace

std::vector<std::string> profile_columns() {
  std::vector<std::string> names = {"field", "kind"};
  for (const ProfileColumn &column : kProfileColumns) names.push_back(column.name);
  return names;
}

std::string profile_aggregates(std::span<const ProfiledField> fields) {
  std::string list;
  for (size_t i = 0; i < fields.size(); ++i) {
    for (const ProfileColumn &column : kProfileColumns) {
      if (!has(fields[i].kind.kind, column)) continue;
      const std::string figure = fmt::format(fmt::runtime(column.aggregate), fields[i].written);
      list += fmt::format("{}{}_{}={}", list.empty() ? "" : ",", column.name, i, figure);
    }
  }
  return list;
}

std::vector<std::vector<std::string_view>> profile_figures(std::span<const ProfiledField> fields,
                                                           std::span<const std::string_view> values,
                                                           std::string_view missing) {
  std::vector<std::vector<std::string_view>> all;
  for (const ProfiledField &field : fields) {
    std::vector<std::string_view> &figures = all.emplace_back();
    for (const ProfileColumn &column : kProfileColumns) {
      const bool is_there = has(field.kind.kind, column);
      figures.push_back(is_there ? values[0] : missing);
      if (is_there) values = values.subspan(1);
    }
  }
  return all;
}

bool has_histogram(const ProfiledField &field) { return is_amount(field.kind.kind); }

std::string histogram_aggregates(std::span<const ProfiledField> fields) {
  std::string list;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!has_histogram(fields[i])) continue;
    list += fmt::format("{}bins_{}=bins(${},{})", list.empty() ? "" : ",", i, fields[i].written,
                        kMostBins);
  }
  return list;
}

namespace {

// A field of which the sample has no value is a number if all its values are, and else a text.
FieldKind kind_to_profile(const FieldName &field, const Compiled &compiled) {
  const FieldKind kind = compiled.clock.kinds->kind_of(field);
  if (kind.kind != ValueKind::unknown) return kind;
  bool has_number = false, has_other = false;
  for (const FoundField &found : compiled.program.found) {
    if (found.name != field.text) continue;
    has_number |= found.has_number;
    has_other |= found.has_other;
  }
  if (has_other) return {ValueKind::text};
  return !has_number ? kind
                     : FieldKind{.kind = ValueKind::number, .unit_ns = unit_in_name(field.text)};
}

}  // namespace

Result<std::vector<ProfiledField>> fields_to_profile(Compiled *compiled) {
  if (std::ranges::all_of(compiled->program.inputs, has_no_bytes))
    return std::vector<ProfiledField>();
  const Result<std::vector<std::string>> names = all_fields(compiled);
  if (!names.is_ok()) return names.status();
  std::vector<ProfiledField> fields;
  for (const std::string &name : *names) {
    const i64 number = std::ssize(fields) + 1;
    const bool has_name = !name.empty() && std::ranges::count(*names, name) == 1;
    const std::string shown = name.empty() ? std::to_string(number) : name;
    const FieldName field = has_name ? whole_name(name) : FieldName{shown, number};
    const FieldKind kind = kind_to_profile(field, *compiled);
    compiled->clock.kinds->depend_on(field, kind);  // it decides which figures there are
    fields.push_back({shown, has_name ? in_double_quotes(name) : std::to_string(number), kind});
  }
  return fields;
}

}  // namespace mrc
