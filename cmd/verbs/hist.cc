// mrc hist: shows how the numbers of a field are distributed.
#include "cmd/compile.h"
#include "cmd/values.h"

namespace mrc {
namespace {

// There are two bins at least, for numbers on both sides of zero. States have at least as many fine
// bins as the maximum.
constexpr i64 kLeastBins = 2, kMostBins = 1000;

const Option kOptions[] = {
    {"--bins", "N", "maximum number of bins, 2 to 1000; default: 20", nullptr,
     set_integer<kLeastBins, kMostBins, &Ask::histogram, &HistogramSpec::most>, Effect::answer},
    {"--log", nullptr, "use bins that grow: 1 to 2, to 5, to 10, 20, 50, ...", nullptr,
     set_flag<&Ask::histogram, &HistogramSpec::log>},
};

// Options that do not apply, because rows are bins.
const Absent kAbsent[] = {
    {"--by, --asc, --desc, --top", "bins are always in the order of their numbers"},
    {"-k, --key",
     "hist makes one histogram of all records; for one per group use mrc stats -k KEY -a "
     "hist:FIELD"},
};

// Adds the figures below tables and bars. Other formats would keep all numbers for nothing, unless
// the states may end up in a table elsewhere.
Status add_figures(const std::string &field, const Ask &ask, Compiled *compiled) {
  Program *program = &compiled->program;
  for (const char *name : {"min", "p50", "p90", "p95", "p99", "max"}) {
    Status status =
        add_aggregate(std::string(name) + ":" + field, compiled->clock, ask.display.style,
                      &program->map.fields.values, &program->aggregation);
    if (!status.is_ok()) return status;
    program->aggregation.columns.back().name = name;
  }
  return Status::ok();
}

Status compile_hist(const Ask &ask, Compiled *compiled) {
  if (compiled->job.operands.empty()) {
    return Status::error(
        "needs a field: mrc hist [OPTIONS] FIELD [FILE...]; mrc fields lists the fields");
  }
  const std::string &field = compiled->job.operands[0];
  if (Status status = compile_fields(ask, ask.key, compiled); !status.is_ok()) return status;
  Result<FieldExpr> expr = parse_field(field, compiled->clock);
  if (!expr.is_ok()) return expr.status();
  Program *program = &compiled->program;
  program->map.fields.values = {{ValueColumn::Kind::number, *expr}};
  program->aggregation = {};
  program->aggregation.parts = {{ask.histogram.log ? &kLogHistogram : &kHistogram}};
  program->aggregation.columns = {histogram_count_column(0)};
  program->shape.histogram = ask.histogram;
  if (Status status = compile_rows(ask, {}, compiled); !status.is_ok()) return status;
  const bool may_show = program->shape.format->has_summary || program->partial.moves_states();
  return may_show ? add_figures(field, ask, compiled) : Status::ok();
}

}  // namespace

extern const Verb verb_hist;
const Verb verb_hist = {
    .name = "hist",
    .arguments = "FIELD [FILE...]",
    .summary = "show how the numbers of a field are distributed",
    .description =
        "Divides the range of the numbers of a field into bins, and prints the ends of each bin "
        "and\n"
        "how many numbers are in it. There are at most 20 bins, all of the same width: 1, 2 or 5\n"
        "times a power of ten. With --log, bins grow with the numbers. With --to bars, each bin "
        "is\n"
        "drawn as a bar. Below bars and tables are the extremes and some percentiles. All figures\n"
        "are exact. A note on standard error says how many records have no number.",
    .examples =
        "  mrc hist bytes --log --to bars access.log    sizes of answers\n"
        "  mrc hist 2 -d ';' --bins 50 stations.txt     temperatures\n"
        "  mrc hist bytes -w 'status < 400' --to json access.log\n",
    .options = kOptions,
    .absent = kAbsent,
    .compile = compile_hist,
    .operands = [](const Ask &) -> i64 { return 1; },
    .operand = "FIELD",
    .reads_fields = true,
};

}  // namespace mrc
