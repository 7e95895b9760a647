#include "cmd/chain_join.h"

#include "engine/stage_records.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Returns the fields of one input that the user has named.
std::vector<FieldName> named_fields(const JoinInput &input) {
  WantedFields wanted(input.filter);
  for (const FieldExpr &key : input.keys) wanted.add(key.field);
  for (const FieldExpr &field : input.fields.value_or(std::vector<FieldExpr>())) {
    wanted.add(field.field);
  }
  return wanted.names();
}

}  // namespace

Result<Side> handed_side(const Request &request) {
  const std::vector<std::string> &inputs = request.arguments;
  if (inputs.size() != 2 || inputs[0] == "-") return kLeft;  // the verb requires two inputs
  if (inputs[1] == "-") return kRight;
  return Status::error(fmt::format(
      "join: one of {} and {} has to be -, the rows of the stage before", inputs[0], inputs[1]));
}

void read_in_join(const FormatSpec &format, Request *request) {
  Program *program = &request->program;
  if (*handed_side(*request) == kLeft) {
    program->map.fields.format = format;
    return;
  }
  if (!program->join) program->join.emplace();
  program->join->inputs[kRight].format = format;
}

FormatSpec *handed_format(Request *request) {
  Program *program = &request->program;
  return program->join ? &program->join->inputs[*handed_side(*request)].format
                       : &program->map.fields.format;
}

std::vector<FieldName> fields_of_join(const Request &request) {
  return named_fields(request.program.join->inputs[*handed_side(request)]);
}

Result<std::shared_ptr<const Plan>> look_at_join(const Request &request, bool is_first) {
  const StageRecords none("", nullptr);
  auto plan =
      std::make_shared<Plan>(make_plan(request.program, nullptr, is_first ? nullptr : &none));
  if (!plan->problem.is_ok()) return plan->problem;
  if (plan->sources.empty()) return Status::error(plan->unreadable.front());
  if (is_first || plan->spools.empty()) return std::shared_ptr<const Plan>(std::move(plan));
  const Side file = *handed_side(request) == kLeft ? kRight : kLeft;
  return Status::error(
      fmt::format("{} is read once, and its columns are wanted before; name them by {}",
                  request.arguments[file], file == kLeft ? "--left-fields" : "--right-fields"));
}

}  // namespace mrc
