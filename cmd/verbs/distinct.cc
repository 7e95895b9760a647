// mrc distinct: prints each line once.
#include "cmd/compile.h"

namespace mrc {
namespace {

const Option kOptions[] = {
    {"-c, --count", nullptr, "print only the number of distinct lines", nullptr,
     set_flag<&Ask::counts_rows>, Effect::answer},
    {"--approx", nullptr, "with -c: estimate the number, in 16 KiB per worker (HyperLogLog)",
     nullptr, set_flag<&Ask::approx>},
    {"--stable", nullptr, "print lines in the order of their first occurrence", nullptr,
     set_flag<&Ask::stable>},
};

// Options of uniq(1).
const Absent kAbsent[] = {
    {"-u, --unique", "for lines that occur once use mrc count --having 'count == 1'"},
    {"-D, --repeated, --all-repeated",
     "for lines that occur more often use mrc count --having 'count > 1'"},
    {"--order", "mrc sort -k FIELDS then distinct --stable"},
    {"--skip-fields, --skip-chars, --check-chars", "name the fields to compare with -k"},
};

Status compile_distinct(const Ask &ask, Compiled *compiled) {
  Program *program = &compiled->program;
  program->map.records = MapSpec::Records::lines;
  program->aggregation = {};
  program->counts_rows = ask.counts_rows;
  program->shape.key_only = true;
  if (ask.approx) {
    if (!ask.counts_rows) {
      return Status::error("--approx estimates the number of lines; use it with -c");
    }
    program->stage = &kSketchStage;
  }
  if (ask.display.format == &OutputFormat::uniq)
    return Status::error("--to: uniq prints counts, and there are none");
  KeyShape shape{{{"line"}}};
  if (ask.reads_fields) {
    if (Status status = compile_fields(ask, ask.key, compiled); !status.is_ok()) return status;
    if (program->map.fields.keys.empty()) program->map.fields.keys = {whole_record()};
    shape = program->map.fields.key_shape();
    program->shape.line_keys = program->map.fields.keys[0].field.number == 0;
  }
  if (!ask.stable) return compile_rows(ask, shape, compiled);
  if (!ask.by.empty()) return Status::error("--stable and --by cannot be used together");
  program->map.values = MapSpec::Values::byte;
  program->map.fields.values = {{}};  // position of the line
  Status status = compile_rows(ask, shape, compiled);
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
    .compile = compile_distinct,
    .reads_fields = true,
};

}  // namespace mrc
