#include "cmd/group_heads.h"

#include "cmd/values.h"
#include "combine/first_records.h"

namespace mrc {
namespace {

constexpr i64 kMostRecords = i64{1} << 40;

// Refuses common options that do not apply to whole records.
Status check(const Request &request) {
  const Program &program = request.program;
  const struct {
    bool given;
    const char *message;
  } refused[] = {
      {program.total, "--head, --total: a total has no records; leave one of them out"},
      {request.human, "--human is for columns; --head prints records unchanged"},
      {request.style.round.has_value(), "--round is for columns; --head prints records unchanged"},
      {request.color == Request::When::always,
       "--color is for columns; --head prints records unchanged"},
      {request.format != nullptr && !program.hands_over,
       "--to is for columns; --head prints records unchanged"},
  };
  for (const auto &option : refused) {
    if (option.given) return Status::error(option.message);
  }
  return Status::ok();
}

}  // namespace

constinit const Option kHeadOption = {
    "--head", "N", "print the first N records of each group, and no aggregates", nullptr,
    [](Request *request, const std::string &value) {
      return parse_integer(value, 1, kMostRecords, &request->head);
    }};

Status take_heads(Request *request) {
  if (request->head == 0) return Status::ok();
  if (Status status = check(*request); !status.is_ok()) return status;
  Program *program = &request->program;
  program->shape.records_part = add_first_records(
      whole_record(), request->head, &program->map.fields.values, &program->aggregation);
  program->shape.header = request->header_out != Request::When::never;
  program->shape.terminator = program->map.terminator;
  if (!request->by.empty()) {
    request->note =
        "--by orders the groups; the records of a group are in the order of the input (for the "
        "largest ones first: mrc sort -k FIELD:num:desc then stats --head N)";
  }
  return Status::ok();
}

}  // namespace mrc
