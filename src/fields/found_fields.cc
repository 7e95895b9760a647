#include "fields/found_fields.h"

#include "base/setting_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace mrc {
namespace {

using ByName = std::map<std::string, std::vector<FoundField *>>;

ByName by_name(std::vector<FoundField> *fields) {
  ByName named;
  for (FoundField &field : *fields) named[field.name].push_back(&field);
  return named;
}

// Fields whose names are equal, such as a."b" and "a.b", are called as users write their paths.
Status tell_apart(std::vector<FoundField> *fields) {
  for (const auto &[name, equal] : by_name(fields)) {
    if (equal.size() < 2) continue;
    for (FoundField *field : equal) field->name = field->path;
  }
  for (const auto &[name, equal] : by_name(fields)) {
    if (equal.size() < 2) continue;
    return Status::error(fmt::format(
        "the fields {} and {} would both be called {}; name those that are wanted by {}",
        equal[0]->path, equal[1]->path, name, setting_name("key")));
  }
  return Status::ok();
}

}  // namespace

void FoundFields::add(FoundField field) {
  const auto [found, is_new] = places_.try_emplace(field.path, fields_.size());
  if (is_new) {
    bytes_ += std::ssize(field.path);
    fields_.push_back(std::move(field));
    return;
  }
  FoundField &known = fields_[found->second];
  std::tie(known.position, known.place) =
      std::min(std::tie(known.position, known.place), std::tie(field.position, field.place));
  known.has_value |= field.has_value;
  known.has_members |= field.has_members;
  known.has_number |= field.has_number;
  known.has_other |= field.has_other;
}

Result<std::vector<FoundField>> FoundFields::columns() const {
  const i64 seen = std::ranges::count_if(
      fields_, [](const FoundField &field) { return field.position != ~u64{0}; });
  if (seen > kMost || bytes_ > kMostBytes) {
    return Status::error(
        fmt::format("the records have more than {} fields, or names of more than "
                    "{} MiB; name those that are wanted by {}",
                    kMost, kMostBytes >> 20, setting_name("key")));
  }
  std::vector<FoundField> columns;
  std::ranges::copy_if(fields_, std::back_inserter(columns), [](const FoundField &field) {
    return field.has_value || !field.has_members;
  });
  std::ranges::sort(columns, {},
                    [](const FoundField &field) { return std::pair(field.position, field.place); });
  Status status = tell_apart(&columns);
  return status.is_ok() ? Result(std::move(columns)) : status;
}

std::unique_ptr<FieldFinder> make_field_finder(const Dialect &dialect) {
  const bool is_plain = dialect.around.empty() && dialect.mixed.empty() && dialect.wrapper < 0 &&
                        !dialect.spread.is_wanted();
  if (!is_plain || dialect.format->make_finder == nullptr) return nullptr;
  return dialect.format->make_finder(dialect);
}

}  // namespace mrc
