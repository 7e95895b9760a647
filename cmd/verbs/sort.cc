// mrc sort: records in order.
#include "cmd/look.h"
#include "cmd/values.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

SortSpec *spec(Request *request) {
  if (!request->job.sort) request->job.sort.emplace();
  return &*request->job.sort;
}

Status set_key(Request *request, const std::string &value) {
  request->key = value;
  return value.empty() ? Status::error("needs a field, or bytes of a record") : Status::ok();
}

const Option kOptions[] = {
    {"-k, --key", "FIELDS", "by FIELD[:BUCKET][:num|time|text][:desc]; BEGIN:END of a --record",
     nullptr, set_key, false, true},
    {"-d, -t, --delimiter", "C", "what separates fields (\\t: a tab); default: runs of blanks",
     nullptr,
     [](Request *r, const std::string &value) {
       return parse_byte(value, &spec(r)->key.delimiter.emplace());
     }},
    {"-n, --numeric", nullptr, "compare as numbers what has no type of its own", nullptr,
     [](Request *r, const std::string &) {
       r->numeric = true;
       return Status::ok();
     }},
    {"-r, --reverse", nullptr, "the other way round", nullptr,
     [](Request *r, const std::string &) {
       spec(r)->reverse = true;
       return Status::ok();
     }},
    {"-u, --unique", nullptr, "of records with equal keys only the first", nullptr,
     [](Request *r, const std::string &) {
       spec(r)->unique = true;
       return Status::ok();
     }},
    {"-s, --stable", nullptr, "equal keys in the order of the input, not by the whole record",
     nullptr,
     [](Request *r, const std::string &) {
       spec(r)->stable = true;
       return Status::ok();
     }},
    {"-c, --check", nullptr, "only find out whether the input is in order; 1 if it is not", nullptr,
     [](Request *r, const std::string &) {
       spec(r)->check = true;
       return Status::ok();
     }},
    {"--record", "BYTES", "records of that size, without line ends", nullptr,
     [](Request *r, const std::string &value) {
       return parse_size(value, &spec(r)->record_bytes);
     }},
};

// What sort(1) of GNU has, and what to do without.
const Absent kAbsent[] = {
    {"--fold-case", "-i folds case"},
    {"-b, --ignore-leading-blanks", "blanks around fields never count"},
    {"-C", "-c -q checks and says nothing"},
    {"--numeric-sort", "it is called -n or --numeric"},
    {"--field-separator", "it is called -t, -d or --delimiter"},
    {"--buffer-size", "it is called -S or --memory"},
    {"--temporary-directory", "it is called -T or --tmpdir"},
    {"--parallel", "it is called -j or --threads"},
    {"-g, --general-numeric-sort", "mrc sort does not have it; -n has no exponents"},
    {"-h, --human-numeric-sort", "mrc sort does not have it; -h is help"},
    {"-M, --month-sort", "mrc sort does not have it"},
    {"-V, --version-sort", "mrc sort does not have it; for 1.10.2 use -d . -k 1:num,2:num,3:num"},
    {"-R, --random-sort", "mrc sort does not have it; shuf(1) shuffles lines"},
    {"-m, --merge", "mrc sort does not have it; it sorts what is in order as well"},
    {"--dictionary-order", "mrc sort does not have it"},
    {"--ignore-nonprinting", "mrc sort does not have it"},
    {"--sort", "mrc sort does not have it; -n compares numbers"},
    {"--files0-from", "mrc sort does not have it; use xargs -0"},
    {"--batch-size", "mrc sort does not have it; all runs are read at once"},
    {"--compress-program", "mrc sort does not have it"},
    {"--random-source", "mrc sort does not have it"},
    {"--debug", "mrc sort does not have it; --explain prints the plan"},
};

void apply_options(const Request &request, SortExpr *expr) {
  if (request.numeric && expr->type == SortExpr::Type::natural && !expr->field.bucket) {
    expr->type = SortExpr::Type::number;
  }
  expr->ignore_case = request.job.map.ignore_case;
}

// Lines, by fields that are known by their numbers: no reader has to cut them. False if that
// is not enough for what is asked.
bool prepare_lines(const Request &request, const std::vector<SortExpr> &exprs, SortSpec *sort) {
  if (request.reads_fields) return false;
  for (const SortExpr &expr : exprs) {
    std::optional<SortField> field = expr.without_reader();
    if (!field) return false;
    sort->key.fields.push_back(*field);
  }
  return true;
}

// "", or that a named field holds numbers and is sorted as text. A type, a bucket or -n would
// have said what is meant.
std::string note_on_numbers(const Request &request) {
  if (request.quiet || !request.job.sort->fields) return "";
  const std::vector<SortExpr> &exprs = request.job.sort->fields->exprs;
  const auto is_plain = [](const SortExpr &expr) {
    return expr.type == SortExpr::Type::natural && !expr.field.bucket &&
           expr.field.field.number < 0;
  };
  if (std::ranges::none_of(exprs, is_plain)) return "";
  const std::optional<FirstFile> file = look_at_first_file(request);
  for (const SortExpr &expr : exprs) {
    const FieldReport *field = file && is_plain(expr) ? file->field(expr.field.field) : nullptr;
    if (field == nullptr || field->type != FieldReport::Type::number) continue;
    return fmt::format(
        "{0} has numbers, which are sorted as text; -k {0}:num sorts them as numbers",
        expr.field.text);
  }
  return "";
}

// Records of any format. Their header stays in front, unless --header-out says no.
void prepare_readers(Request *request, std::vector<SortExpr> exprs) {
  SortSpec *sort = spec(request);
  sort->key = {};
  sort->fields = {std::move(exprs), request->clock};
  request->job.map.fields.keys = sort->fields->fields();
  request->job.shape.header = request->header_out != Request::When::never;
  request->header_out = Request::When::automatic;
}

Status prepare_keys(Request *request) {
  request->job.map.fields.format.delimiter = spec(request)->key.delimiter;
  const std::string key = std::exchange(request->key, "");  // has more than prepare_fields() knows
  if (Status status = prepare_fields(request); !status.is_ok()) return status;
  std::vector<SortExpr> exprs;
  if (!key.empty()) {
    Result<std::vector<SortExpr>> parsed = parse_sort_exprs(key, request->clock);
    if (!parsed.is_ok()) return Status::error("--key: " + parsed.status().message());
    exprs = std::move(*parsed);
  } else if (request->numeric || request->job.map.ignore_case) {
    exprs.push_back({.field = whole_record()});
  }
  for (SortExpr &expr : exprs) apply_options(*request, &expr);
  if (prepare_lines(*request, exprs, spec(request))) {
    request->job.map.records = MapSpec::Records::lines;
  } else {
    prepare_readers(request, std::move(exprs));
  }
  return Status::ok();
}

Status prepare_record(Request *request) {
  SortSpec *sort = spec(request);
  if (request->numeric || request->job.map.ignore_case || sort->key.delimiter) {
    return Status::error("--record is for binary records: -n, -i and -d do not go with it");
  }
  if (request->reads_fields) {
    return Status::error("--record is for binary records: options about fields do not go with it");
  }
  request->job.map.records = MapSpec::Records::lines;
  if (request->key.empty()) return Status::ok();
  Result<ByteRange> range = parse_byte_range(request->key);
  if (!range.is_ok()) return Status::error("--key: " + range.status().message());
  if (range->end > sort->record_bytes) {
    return Status::error("--key: " + request->key + " ends behind the record's " +
                         std::to_string(sort->record_bytes) + " bytes");
  }
  sort->range = *range;
  return Status::ok();
}

Status prepare(Request *request) {
  Job *job = &request->job;
  SortSpec *sort = spec(request);
  Status status = sort->record_bytes > 0 ? prepare_record(request) : prepare_keys(request);
  if (!status.is_ok()) return status;
  if (sort->check && job->output != "-") {
    return Status::error("--check prints no records: --output does not go with it");
  }
  sort->terminator = job->map.terminator;
  job->shape.terminated = sort->record_bytes == 0;
  status = prepare_records(request);
  if (status.is_ok()) request->note = note_on_numbers(*request);
  return status;
}

}  // namespace

extern const Verb verb_sort;
const Verb verb_sort = {
    .name = "sort",
    .arguments = "[FILE...]",
    .summary = "put lines or records in order",
    .description =
        "Prints the lines of the input in the order of their bytes, as LC_ALL=C sort does,\n"
        "on all cores. -k sorts by fields: FIELD[:num][:desc], separated by commas. Lines\n"
        "whose keys are equal are ordered by the whole line, unless -s is given.\n\n"
        "Fields that have names, and options about fields, are for records of any format:\n"
        "FIELD[:BUCKET][:num|:time|:text][:desc]. They are printed as they were, behind the\n"
        "header of the input if that has one; see mrc-formats(7).\n\n"
        "--record sorts records of a fixed size instead of lines, by the bytes that -k\n"
        "names, from 0: --record 100 --key 0:10.",
    .examples =
        "  mrc sort names.txt                      as LC_ALL=C sort names.txt\n"
        "  mrc sort -k 3:num:desc -d , data.csv    by the third column, largest first\n"
        "  mrc sort -k city,price:num orders.csv   by columns of a CSV file with a header\n"
        "  mrc sort -k time -w 'status >= 500' access.log\n"
        "  mrc sort --record 100 -k 0:10 -o out in binary records by their first ten bytes\n",
    .options = kOptions,
    .absent = kAbsent,
    .prepare = prepare,
    .reads_fields = true,
};

}  // namespace mrc
