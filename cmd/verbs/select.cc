#include "base/name_index.h"
#include "base/names.h"
#include "base/typed_text.h"
#include "cmd/look.h"
#include "cmd/values.h"
#include "expr/computed_field.h"
#include "output/record_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Returns the names of all fields: the columns of the previous stage, or the fields of the first
// file. It is an error if records may have further fields.
Result<std::vector<std::string>> all_fields(const Request &request) {
  const FormatSpec &format = request.program.map.fields.format;
  if (!format.columns.empty()) return format.columns;
  const std::vector<std::string> &inputs = request.program.inputs;
  const Result<Source> source = examine(inputs[0], request.program.input_command);
  if (!source.is_ok()) return source.status();
  const bool is_pipe = source->stream && source->codec == Codec::none;
  if (inputs[0] == "-" || is_pipe || !source->command.empty()) {
    return Status::error(
        fmt::format("the fields of {} are not known yet; name them by --columns", source->name()));
  }
  const Result<Look> look = look_at(*source, format);
  if (!look.is_ok()) return look.status();
  const Dialect &dialect = look->dialect;
  if (dialect.open) {
    return Status::error(
        fmt::format("records of {} may have any fields; name those that are wanted by -k",
                    dialect.format->name));
  }
  if (dialect.names.empty()) {
    return Status::error(inputs[0] + ": the fields have no names; name them by --columns");
  }
  return dialect.names;
}

std::string quoted(const std::string &name) {
  std::string text = "\"";
  for (const char c : name) text.append(c == '"' ? 2 : 1, c);
  return text + "\"";
}

Status cut_fields(Request *request) {
  const Result<std::vector<std::string>> cut = split_names(request->cut_fields);
  if (!cut.is_ok()) return cut.status();
  const Result<std::vector<std::string>> all = all_fields(*request);
  if (!all.is_ok()) return all.status();
  const NameIndex known(*all), left_out(*cut);
  for (const std::string &name : *cut) {
    if (known.find(name) >= 0) continue;
    return Status::error(fmt::format("no field \"{}\"{}; the fields are {}", name,
                                     did_you_mean(name, *all), fmt::join(*all, ", ")));
  }
  std::vector<FieldExpr> *keys = &request->program.map.fields.keys;
  for (const std::string &name : *all) {
    if (left_out.find(name) >= 0) continue;
    keys->push_back({.field = whole_name(name), .text = quoted(name)});
  }
  return keys->empty() ? Status::error("no field is left to print") : Status::ok();
}

// Parses OLD=NEW.
Status rename_one(const std::string &item, const std::vector<std::string> &columns,
                  const NameIndex &places, std::vector<FieldExpr> *keys) {
  const size_t sign = find_unquoted(item, '=');
  const std::string from = without_quotes(item.substr(0, sign));
  const std::string to = sign == std::string::npos ? "" : without_quotes(item.substr(sign + 1));
  if (to.empty()) return Status::error(fmt::format("\"{}\" is not OLD=NEW", item));
  const i64 column = places.find(from);
  if (column < 0) {
    return Status::error(fmt::format("no column \"{}\"{}; there are {}", from,
                                     did_you_mean(from, columns), fmt::join(columns, ", ")));
  }
  (*keys)[static_cast<size_t>(column)].text = quoted(to);
  return Status::ok();
}

Status rename_columns(Request *request) {
  const Result<std::vector<std::string>> items = split_list(request->renamed);
  if (!items.is_ok()) return items.status();
  std::vector<FieldExpr> *keys = &request->program.map.fields.keys;
  if (keys->empty()) {
    return Status::error("whole records are printed unchanged; choose columns by -k or --cut-not");
  }
  std::vector<std::string> columns;
  for (const FieldExpr &key : *keys) columns.push_back(key.column());
  const NameIndex places(columns);
  for (const std::string &item : *items) {
    if (Status status = rename_one(item, columns, places, keys); !status.is_ok()) return status;
  }
  return Status::ok();
}

// --cut-not makes keys of all fields of the first input but some. --rename gives their columns
// other names. REQUIRES: prepare_fields(), take_inputs()
Status choose_columns(Request *request) {
  if (!request->cut_fields.empty()) {
    if (Status status = cut_fields(request); !status.is_ok()) return status.within("--cut-not");
  }
  if (request->renamed.empty()) return Status::ok();
  Status status = rename_columns(request);
  return status.is_ok() ? status : status.within("--rename");
}

// Returns the kinds of the keys, which JSON needs. A key that is neither a field of the record as
// it is nor computed, such as one of a lookup table, is of unknown kind.
std::vector<SelectedKey> know_keys(const Request &request) {
  std::vector<SelectedKey> keys;
  for (const FieldExpr &key : request.program.map.fields.keys) {
    const FieldExpr *copied = key.computed ? key.computed->copied() : nullptr;
    const FieldExpr &read = copied == nullptr ? key : *copied;
    const bool is_looked_up = std::ranges::any_of(
        request.program.lookups, [&](const Lookup &lookup) { return lookup.has(read.field); });
    const bool is_read = read.is_plain() && read.field.number != 0 && !is_looked_up;
    const bool is_known = is_read || key.computed;
    const FieldKind kind = is_known ? kind_of_field(key, request.clock) : FieldKind();
    if (is_read) depend_on_kind(read, kind, request.clock);
    keys.push_back({kind.kind, is_read});
  }
  return keys;
}

// mrc select: prints records, or fields of them, in the order of the input.

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
    program->shape.header = request->header_out != Request::When::never;
    spec.shape.header = program->shape.header;
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
