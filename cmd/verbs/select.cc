// mrc select: prints records, or fields of them, in the order of the input.
#include "base/names.h"
#include "cmd/select_columns.h"
#include "cmd/values.h"
#include "output/select_text.h"

namespace mrc {
namespace {

const Option kOptions[] = {
    kLookupOption,
    {"--cut-not", "FIELDS", "print all fields but these", nullptr,
     set_text<"needs the name of a field", &Request::cut_fields>, Effect::answer, false, true},
    {"--rename", "OLD=NEW,...", "give columns other names", nullptr,
     set_text<"needs OLD=NEW", &Request::renamed>, Effect::answer, false, true},
    {"--text", nullptr, "in json: print all values as strings", nullptr,
     set_flag<&Request::all_text>, Effect::answer},
    {"--tail", "N", "print only the last N records", nullptr,
     [](Request *r, const std::string &value) {
       return parse_integer(value, 0, INT64_MAX - 1, &r->last);
     },
     Effect::answer},
    {"--tac", nullptr, "print the last record first", nullptr, set_flag<&Request::reversed>,
     Effect::answer},
};

const Absent kAbsent[] = {
    {"--live, --live-to", "interim answers are of groups; select prints records at once"},
    {"-c, -b, --characters, --bytes", "use -k 'x=substr(line, FROM, LENGTH)'"},
    {"-s, --only-delimited", "select records with -w EXPR"},
    {"--complement", "it is called --cut-not"},
    {"--output-delimiter", "rows are tab-separated; --to csv prints commas"},
};

// Refuses common options that a stream of records cannot support.
Status check(const Request &request) {
  const bool late = request.reversed || request.last < INT64_MAX;
  const bool ordered = !request.by.empty() || request.direction != Request::Direction::natural;
  const struct {
    bool given;
    const char *message;
  } refused[] = {
      {late && request.program.follows, "--tail, --tac: input that is followed has no last record"},
      {late && !request.checkpoint.empty(),
       "--tail, --tac: nothing is printed before the end, so there is nothing to go on after; "
       "leave out --checkpoint"},
      {request.last < INT64_MAX && request.program.order.limit >= 0,
       "--tail, --top: the first records or the last, not both"},
      {!request.key.empty() && !request.cut_fields.empty(),
       "--cut-not, --key: all fields but some, or some, not both"},
      {ordered, "--by, --asc, --desc: records stay in the order of the input; mrc sort sorts them"},
      {request.program.map.ignore_case,
       "--ignore-case is for groups; use -k FIELD:lower for lower case"},
      {request.human, "--human is for tables; select prints values unchanged"},
      {request.style.round.has_value(), "--round is for results; select prints values unchanged"},
      {request.color == Request::When::always, "--color: there are no colors in tsv, csv and json"},
  };
  for (const auto &option : refused) {
    if (option.given) return Status::error(option.message);
  }
  const bool is_whole =
      request.key.empty() && request.cut_fields.empty() && request.program.hands_over;
  if (request.format == nullptr || is_whole) return Status::ok();
  const std::string to = request.format->name;
  if (request.format->field_text == nullptr) {
    return Status::error("--to: " + to +
                         " needs all rows at once; select prints records as they come, as " +
                         list_names(kOutputFormats, "or", &OutputFormat::field_text));
  }
  if (!request.key.empty() || !request.cut_fields.empty()) return Status::ok();
  return Status::error("--to: " + to +
                       " is for fields, which --key names; whole records are printed unchanged");
}

Status prepare(Request *request) {
  if (Status status = check(*request); !status.is_ok()) return status;
  Program *program = &request->program;
  program->stage = &kTextStage;
  if (Status status = prepare_fields(request); !status.is_ok()) return status;
  take_inputs(request);
  if (Status status = choose_columns(request); !status.is_ok()) return status;
  if (request->format == nullptr) request->format = &OutputFormat::tsv;
  if (Status status = choose_format(request); !status.is_ok()) return status;
  SelectSpec spec{program->map.fields, program->shape};
  if (spec.fields.keys.empty()) {
    spec.shape.header = request->header_out != Request::When::never;
    spec.shape.terminator = program->map.terminator;
  }
  spec.all_text = request->all_text;
  if (request->format == &OutputFormat::json) spec.known = know_keys(*request);
  if (program->order.limit >= 0) spec.of_all = program->order.limit;
  spec.last = request->last;
  spec.reversed = request->reversed;
  // A progress line would get mixed up with the records.
  if (program->shape.terminal && request->progress == Request::When::automatic) {
    request->progress = Request::When::never;
  }
  program->transform = make_select(std::move(spec));
  return Status::ok();
}

}  // namespace

extern const Verb verb_select;
const Verb verb_select = {
    .name = "select",
    .arguments = "[FILE...]",
    .summary = "print the records, or fields of them, that a condition selects",
    .description =
        "Prints the records for which --where, --since and --until hold, in the order of the "
        "input.\n"
        "With --key it prints these fields of each record. Without --key it prints the whole\n"
        "record unchanged, after the header of the input if there is one. All cores share the\n"
        "work. Fields have names or numbers in all formats; see mrc-formats(7).\n"
        "\n"
        "A missing field is empty in tsv and csv, and null in json.",
    .examples =
        "  mrc select -w 'status >= 500' access.log           whole lines, as grep prints them\n"
        "  mrc select -k time,path -w 'bytes > 1M and method == \"GET\"' access.log\n"
        "  mrc select -k city,price --to json orders.csv      CSV to JSON\n"
        "  mrc select --since -1h -k time:minute,ip --top 20 access.log\n",
    .options = kOptions,
    .absent = kAbsent,
    .prepare = prepare,
    .reads_fields = true,
};

}  // namespace mrc
