// Items of lists that are fields, or computed of them.
#include "expr/computed_field.h"
#include "expr/expression_items.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

Result<FieldExpr> parse_key(const std::string &item, const Clock &clock,
                            std::vector<FieldExpr> *defined) {
  Result<std::optional<FieldExpr>> computed = parse_computed(item, clock, defined);
  if (!computed.is_ok()) return computed.status();
  if (*computed) return std::move(**computed);
  Result<FieldExpr> field = parse_field(item, clock);
  if (!field.is_ok()) return field;
  return with_definition(*field, *defined);
}

}  // namespace

Status define(const FieldExpr &field, std::vector<FieldExpr> *defined) {
  if (std::ranges::find(*defined, field.text, &FieldExpr::text) != defined->end()) {
    return Status::error(fmt::format("{} is computed twice", field.text));
  }
  defined->push_back(field);
  return Status::ok();
}

Result<FieldExpr> with_definition(const FieldExpr &field, std::span<const FieldExpr> defined) {
  const auto found = std::ranges::find_if(defined, [&](const FieldExpr &each) {
    return field.field.number == -1 && each.text == field.field.text;
  });
  if (found == defined.end()) return field;
  if (field.bucket == nullptr) return *found;
  return Status::error(fmt::format("{}: {} is computed; buckets are of fields of the input",
                                   field.text, found->text));
}

Result<std::optional<FieldExpr>> parse_computed(std::string_view item, const Clock &clock,
                                                std::vector<FieldExpr> *defined) {
  Result<ListItem> parsed = parse_item(item, {clock, *defined});
  if (!parsed.is_ok()) return parsed.status();
  if (!parsed->expression) return std::optional<FieldExpr>();
  Result<FieldExpr> field = computed_field(parsed->column(), std::move(*parsed->expression), clock);
  if (!field.is_ok()) return field.status();
  if (!parsed->name.empty()) {
    if (Status status = define(*field, defined); !status.is_ok()) return status;
  }
  return std::optional(std::move(*field));
}

Result<std::vector<FieldExpr>> parse_keys(std::string_view text, const Clock &clock,
                                          std::vector<FieldExpr> *defined) {
  const Result<std::vector<std::string>> items = split_items(text);
  if (!items.is_ok()) return items.status();
  std::vector<FieldExpr> keys;
  for (const std::string &item : *items) {
    Result<FieldExpr> key = parse_key(item, clock, defined);
    if (!key.is_ok()) return key.status();
    keys.push_back(std::move(*key));
  }
  return keys;
}

}  // namespace mrc
