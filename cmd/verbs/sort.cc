// mrc sort: prints records in order.
#include "cmd/compile.h"
#include "cmd/values.h"
#include "expr/computed_field.h"
#include "fields/running_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace mrc {
namespace {

const Option kOptions[] = {
    {"-k, --key", "FIELDS",
     "FIELD[:BUCKET] or [NAME=]EXPRESSION, [:num|time|text|random][:desc]; or BEGIN:END with "
     "--record",
     nullptr, set_text<"needs a field, or bytes of a record", &Ask::key>, Effect::state, false,
     true},
    {"-d, -t, --delimiter", "C", "field separator (\\t: a tab); default: runs of blanks", nullptr,
     [](Ask *r, const std::string &value) {
       return parse_byte(value, &r->sort.delimiter.emplace());
     }},
    {"-n, --numeric", nullptr, "compare fields without a type, or lines, as numbers", nullptr,
     set_flag<&Ask::sort, &AskedSort::numeric>},
    {"-h, --human-numeric-sort", nullptr,
     "compare fields without a type, or the first one, as sizes: 2K, 1.5G", nullptr,
     set_flag<&Ask::sort, &AskedSort::sizes>},
    {"-V, --version-sort", nullptr,
     "compare fields without a type, or the first one, as versions: 1.10.2", nullptr,
     set_flag<&Ask::sort, &AskedSort::versions>},
    {"-R, --random-sort", nullptr,
     "shuffle: compare fields without a type, or lines, by a hash; equal ones stay together",
     nullptr, set_flag<&Ask::shuffles>},
    {"--seed", "NUMBER", "with -R or :random: another order than that of the default, 0", nullptr,
     set_integer<0, INT64_MAX, &Ask::select, &AskedSelect::seed>},
    {"-r, --reverse", nullptr, "reverse the whole order", nullptr,
     set_flag<&Ask::sort, &AskedSort::reverse>},
    {"-u, --unique", nullptr, "print only the first of records with equal keys", nullptr,
     set_flag<&Ask::sort, &AskedSort::unique>},
    {"-s, --stable", nullptr, "keep records with equal keys in the order of the input", nullptr,
     set_flag<&Ask::stable>},
    {"-c, --check", nullptr, "check whether the input is sorted; exit status 1 if not", nullptr,
     set_flag<&Ask::sort, &AskedSort::checks>},
    {"--record", "BYTES", "sort binary records of this size", nullptr,
     set_size<&Ask::sort, &AskedSort::record_bytes>},
    {"--to", "FORMAT", "partial: write sorted records for mrc merge; else records as they were",
     "auto|partial",
     [](Ask *r, const std::string &value) {
       r->run.partial.is_wanted = value == "partial";
       return Status::ok();
     },
     Effect::answer},
};

// Options of GNU sort(1), and their replacements.
const Absent kAbsent[] = {
    {"--by, --asc, --desc, --human, --round, --color",
     "it is for columns; mrc sort prints records unchanged"},
    {"--each, --stack",
     "mrc sort prints records unchanged; make them by mrc select --each FIELD -k FIELDS, then "
     "sort"},
    {"--order", "-k FIELDS is the order of the records"},
    {"--fold-case", "-i folds case"},
    {"-b, --ignore-leading-blanks", "it is not needed; blanks around fields never count"},
    {"-C", "use -c -q to check without a message"},
    {"--numeric-sort", "it is called -n or --numeric"},
    {"--field-separator", "it is called -t, -d or --delimiter"},
    {"--buffer-size", "it is called -S or --memory"},
    {"--temporary-directory", "it is called -T or --tmpdir"},
    {"--parallel", "it is called -j or --threads"},
    {"-g, --general-numeric-sort", "mrc sort does not have it; -n takes numbers without exponents"},
    {"-M, --month-sort", "mrc sort does not have it"},
    {"-m, --merge", "mrc sort does not have it; it sorts files that are sorted too"},
    {"--dictionary-order", "mrc sort does not have it"},
    {"--ignore-nonprinting", "mrc sort does not have it"},
    {"--sort", "mrc sort does not have it; -n compares numbers"},
    {"--files0-from", "mrc sort does not have it; use xargs -0"},
    {"--batch-size", "mrc sort does not have it; it merges all runs at once"},
    {"--compress-program", "mrc sort does not have it"},
    {"--random-source", "mrc sort -R takes a number, --seed NUMBER"},
    {"--debug", "mrc sort does not have it; --explain prints the plan"},
};

// A key that has neither a type nor a bucket gets that of the options.
void apply_options(const Ask &ask, const Clock &clock, SortExpr *expr) {
  const bool is_open = expr->type == SortExpr::Type::natural && !expr->field.bucket;
  if (is_open && ask.sort.sizes) expr->field.bucket = *parse_bucket("size", clock);
  if (is_open && ask.sort.versions) expr->field.bucket = *parse_bucket("version", clock);
  if (is_open && ask.sort.numeric) expr->type = SortExpr::Type::number;
  if (is_open && ask.shuffles) expr->type = SortExpr::Type::random;
  if (expr->type == SortExpr::Type::random) {
    expr->order = make_random_order(static_cast<u64>(ask.select.seed), ask.ignore_case);
  }
  expr->ignore_case = ask.ignore_case;
}

// Sorts lines by fields with known numbers, for which no reader has to split them. Returns false if
// that is not enough.
bool compile_lines(const std::vector<SortExpr> &exprs, SortSpec *sort) {
  for (const SortExpr &expr : exprs) {
    std::optional<SortField> field = expr.without_reader();
    if (!field) return false;
    sort->key.fields.push_back(*field);
  }
  return true;
}

bool reads_running(const SortExpr &expr) {
  return expr.field.computed && std::ranges::any_of(expr.field.computed->fields(), is_running);
}

// True if the first key is group(), and no other key or condition looks at earlier records.
bool begins_with_groups(const Ask &ask, const std::vector<SortExpr> &exprs,
                        const Compiled &compiled) {
  const Program &program = compiled.program;
  const RunningField *group = compiled.running->only_group();
  if (group == nullptr || compiled.later || exprs.empty() || !exprs[0].field.computed) return false;
  if (ask.sort.checks || ask.sort.reverse || program.order.limit >= 0) return false;
  if (program.tile_bytes != 0 || program.tiling == Tiling::cache) return false;
  using Type = SortExpr::Type;
  const SortExpr &first = exprs[0];
  const bool is_group = first.field.computed->expression().typed == group->name.text &&
                        !first.descending && !first.field.bucket &&
                        (first.type == Type::natural || first.type == Type::number);
  return is_group && std::none_of(exprs.begin() + 1, exprs.end(), reads_running);
}

// Numbers groups while records are sorted, for which no worker waits for others.
void take_groups(std::vector<SortExpr> *exprs, Compiled *compiled) {
  compiled->program.sort->groups = std::move(compiled->running->keys);
  compiled->running->fields.clear();
  exprs->erase(exprs->begin());
}

// Sorts records of any format. Their header stays in front, unless --header-out says no.
Status compile_readers(const Ask &ask, std::vector<SortExpr> exprs, Compiled *compiled) {
  Program *program = &compiled->program;
  SortSpec *sort = &*program->sort;
  if (begins_with_groups(ask, exprs, *compiled)) take_groups(&exprs, compiled);
  Result<FieldSort> fields = FieldSort::make(std::move(exprs), compiled->clock);
  if (!fields.is_ok()) return fields.status().within("--key");
  sort->key = {};
  sort->fields = std::move(*fields);
  program->map.fields.others = sort->fields->fields();
  std::ranges::copy(sort->groups, std::back_inserter(program->map.fields.others));
  program->shape.header = ask.display.header != When::never;
  return Status::ok();
}

// True for a key that may ask for a random order; only the parsed one tells.
bool may_be_random(const std::string &key) { return key.find(":random") != key.npos; }

Status no_random_order() {
  return Status::error("--seed is for a random order, which -R asks for, or FIELD:random");
}

Status compile_keys(const Ask &ask, Compiled *compiled) {
  Program *program = &compiled->program;
  FormatSpec *format = &program->map.fields.format;
  format->delimiter = program->sort->key.delimiter = ask.sort.delimiter;
  // Numbers of fields count what blanks separate, as they do without sizes.
  const bool has_numbers = ask.key.empty() || is_digit(ask.key[0]);
  const bool has_form = ask.sort.sizes || ask.sort.versions;
  const bool is_random = ask.shuffles || may_be_random(ask.key);
  if ((has_form || is_random) && has_numbers && !ask.reads_fields) {
    format->format = has_form || !ask.key.empty() ? &LineFormat::fields : &LineFormat::lines;
  }
  if (Status status = compile_fields(ask, "", compiled); !status.is_ok()) return status;
  std::vector<SortExpr> exprs;
  if (!ask.key.empty()) {
    Result<std::vector<SortExpr>> parsed =
        parse_sort_exprs(keys_of(ask.input, ask.key), compiled->clock);
    if (!parsed.is_ok()) return parsed.status().within("--key");
    exprs = std::move(*parsed);
  } else if (has_form) {
    exprs.push_back({.field = {.field = {"1", 1}, .text = "1"}});
  } else if (ask.sort.numeric || ask.shuffles || ask.ignore_case) {
    exprs.push_back({.field = whole_record()});
  }
  for (SortExpr &expr : exprs) apply_options(ask, compiled->clock, &expr);
  const bool is_seeded = ask.select.seed != 0;
  if (is_seeded &&
      std::ranges::find(exprs, SortExpr::Type::random, &SortExpr::type) == exprs.end()) {
    return no_random_order();
  }
  if (ask.reads_fields || !compile_lines(exprs, &*program->sort)) {
    return compile_readers(ask, std::move(exprs), compiled);
  }
  program->map.records = MapSpec::Records::lines;
  return Status::ok();
}

Status compile_record(const Ask &ask, SortSpec *sort) {
  if (ask.sort.numeric || ask.shuffles || ask.ignore_case || ask.sort.delimiter) {
    return Status::error("--record sorts binary records: it cannot be used with -n, -R, -i or -d");
  }
  if (ask.reads_fields) {
    return Status::error("--record sorts binary records: it cannot be used with field options");
  }
  if (ask.key.empty()) return Status::ok();
  Result<ByteRange> range = parse_byte_range(ask.key);
  if (!range.is_ok()) return range.status().within("--key");
  if (range->end > sort->record_bytes) {
    return Status::error("--key: " + ask.key + " extends past the " +
                         std::to_string(sort->record_bytes) + " bytes of a record");
  }
  sort->range = *range;
  return Status::ok();
}

Status check_one_order(const Ask &ask) {
  const AskedSort &sort = ask.sort;
  if (sort.numeric + sort.sizes + sort.versions + ask.shuffles > 1) {
    return Status::error(
        "--numeric, --human-numeric-sort, --version-sort, --random-sort: numbers, sizes, versions "
        "or "
        "a random order, not several");
  }
  if (ask.select.seed == 0 || ask.shuffles || may_be_random(ask.key)) return Status::ok();
  return no_random_order();
}

Status compile_sort(const Ask &ask, Compiled *compiled) {
  Program *program = &compiled->program;
  program->stage = ask.sort.checks ? &kCheckStage : &kSortStage;
  program->map.records = MapSpec::Records::lines;
  if (ask.sort.record_bytes > 0) program->map.record_bytes = ask.sort.record_bytes;
  program->shape.terminated = program->map.record_bytes == 0;
  SortSpec *sort = &program->sort.emplace();
  sort->reverse = ask.sort.reverse;
  sort->unique = ask.sort.unique;
  sort->stable = ask.stable;
  sort->record_bytes = program->map.record_bytes;
  sort->terminator = program->map.terminator;
  Status status =
      ask.sort.record_bytes > 0 ? compile_record(ask, sort) : compile_keys(ask, compiled);
  if (!status.is_ok()) return status;
  if (ask.display.header != When::automatic && !sort->fields) {
    return Status::error("--header-out is for records with fields; lines have no header");
  }
  if (Status one = check_one_order(ask); !one.is_ok()) return one;
  if (ask.sort.checks && program->output != "-") {
    return Status::error("--check prints no records: it cannot be used with --output");
  }
  return Status::ok();
}

}  // namespace

extern const Verb verb_sort;
const Verb verb_sort = {
    .name = "sort",
    .arguments = "[FILE...]",
    .summary = "sort lines or records",
    .description =
        "Prints the lines of the input, sorted by their bytes, as LC_ALL=C sort does, on all\n"
        "cores. -k sorts by fields: FIELD[:num][:desc], separated by commas. Lines with equal\n"
        "keys are sorted by the whole line, unless -s is given.\n"
        "\n"
        "If a field has a name, or a field option is given, mrc sort reads records of any format,\n"
        "by the kinds of their fields: FIELD[:BUCKET][:num|:time|:text][:desc]. It prints them\n"
        "unchanged, after the header of the input if there is one; see mrc-formats(7).\n"
        "\n"
        "--record sorts records of a fixed size instead of lines. The key is a range of bytes,\n"
        "counted from 0: --record 100 --key 0:10.",
    .examples =
        "  mrc sort names.txt                      the output of LC_ALL=C sort names.txt\n"
        "  mrc sort -k 3:num:desc -d , data.csv    by the third column, largest first\n"
        "  mrc sort -k city,price:desc orders.csv  by columns of a CSV file with a header\n"
        "  mrc sort -k time -w 'status >= 500' access.log\n"
        "  mrc sort --record 100 -k 0:10 -o out in binary records by their first ten bytes\n",
    .options = kOptions,
    .absent = kAbsent,
    .compile = compile_sort,
    .reads_fields = true,
};

}  // namespace mrc
