// mrc distinct: prints each line once.
#include "cmd/verb.h"

namespace mrc {
namespace {

const Option kOptions[] = {
    {"-c, --count", nullptr, "print only the number of distinct lines", nullptr,
     set_flag<&Request::program, &Program::counts_rows>, Effect::answer},
    {"--approx", nullptr, "with -c: estimate the number, in 16 KiB per worker (HyperLogLog)",
     nullptr, set_flag<&Request::approx>},
    {"--stable", nullptr, "print lines in the order of their first occurrence", nullptr,
     set_flag<&Request::stable>},
};

// Options of uniq(1).
const Absent kAbsent[] = {
    {"-u, --unique", "for lines that occur once use mrc count --having 'count == 1'"},
    {"-D, --repeated, --all-repeated",
     "for lines that occur more often use mrc count --having 'count > 1'"},
    {"--skip-fields, --skip-chars, --check-chars", "name the fields to compare with -k"},
};

Status prepare(Request *request) {
  Program *program = &request->program;
  program->map.records = MapSpec::Records::lines;
  program->aggregation = {};
  program->shape.key_only = true;
  if (request->approx) {
    if (!program->counts_rows) {
      return Status::error("--approx estimates the number of lines; use it with -c");
    }
    program->stage = &kSketchStage;
  }
  if (request->format == &OutputFormat::uniq)
    return Status::error("--to: uniq prints counts, and there are none");
  KeyShape shape{{{"line"}}};
  if (request->reads_fields) {
    if (Status status = prepare_fields(request); !status.is_ok()) return status;
    if (program->map.fields.keys.empty()) program->map.fields.keys = {whole_record()};
    shape = program->map.fields.key_shape();
    program->shape.line_keys = program->map.fields.keys[0].field.number == 0;
  }
  if (!request->stable) return prepare_output(request, shape);
  if (!request->by.empty()) return Status::error("--stable and --by cannot be used together");
  program->map.values = MapSpec::Values::byte;
  program->map.fields.values = {{}};  // position of the line
  Status status = prepare_output(request, shape);
  program->aggregation = first_aggregation();
  program->order.column = 0;
  return status;
}

}  // namespace

extern const Verb verb_distinct;
const Verb verb_distinct = {
    .name = "distinct",
    .arguments = "[FILE...]",
    .summary = "print each distinct line or field value once",
    .description =
        "Prints each distinct line of the input once, ordered by its bytes. It replaces sort -u,\n"
        "and sorts only the distinct lines. With --stable it keeps the order of the input, as\n"
        "awk '!seen[$0]++' does.\n"
        "\n"
        "With -c it prints only the number of distinct lines. With -c --approx it estimates this\n"
        "number in little memory, and prints the error bound on standard error.\n"
        "\n"
        "With --key it prints the distinct values of fields. With another field option and\n"
        "without --key it prints the distinct records.",
    .examples =
        "  mrc distinct names.txt             the output of LC_ALL=C sort -u names.txt\n"
        "  mrc distinct --stable names.txt    each line where it occurs first\n"
        "  mrc distinct -c clients.txt        the number of distinct lines\n"
        "  mrc distinct -c -k ip access.log   the number of clients\n",
    .options = kOptions,
    .absent = kAbsent,
    .prepare = prepare,
    .reads_fields = true,
};

}  // namespace mrc
