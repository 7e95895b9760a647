// mrc stats: aggregates of fields, by groups.
#include "cmd/verb.h"
#include "combine/aggregates.h"

#include <fmt/format.h>

#include <iterator>

namespace mrc {
namespace {

const Option kOptions[] = {
    {"-a, --aggregate", "LIST", "what to compute: FUNC[:FIELD[:BUCKET]], separated by commas",
     nullptr,
     [](Request *r, const std::string &value) {
       r->aggregates = value;
       return value.empty() ? Status::error("needs an aggregate, such as count") : Status::ok();
     },
     false, true},
    {"--total", nullptr, "with -k: a last row, of all groups together", nullptr,
     [](Request *r, const std::string &) {
       r->job.total = true;
       return Status::ok();
     }},
};

Status add_aggregates(Request *request) {
  Job *job = &request->job;
  job->aggregation = {};
  Result<std::vector<std::string>> list =
      split_list(request->aggregates.empty() ? "count" : request->aggregates);
  if (!list.is_ok()) return Status::error("--aggregate: " + list.status().message());
  for (const std::string &text : *list) {
    Status status = add_aggregate(text, request->clock, request->style, &job->map.fields.values,
                                  &job->aggregation);
    if (!status.is_ok()) return Status::error("--aggregate: " + status.message());
  }
  return Status::ok();
}

Status prepare(Request *request) {
  if (Status status = prepare_fields(request); !status.is_ok()) return status;
  if (Status status = add_aggregates(request); !status.is_ok()) return status;
  Job *job = &request->job;
  if (Status status = prepare_output(request, job->map.fields.key_shape()); !status.is_ok()) {
    return status;
  }
  job->total = job->total && !job->map.fields.keys.empty();  // else there is but one row
  if (job->total && job->shape.format == Format::bars) {
    return Status::error("--total: its bar would leave no room for the others; --to table");
  }
  return Status::ok();
}

std::string list_aggregates() {
  std::string text = "Aggregates:\n";
  for (const AggregateHelp &each : aggregate_help()) {
    fmt::format_to(std::back_inserter(text), "  {:<12}{}\n", each.name, each.what);
  }
  return text;
}

}  // namespace

extern const Verb verb_stats;
const Verb verb_stats = {
    .name = "stats",
    .arguments = "[FILE...]",
    .summary = "compute aggregates of fields, by groups",
    .description =
        "Groups records by the fields of --key, and prints for each group what --aggregate\n"
        "asks for; without --key all records are one group. Fields are known by name or by\n"
        "number, whatever the format: logs, CSV, JSON and others are told apart by their\n"
        "first records, see mrc-formats(7). Results are exact, and the same with any number\n"
        "of threads; what ends in ~ is an estimate.",
    .examples =
        "  mrc stats -k status -a count,sum:bytes access.log\n"
        "  mrc stats -k path -a p50:bytes,p99:bytes --by p99:bytes --top 20 access.log\n"
        "  mrc stats -d ';' -k 1 -a min:2,mean:2,max:2 --round 1 stations.txt\n",
    .options = kOptions,
    .prepare = prepare,
    .reads_fields = true,
    .words = list_aggregates,
};

}  // namespace mrc
