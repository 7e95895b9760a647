// Options that make several records of one.
#include "base/typed_text.h"
#include "cmd/values.h"
#include "expr/expr.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

Status check_unset(const Spread &spread) {
  if (!spread.is_wanted()) return Status::ok();
  return Status::error(
      "only one --each or --stack makes records; write another one into a stage after then");
}

Status check_distinct(const std::vector<std::string> &names) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) == name) continue;
    return Status::error(fmt::format("\"{}\" is there twice", *name));
  }
  return Status::ok();
}

}  // namespace

Status choose_each(const std::string &value, Spread *spread) {
  if (Status status = check_unset(*spread); !status.is_ok()) return status;
  const size_t colon = find_unquoted(value, ':');
  std::string_view rest;
  Result<FieldName> field = parse_field_name(std::string_view(value).substr(0, colon), &rest);
  if (!field.is_ok()) return field.status();
  if (field->number == 0) return Status::error("a whole record has no elements; name a field");
  if (colon + 1 == value.size()) {
    return Status::error("there is nothing after the colon; write FIELD or FIELD:SEPARATOR");
  }
  spread->by = colon == std::string::npos ? Spread::By::elements : Spread::By::pieces;
  if (spread->by == Spread::By::pieces) spread->separator = value.substr(colon + 1);
  spread->fields = {std::move(*field)};
  return Status::ok();
}

Status choose_stack(const std::string &value, Spread *spread) {
  if (Status status = check_unset(*spread); !status.is_ok()) return status;
  const size_t sign = find_unquoted(value, '=');
  const bool names_new = sign != std::string::npos;
  const Result<std::vector<std::string>> columns =
      split_names(names_new ? value.substr(sign + 1) : value);
  if (!columns.is_ok()) return columns.status();
  const Result<std::vector<std::string>> added =
      split_names(names_new ? value.substr(0, sign) : "key,value");
  if (!added.is_ok()) return added.status();
  if (added->size() != 2) {
    return Status::error(
        fmt::format("\"{}\" is not KEY,VALUE: names of the two new fields", value.substr(0, sign)));
  }
  for (const std::vector<std::string> *names : {&*columns, &*added}) {
    if (Status status = check_distinct(*names); !status.is_ok()) return status;
  }
  spread->by = Spread::By::columns;
  for (const std::string &name : *columns) spread->fields.push_back(whole_name(name));
  spread->key = (*added)[0];
  spread->value = (*added)[1];
  return Status::ok();
}

}  // namespace mrc
