// Inputs that have parts: archives, databases and inputs of plugins. Each part takes the place of
// an input.
#include "base/setting_name.h"
#include "engine/inner/input_formats.h"
#include "engine/inner/plan_steps.h"
#include "fields/stage_rows.h"
#include "input/collection.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Returns why the program cannot read parts; ok if it can.
Status check_conduct(const Program &program, const Source &source) {
  if (!program.keep.loads_into.empty()) {
    return Status::error(
        fmt::format("{}: {} cannot be told from what is loaded; extract them, and load files",
                    source.name(), source.collection->what()));
  }
  const bool is_kept = !program.keep.path.empty();
  const char *setting = program.follows                         ? "follow"
                        : is_kept && program.keep.is_checkpoint ? "checkpoint"
                        : is_kept                               ? "state"
                        : program.partial.listed                ? "unit"
                                                                : nullptr;
  if (setting == nullptr) return Status::ok();
  return Status::error(fmt::format("{}: {} is for files, and not for {}; extract them",
                                   source.name(), setting_name(setting),
                                   source.collection->what()));
}

// Refuses settings that say how text is read, for rows that have columns already.
Status check_format(const Program &program, const Source &source) {
  const FormatSpec &spec = format_of(program, source.argument);
  const bool is_set = spec.format != nullptr || spec.delimiter || spec.header.value_or(false) ||
                      !spec.regex.empty() || !spec.pattern.empty() || !spec.binary.empty() ||
                      !spec.record_start.empty() || !spec.columns.empty();
  const bool has_fields = program.map.records == MapSpec::Records::fields;
  if (has_fields && is_set && program.feed.command.empty()) {
    return Status::error(fmt::format("{}: {} have columns; leave out how text is read",
                                     source.name(), source.collection->what()));
  }
  if (program.map.terminator == '\n' && program.map.record_bytes == 0) return Status::ok();
  return Status::error(fmt::format("{}: {} are lines; leave out {}", source.name(),
                                   source.collection->what(), setting_name("zero-terminated")));
}

// Returns the columns that the program reads of rows.
Collection::Rows columns_for(const Program &program, const std::vector<std::string> &columns) {
  if (wants_whole_records(program)) return {.wanted = {}, .are_objects = true};
  if (program.join) return {};
  const bool wants_all = program.map.fields.format.spread.is_wanted();
  Collection::Rows rows{.wanted = std::vector<bool>(columns.size(), wants_all)};
  const std::vector<FieldName> names = read_fields(program.map.fields.names(), program.lookups);
  for (const FieldName &name : names) {
    const i64 place =
        name.number > 0 ? name.number - 1 : std::ranges::find(columns, name.text) - columns.begin();
    if (place < std::ssize(columns)) rows.wanted[static_cast<size_t>(place)] = true;
  }
  return rows;
}

Status refuse_number(const Source &source, const std::vector<Source> &parts) {
  return Status::error(fmt::format("{}: has {} files, and a join reads one; name it, as in {}",
                                   source.name(), parts.size(), parts[0].path));
}

i64 lanes_of(const Plan &plan) {
  i64 lanes = 0;
  for (const Source &source : plan.sources) lanes = std::max(lanes, source.lane + 1);
  return lanes;
}

Status add_all(const Program &program, const Source &source, Plan *plan) {
  if (Status status = check_conduct(program, source); !status.is_ok()) return status;
  Collection &collection = *source.collection;
  const bool are_rows = has_rows(source);
  bool divides = !program.join && program.map.records == MapSpec::Records::fields;
  if (are_rows) {
    if (Status status = check_format(program, source); !status.is_ok()) return status;
    Collection::Rows rows = columns_for(program, collection.columns());
    rows.left_out = numbers_left_out(program, collection, source, plan);
    divides = divides && !rows.are_objects;
    collection.read_rows(std::move(rows));
  }
  Result<std::vector<Source>> parts = collection.split(source, divides);
  if (!parts.is_ok()) {
    plan->unreadable.push_back(parts.status().message());
    return Status::ok();
  }
  if (program.join && parts->size() > 1) return refuse_number(source, *parts);
  const i64 lanes = lanes_of(*plan);
  for (Source &part : *parts) {
    if (part.lane >= 0) part.lane += lanes;
    if (part.binary != nullptr && !takes_binary(program, source.argument)) {
      plan->unreadable.push_back(refuse_member(*part.binary, part.name()).message());
      continue;
    }
    plan->sources.push_back(std::move(part));
  }
  plan->decisions.push_back({"parts", fmt::format("{} of {}", parts->size(), source.name()),
                             are_rows ? "ranges of rows" : "members of the archive"});
  return Status::ok();
}

}  // namespace

void add_parts(const Program &program, const Source &source, Plan *plan) {
  Status status = add_all(program, source, plan);
  if (!status.is_ok() && plan->problem.is_ok()) plan->problem = std::move(status);
}

std::optional<Dialect> dialect_of_part(const Program &program, const Source &source) {
  if (!has_rows(source)) return std::nullopt;
  return dialect_of_rows(source.collection->columns(), wants_whole_records(program),
                         source.collection->what());
}

bool wants_whole_records(const Program &program) {
  if (!program.feed.command.empty()) return true;
  if (program.map.records != MapSpec::Records::fields || !program.bad_path.empty()) return true;
  const Makes makes = program.stage->makes;
  if (makes == Makes::records || makes == Makes::verdict) return true;
  if (makes == Makes::text && program.map.fields.keys.empty()) return true;
  if (program.join) return false;
  const std::vector<FieldName> names = read_fields(program.map.fields.names(), program.lookups);
  return std::ranges::any_of(names, [](const FieldName &name) { return name.number == 0; });
}

}  // namespace mrc
