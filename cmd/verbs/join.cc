// mrc join: joins records of two inputs that have a key in common.
#include "base/names.h"
#include "base/text.h"
#include "base/typed_text.h"
#include "cmd/field_options.h"
#include "cmd/look.h"
#include "cmd/values.h"

#include <fmt/format.h>

namespace mrc {
namespace {

JoinSpec *spec(Request *request) {
  Program *program = &request->program;
  if (!program->join) program->join.emplace();
  program->stage = &kJoinStage;
  return &*program->join;
}

template <JoinKind kKind>
Status set_kind(Request *request, const std::string &) {
  JoinKind *kind = &spec(request)->kind;
  if (*kind != JoinKind::inner && *kind != kKind) {
    return Status::error("--left, --full, --anti and --semi exclude each other");
  }
  *kind = kKind;
  return Status::ok();
}

// The fields are parsed when the time zone is known.
template <Side kSide>
Status set_fields(Request *request, const std::string &value) {
  (kSide == kLeft ? request->left_fields : request->right_fields) = value;
  return value.empty() ? Status::error("needs the name or number of a field") : Status::ok();
}

FormatSpec *format_of_right(Request *request) { return &spec(request)->inputs[kRight].format; }

const Option kOptions[] = {
    {"-k, --key", "FIELDS", "fields to join by; LEFT=RIGHT where their names differ", nullptr,
     [](Request *r, const std::string &value) {
       r->key = value;
       return value.empty() ? Status::error("needs the name or number of a field") : Status::ok();
     },
     Effect::state, false, true},
    {"--left", nullptr, "also print records of LEFT without a partner", nullptr,
     set_kind<JoinKind::left>},
    {"--full", nullptr, "also print records of both inputs without a partner", nullptr,
     set_kind<JoinKind::full>},
    {"--anti", nullptr, "print only the records of LEFT without a partner", nullptr,
     set_kind<JoinKind::anti>},
    {"--semi", nullptr, "print only the records of LEFT with a partner, each once", nullptr,
     set_kind<JoinKind::semi>},
    {"--stable", nullptr, "keep the order of LEFT; default: the order of the keys", nullptr,
     [](Request *r, const std::string &) {
       spec(r)->stable = true;
       return Status::ok();
     }},
    {"--left-fields", "FIELDS", "fields of LEFT to print after the key; default: all", nullptr,
     set_fields<kLeft>, Effect::state, false, true},
    {"--right-fields", "FIELDS", "fields of RIGHT to print; default: all but the key", nullptr,
     set_fields<kRight>, Effect::state, false, true},
    {"--right-from", "FORMAT", "format of RIGHT; --from is about LEFT", format_choices(),
     [](Request *r, const std::string &value) { return choose_input(value, format_of_right(r)); },
     Effect::state, false, false, false,
     [](Request *r, const std::string &value) {
       return meaning_of_format(value, &format_of_right(r)->pattern_name);
     }},
    {"--right-regex", "RE", "take the named groups of RE as fields of RIGHT", nullptr,
     [](Request *r, const std::string &value) {
       format_of_right(r)->regex = value;
       return value.empty() ? Status::error("needs a regular expression") : Status::ok();
     }},
    {"--right-delimiter", "C", "field separator of RIGHT", nullptr,
     [](Request *r, const std::string &value) {
       return parse_byte(value, &format_of_right(r)->delimiter.emplace());
     }},
    {"--right-header-in", "WHEN", "whether the first record of RIGHT names the fields",
     "auto|yes|no",
     [](Request *r, const std::string &value) {
       std::optional<bool> *header = &format_of_right(r)->header;
       *header = value == "auto" ? std::nullopt : std::optional(value == "yes");
       r->right_header = true;
       return Status::ok();
     }},
    {"--right-columns", "NAMES", "names of the fields of RIGHT, in order", nullptr,
     [](Request *r, const std::string &value) {
       Result<std::vector<std::string>> names = split_names(value);
       if (names.is_ok()) format_of_right(r)->columns = std::move(*names);
       return names.status();
     }},
};

// Options of join(1), and of other jobs.
const Absent kAbsent[] = {
    {"--isolate, --unit-timeout", "worker processes hand over groups; join makes none"},
    {"--live, --live-to", "interim answers are of groups; join prints rows of records"},
    {"--state, --state-wait, --state-gone, --state-tiles, --state-last-line",
     "it keeps groups, and join makes none"},
    {"--checkpoint, --checkpoint-every, --resume", "mrc join cannot go on after a crash"},
    {"--follow", "all of RIGHT has to be known"},
    {"-1, -2", "use -k LEFT=RIGHT"},
    {"-t", "use -d C, and --right-delimiter C"},
    {"-a, --unpaired", "use --left, or --full for both inputs"},
    {"-v", "use --anti; to see what RIGHT alone has, name RIGHT first"},
    {"-e", "a missing value is empty in tsv and csv, and null in json"},
    {"--check-order, --nocheck-order", "the inputs may have any order"},
    {"--right", "name the inputs the other way round and use --left"},
    {"--inner", "it is the default"},
    {"--outer", "it is called --full"},
    {"--on", "it is called -k or --key"},
};

// True for the FORMAT of join -o: 0, 1.2 or 2.1, separated by commas.
bool is_list_of_fields(const std::string &text) {
  const Result<std::vector<std::string>> items = split_list(text);
  return items.is_ok() && std::ranges::all_of(*items, [](const std::string &item) {
           const bool has_side = item.starts_with("1.") || item.starts_with("2.");
           return item == "0" || (has_side && is_digits(Bytes(item).substr(2)));
         });
}

Status check(const Request &request) {
  const bool ordered = !request.by.empty() || request.direction != Request::Direction::natural;
  const struct {
    bool given;
    const char *message;
  } refused[] = {
      {request.key.empty(), "name the fields to join by: -k FIELD, or -k LEFT=RIGHT"},
      {is_list_of_fields(request.program.output),
       "--output: it names a file; choose the fields to print with --left-fields and "
       "--right-fields (a file of this name: ./NAME)"},
      {request.arguments.size() != 2, "needs two inputs, LEFT and RIGHT; - is standard input"},
      {ordered,
       "--by, --asc, --desc: rows are in the order of the keys, or, with --stable, in that "
       "of LEFT; mrc sort sorts them"},
      {request.program.map.ignore_case, "--ignore-case is for groups; use -k FIELD:lower"},
      {request.human, "--human is for tables; join prints values unchanged"},
      {request.style.round.has_value(), "--round is for results; join prints values unchanged"},
      {request.color == Request::When::always, "--color: there are no colors in tsv, csv and json"},
  };
  for (const auto &option : refused) {
    if (option.given) return Status::error(option.message);
  }
  if (request.arguments[0] == "-" && request.arguments[1] == "-") {
    return Status::error("only one of the two inputs can be standard input");
  }
  if (request.format == nullptr || request.format->field_text != nullptr) return Status::ok();
  return Status::error(fmt::format("--to: {} needs all rows at once; join prints rows as {}",
                                   request.format->name,
                                   list_names(kOutputFormats, "or", &OutputFormat::field_text)));
}

Status parse_printed(const Request &request, JoinSpec *join) {
  for (const Side side : {kLeft, kRight}) {
    const std::string &text = side == kLeft ? request.left_fields : request.right_fields;
    if (text.empty()) continue;
    const char *option = side == kLeft ? "--left-fields" : "--right-fields";
    if (side == kRight && !join->prints_right()) {
      return Status::error("--right-fields: --anti and --semi print records of LEFT only");
    }
    Result<std::vector<FieldExpr>> fields = parse_fields(text, request.clock);
    if (!fields.is_ok()) return fields.status().within(option);
    join->inputs[side].fields = std::move(*fields);
  }
  return Status::ok();
}

Status prepare(Request *request) {
  if (Status status = check(*request); !status.is_ok()) return status;
  Program *program = &request->program;
  const std::string key = std::exchange(request->key, "");  // for parse_join_keys() only
  if (Status status = prepare_fields(request); !status.is_ok()) return status;
  JoinSpec *join = spec(request);
  if (Status status = parse_join_keys(key, request->clock, join); !status.is_ok()) {
    return status.within("--key");
  }
  if (Status status = parse_printed(*request, join); !status.is_ok()) return status;
  join->inputs[kLeft].format = program->map.fields.format;
  join->inputs[kLeft].filter = program->map.fields.filter;
  FormatSpec *right = &join->inputs[kRight].format;
  right->terminator = program->map.terminator;
  const bool is_free = !right->header && right->format != &LineFormat::rows;
  if (request->both_headers && is_free) right->header = true;
  // If the user says that there is no header, this applies to both inputs, and is valid for formats
  // that never have one.
  if (join->inputs[kLeft].format.header == false && is_free && !request->right_header) {
    right->header = false;
  }
  take_inputs(request);
  if (request->format == nullptr) request->format = &OutputFormat::tsv;
  know_kinds_of_join(request);
  return choose_format(request);
}

}  // namespace

extern const Verb verb_join;
const Verb verb_join = {
    .name = "join",
    .arguments = "LEFT RIGHT",
    .summary = "join the records of two inputs by a key",
    .description =
        "Prints a row for each record of LEFT and each record of RIGHT with the same key: the "
        "key,\n"
        "the other fields of LEFT, and the other fields of RIGHT. The inputs may have any order,\n"
        "and different formats and compressions.\n"
        "\n"
        "Rows are in the order of the keys, as bytes, and of the input within a key. With "
        "--stable\n"
        "they are in the order of LEFT, which is the fastest way if RIGHT fits in memory.\n"
        "\n"
        "--where, --since and --until select records of LEFT before they are joined. A key that "
        "is\n"
        "missing or empty matches nothing.",
    .examples =
        "  mrc join -k ip --stable access.log names.csv          add the fields of names.csv\n"
        "  mrc join -k id=customer --left --to csv people.csv orders.json --right-fields total\n"
        "  mrc join -k ip --anti access.log known.csv            requests of unknown clients\n",
    .options = kOptions,
    .absent = kAbsent,
    .prepare = prepare,
    .reads_fields = true,
    .joins = true,
};

}  // namespace mrc
