// mrc count: counts how often each line, or each value of fields, occurs.
#include "cmd/compile.h"

namespace mrc {
namespace {

const Option kOptions[] = {kAcrossOption, kHavingOption, kLookupOption, kOrderOption};

// Options of uniq(1).
const Absent kAbsent[] = {
    {"-c, --count", "counts are always printed; --to uniq prints them as uniq -c does"},
    {"-u, --unique", "use --having 'count == 1'"},
    {"-D, --repeated, --all-repeated", "use --having 'count > 1'"},
    {"--skip-fields, --skip-chars, --check-chars", "name the fields to compare with -k"},
};

Status compile_count(const Ask &ask, Compiled *compiled) {
  MapSpec *map = &compiled->program.map;
  map->records = MapSpec::Records::lines;
  if (!ask.reads_fields) return compile_rows(ask, {{{"line"}}}, compiled);
  if (Status status = compile_fields(ask, ask.key, compiled); !status.is_ok()) return status;
  if (map->fields.keys.empty()) map->fields.keys = {whole_record()};
  Status status = compile_rows(ask, map->fields.key_shape(), compiled);
  if (status.is_ok()) status = choose_across(ask, compiled);
  return status.is_ok() ? choose_fill(ask, compiled) : status;
}

}  // namespace

extern const Verb verb_count;
const Verb verb_count = {
    .name = "count",
    .arguments = "[FILE...]",
    .summary = "count how often each line or field value occurs",
    .description =
        "Prints each distinct line of the input and how often it occurs. It replaces\n"
        "sort | uniq -c, and sorts only the distinct lines. CR LF ends a line as LF does, and a\n"
        "byte order mark at the start of an input is not part of its first line.\n"
        "\n"
        "With --key it counts the values of fields. With another field option and without --key\n"
        "it counts whole records.",
    .examples =
        "  mrc count --top 10 queries.log         the ten most frequent lines\n"
        "  mrc count -k status access.log         requests by status\n"
        "  mrc count -k time:hour,method *.log    requests by hour and method\n"
        "  mrc count --to uniq names.txt          the output of sort names.txt | uniq -c\n"
        "  find . -print0 | mrc count -z          lines that end in NUL\n",
    .options = kOptions,
    .absent = kAbsent,
    .compile = compile_count,
    .reads_fields = true,
};

}  // namespace mrc
