#include "cmd/job_fields.h"

#include "base/names.h"
#include "base/text.h"
#include "cmd/parse.h"
#include "combine/aggregates.h"
#include "expr/expression_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace mrc {
namespace {

std::span<const mrc_field> fields_of_job(const mrc_job &job) {
  return {job.fields.at, job.fields.count};
}

// Returns the name by which --fields replaces a field.
std::string name_of_field(const mrc_field &field) {
  const std::string named = name_of_item(field.name);
  return named.empty() ? field.name : named;
}

// The items of the fields, in their order: as the job declares them, or as --fields replaces them.
class FieldItems {
 public:
  explicit FieldItems(const mrc_job &job) : job_(job) {
    for (const mrc_field &field : fields_of_job(job)) {
      names_.push_back(name_of_field(field));
      items_.emplace_back(field.name);
    }
  }

  // Takes the list of --fields: NAME=FIELD,...
  Status replace_by(const std::string &list) {
    if (list.empty()) return Status::ok();
    const Result<std::vector<std::string>> items = split_items(list);
    if (!items.is_ok()) return items.status();
    for (const std::string &item : *items) {
      if (Status status = replace(item); !status.is_ok()) return status;
    }
    return Status::ok();
  }
  const std::vector<std::string> &items() const { return items_; }

 private:
  // A name that has the form of one is defined for later fields, too.
  Status replace(const std::string &item) {
    const size_t sign = item.find('=');
    if (sign == item.npos) {
      return Status::error(fmt::format("{}: needs NAME=FIELD, such as {}=other", item, names_[0]));
    }
    const std::string name(without_spaces_around(std::string_view(item).substr(0, sign)));
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end()) {
      return Status::error(fmt::format("{}: {} has no field {}{}; it has {}", item, job_.name, name,
                                       did_you_mean(name, names_), describe_fields(job_)));
    }
    const bool defines = !name_of_item(item).empty();
    items_[static_cast<size_t>(found - names_.begin())] =
        defines ? item : std::string(without_spaces_around(item.substr(sign + 1)));
    return Status::ok();
  }

  const mrc_job &job_;
  std::vector<std::string> names_, items_;
};

// Compiles the item of one field.
Result<FieldExpr> parse_item_of_field(const std::string &item, const Clock &clock,
                                      std::vector<FieldExpr> *defined) {
  Result<std::vector<FieldExpr>> fields = parse_keys(item, clock, defined);
  if (!fields.is_ok()) return fields.status();
  if (fields->size() == 1) return std::move(fields->front());
  return Status::error(fmt::format("{}: it is {} fields, and one is meant", item, fields->size()));
}

}  // namespace

Status compile_job_fields(const PluginJob &job, const Ask &ask, Compiled *compiled) {
  if (Status status = compile_fields(ask, "", compiled); !status.is_ok()) return status;
  const mrc_job &functions = job.functions();
  FieldItems items(functions);
  if (Status status = items.replace_by(ask.plugins.fields); !status.is_ok()) {
    return status.within("--fields");
  }
  for (size_t i = 0; i < functions.fields.count; ++i) {
    const mrc_field &field = functions.fields.at[i];
    const std::string &item = items.items()[i];
    Result<FieldExpr> parsed = parse_item_of_field(item, compiled->clock, &compiled->defined);
    Result<ValueColumn> column = parsed.is_ok() ? typed_column(*parsed, field.type, compiled->clock)
                                                : Result<ValueColumn>(parsed.status());
    if (!column.is_ok()) {
      return column.status().within(item == field.name ? fmt::format("field {}", i + 1)
                                                       : "--fields");
    }
    compiled->program.map.fields.values.push_back(std::move(*column));
  }
  return Status::ok();
}

Status refuse_field_options(const PluginJob &job, const Compiled &compiled) {
  const Verb &run = *find_verb(compiled.job.verb);
  for (const Job::Choice &choice : compiled.job.choices) {
    Ask tried;
    // Options such as --tz say nothing about fields by themselves.
    const bool is_set = find_option(run, choice.option)->set(&tried, choice.value).is_ok();
    if (!is_set || (!tried.reads_fields && tried.plugins.fields.empty())) continue;
    const char *const name = job.functions().name;
    if (job.has_own_splits()) {
      return Status::error(
          fmt::format("{}: {} gets whole inputs, and no fields of records", choice.option, name));
    }
    return Status::error(fmt::format(
        "{0}: {1} gets {2}, and no fields of records; mrc select ... then {1} chooses "
        "them",
        choice.option, name, job.functions().shape == MRC_FIXED ? "records of one size" : "lines"));
  }
  return Status::ok();
}

std::vector<std::string> names_of_records(const mrc_job &job) {
  const Clock clock;
  std::vector<FieldExpr> defined;
  FieldsSpec spec;
  for (const mrc_field &field : fields_of_job(job)) {
    const Result<FieldExpr> parsed = parse_item_of_field(field.name, clock, &defined);
    if (parsed.is_ok()) spec.others.push_back(*parsed);
  }
  std::vector<std::string> names;
  for (const FieldName &name : spec.names()) {
    if (name.number < 0) names.push_back(name.text);
  }
  return names;
}

}  // namespace mrc
