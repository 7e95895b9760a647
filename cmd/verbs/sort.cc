// mrc sort: prints records in order.
#include "cmd/values.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

SortSpec *spec(Request *request) {
  Program *program = &request->program;
  if (!program->sort) {
    program->sort.emplace();
    program->stage = &kSortStage;
  }
  return &*program->sort;
}

Status set_key(Request *request, const std::string &value) {
  request->key = value;
  return value.empty() ? Status::error("needs a field, or bytes of a record") : Status::ok();
}

const Option kOptions[] = {
    {"-k, --key", "FIELDS",
     "FIELD[:BUCKET] or [NAME=]EXPRESSION, [:num|time|text][:desc]; or BEGIN:END with --record",
     nullptr, set_key, Effect::state, false, true},
    {"-d, -t, --delimiter", "C", "field separator (\\t: a tab); default: runs of blanks", nullptr,
     [](Request *r, const std::string &value) {
       return parse_byte(value, &spec(r)->key.delimiter.emplace());
     }},
    {"-n, --numeric", nullptr, "compare fields without a type, or lines, as numbers", nullptr,
     set_flag<&Request::numeric>},
    {"-r, --reverse", nullptr, "reverse the whole order", nullptr,
     [](Request *r, const std::string &) {
       spec(r)->reverse = true;
       return Status::ok();
     }},
    {"-u, --unique", nullptr, "print only the first of records with equal keys", nullptr,
     [](Request *r, const std::string &) {
       spec(r)->unique = true;
       return Status::ok();
     }},
    {"-s, --stable", nullptr, "keep records with equal keys in the order of the input", nullptr,
     [](Request *r, const std::string &) {
       spec(r)->stable = true;
       return Status::ok();
     }},
    {"-c, --check", nullptr, "check whether the input is sorted; exit status 1 if not", nullptr,
     [](Request *r, const std::string &) {
       spec(r);
       r->program.stage = &kCheckStage;
       return Status::ok();
     }},
    {"--record", "BYTES", "sort binary records of this size", nullptr,
     [](Request *r, const std::string &value) {
       return parse_size(value, &spec(r)->record_bytes);
     }},
    {"--to", "FORMAT", "partial: write sorted records for mrc merge; else records as they were",
     "auto|partial",
     [](Request *r, const std::string &value) {
       r->program.partial.is_wanted = value == "partial";
       return Status::ok();
     },
     Effect::answer},
};

// Options of GNU sort(1), and their replacements.
const Absent kAbsent[] = {
    {"--follow", "the order of records is known when all are there"},
    {"--by, --asc, --desc, --human, --round, --color",
     "it is for columns; mrc sort prints records unchanged"},
    {"--fold-case", "-i folds case"},
    {"-b, --ignore-leading-blanks", "it is not needed; blanks around fields never count"},
    {"-C", "use -c -q to check without a message"},
    {"--numeric-sort", "it is called -n or --numeric"},
    {"--field-separator", "it is called -t, -d or --delimiter"},
    {"--buffer-size", "it is called -S or --memory"},
    {"--temporary-directory", "it is called -T or --tmpdir"},
    {"--parallel", "it is called -j or --threads"},
    {"-g, --general-numeric-sort", "mrc sort does not have it; -n takes numbers without exponents"},
    {"-h, --human-numeric-sort",
     "mrc sort does not compare sizes such as 2K and 1M; help is --help"},
    {"-M, --month-sort", "mrc sort does not have it"},
    {"-V, --version-sort", "mrc sort does not have it; use -k x:version for the field x"},
    {"-R, --random-sort", "mrc sort does not have it; shuf(1) shuffles lines"},
    {"-m, --merge", "mrc sort does not have it; it sorts files that are sorted too"},
    {"--dictionary-order", "mrc sort does not have it"},
    {"--ignore-nonprinting", "mrc sort does not have it"},
    {"--sort", "mrc sort does not have it; -n compares numbers"},
    {"--files0-from", "mrc sort does not have it; use xargs -0"},
    {"--batch-size", "mrc sort does not have it; it merges all runs at once"},
    {"--compress-program", "mrc sort does not have it"},
    {"--random-source", "mrc sort does not have it"},
    {"--debug", "mrc sort does not have it; --explain prints the plan"},
};

void apply_options(const Request &request, SortExpr *expr) {
  if (request.numeric && expr->type == SortExpr::Type::natural && !expr->field.bucket) {
    expr->type = SortExpr::Type::number;
  }
  expr->ignore_case = request.program.map.ignore_case;
}

// Sorts lines by fields with known numbers, for which no reader has to split them. Returns false if
// that is not enough.
bool prepare_lines(const Request &request, const std::vector<SortExpr> &exprs, SortSpec *sort) {
  if (request.reads_fields) return false;
  for (const SortExpr &expr : exprs) {
    std::optional<SortField> field = expr.without_reader();
    if (!field) return false;
    sort->key.fields.push_back(*field);
  }
  return true;
}

// Sorts records of any format. Their header stays in front, unless --header-out says no.
Status prepare_readers(Request *request, std::vector<SortExpr> exprs) {
  SortSpec *sort = spec(request);
  Result<FieldSort> fields = FieldSort::make(std::move(exprs), request->clock);
  if (!fields.is_ok()) return fields.status().within("--key");
  sort->key = {};
  sort->fields = std::move(*fields);
  request->program.map.fields.others = sort->fields->fields();
  request->program.shape.header = request->header_out != Request::When::never;
  request->header_out = Request::When::automatic;
  return Status::ok();
}

Status prepare_keys(Request *request) {
  request->program.map.fields.format.delimiter = spec(request)->key.delimiter;
  const std::string key = std::exchange(request->key, "");  // for parse_sort_exprs() only
  if (Status status = prepare_fields(request); !status.is_ok()) return status;
  std::vector<SortExpr> exprs;
  if (!key.empty()) {
    Result<std::vector<SortExpr>> parsed = parse_sort_exprs(key, request->clock);
    if (!parsed.is_ok()) return parsed.status().within("--key");
    exprs = std::move(*parsed);
  } else if (request->numeric || request->program.map.ignore_case) {
    exprs.push_back({.field = whole_record()});
  }
  for (SortExpr &expr : exprs) apply_options(*request, &expr);
  if (prepare_lines(*request, exprs, spec(request))) {
    request->program.map.records = MapSpec::Records::lines;
    return Status::ok();
  }
  return prepare_readers(request, std::move(exprs));
}

Status prepare_record(Request *request) {
  SortSpec *sort = spec(request);
  if (request->numeric || request->program.map.ignore_case || sort->key.delimiter) {
    return Status::error("--record sorts binary records: it cannot be used with -n, -i or -d");
  }
  if (request->reads_fields) {
    return Status::error("--record sorts binary records: it cannot be used with field options");
  }
  request->program.map.records = MapSpec::Records::lines;
  if (request->key.empty()) return Status::ok();
  Result<ByteRange> range = parse_byte_range(request->key);
  if (!range.is_ok()) return range.status().within("--key");
  if (range->end > sort->record_bytes) {
    return Status::error("--key: " + request->key + " extends past the " +
                         std::to_string(sort->record_bytes) + " bytes of a record");
  }
  sort->range = *range;
  return Status::ok();
}

Status prepare(Request *request) {
  Program *program = &request->program;
  SortSpec *sort = spec(request);
  Status status = sort->record_bytes > 0 ? prepare_record(request) : prepare_keys(request);
  if (!status.is_ok()) return status;
  if (request->header_out != Request::When::automatic) {
    return Status::error("--header-out is for records with fields; lines have no header");
  }
  if (program->stage->makes == Makes::verdict && program->output != "-") {
    return Status::error("--check prints no records: it cannot be used with --output");
  }
  sort->terminator = program->map.terminator;
  program->shape.terminated = sort->record_bytes == 0;
  prepare_records(request);
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
    .prepare = prepare,
    .reads_fields = true,
};

}  // namespace mrc
