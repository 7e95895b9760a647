// mrc distinct: each line once.
#include "cmd/verb.h"

namespace mrc {
namespace {

const Option kOptions[] = {
    {"-c, --count", nullptr, "print only how many distinct lines there are", nullptr,
     [](Request *r, const std::string &) {
       r->job.answer = Job::Answer::number;
       return Status::ok();
     }},
    {"--approx", nullptr, "with -c: about how many, in 16 KiB of memory (HyperLogLog)", nullptr,
     [](Request *r, const std::string &) {
       r->approx = true;
       return Status::ok();
     }},
    {"--stable", nullptr, "in the order in which lines were first seen", nullptr,
     [](Request *r, const std::string &) {
       r->stable = true;
       return Status::ok();
     }},
};

Status prepare(Request *request) {
  Job *job = &request->job;
  job->map.records = MapSpec::Records::lines;
  job->aggregation = {};
  job->shape.key_only = true;
  if (request->approx) {
    if (job->answer != Job::Answer::number) {
      return Status::error("--approx: lines cannot be estimated, only counted; add -c");
    }
    job->answer = Job::Answer::estimate;
    job->seed = kFixedSeed;
  }
  if (request->format == "uniq") return Status::error("--to: uniq is for counts");
  KeyShape shape{{{"line"}}};
  if (request->reads_fields) {
    if (Status status = prepare_fields(request); !status.is_ok()) return status;
    if (job->map.fields.keys.empty()) job->map.fields.keys = {whole_record()};
    shape = job->map.fields.key_shape();
    job->shape.line_keys = job->map.fields.keys[0].field.number == 0;
  }
  if (!request->stable) return prepare_output(request, shape);
  if (!request->by.empty()) return Status::error("--stable and --by exclude each other");
  job->map.values = MapSpec::Values::byte;
  job->map.fields.values = {{}};  // its position
  Status status = prepare_output(request, shape);
  job->aggregation = first_aggregation();
  job->order.column = 0;
  return status;
}

}  // namespace

extern const Verb verb_distinct;
const Verb verb_distinct = {
    .name = "distinct",
    .arguments = "[FILE...]",
    .summary = "print each distinct line or field value once",
    .description =
        "Prints each distinct line of the input once, in the order of their bytes: sort -u\n"
        "without the sort of the whole input, on all cores. With --stable in the order of the\n"
        "input, as awk '!seen[$0]++' does.\n\n"
        "-c prints only how many there are. -c --approx estimates it, in constant memory;\n"
        "the bound of the error is printed on standard error.",
    .examples =
        "  mrc distinct names.txt             as LC_ALL=C sort -u names.txt\n"
        "  mrc distinct --stable names.txt    the first of each, where it was\n"
        "  mrc distinct -c clients.txt        how many\n",
    .options = kOptions,
    .prepare = prepare,
    .reads_fields = true,
};

}  // namespace mrc
