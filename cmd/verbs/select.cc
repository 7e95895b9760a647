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
Result<std::vector<std::string>> all_fields(const Program &program) {
  const FormatSpec &format = program.map.fields.format;
  if (!format.columns.empty()) return format.columns;
  const std::vector<std::string> &inputs = program.inputs;
  const Result<Source> source = examine(inputs[0], program.input_command);
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

Status cut_fields(const std::string &fields, Program *program) {
  const Result<std::vector<std::string>> cut = split_names(fields);
  if (!cut.is_ok()) return cut.status();
  const Result<std::vector<std::string>> all = all_fields(*program);
  if (!all.is_ok()) return all.status();
  const NameIndex known(*all), left_out(*cut);
  for (const std::string &name : *cut) {
    if (known.find(name) >= 0) continue;
    return Status::error(fmt::format("no field \"{}\"{}; the fields are {}", name,
                                     did_you_mean(name, *all), fmt::join(*all, ", ")));
  }
  std::vector<FieldExpr> *keys = &program->map.fields.keys;
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

Status rename_columns(const std::string &names, Program *program) {
  const Result<std::vector<std::string>> items = split_list(names);
  if (!items.is_ok()) return items.status();
  std::vector<FieldExpr> *keys = &program->map.fields.keys;
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
// other names. REQUIRES: compile_fields()
Status choose_columns(const AskedSelect &ask, Program *program) {
  if (!ask.cut_fields.empty()) {
    Status status = cut_fields(ask.cut_fields, program);
    if (!status.is_ok()) return status.within("--cut-not");
  }
  if (ask.renamed.empty()) return Status::ok();
  Status status = rename_columns(ask.renamed, program);
  return status.is_ok() ? status : status.within("--rename");
}

// Returns the kinds of the keys, which JSON needs. A key that is neither a field of the record as
// it is nor computed, such as one of a lookup table, is of unknown kind.
std::vector<SelectedKey> know_keys(const Program &program, const Clock &clock) {
  std::vector<SelectedKey> keys;
  for (const FieldExpr &key : program.map.fields.keys) {
    const FieldExpr *copied = key.computed ? key.computed->copied() : nullptr;
    const FieldExpr &read = copied == nullptr ? key : *copied;
    const bool is_looked_up = std::ranges::any_of(
        program.lookups, [&](const Lookup &lookup) { return lookup.has(read.field); });
    const bool is_read = read.is_plain() && read.field.number != 0 && !is_looked_up;
    const bool is_known = is_read || key.computed;
    const FieldKind kind = is_known ? kind_of_field(key, clock) : FieldKind();
    if (is_read) depend_on_kind(read, kind, clock);
    keys.push_back({kind.kind, is_read});
  }
  return keys;
}

// mrc select: prints records, or fields of them, in the order of the input.

const Option kOptions[] = {
    kLookupOption,
    {"--cut-not", "FIELDS", "print all fields but these", nullptr,
     set_text<"needs the name of a field", &Ask::select, &AskedSelect::cut_fields>, Effect::answer,
     false, true},
    {"--rename", "OLD=NEW,...", "give columns other names", nullptr,
     set_text<"needs OLD=NEW", &Ask::select, &AskedSelect::renamed>, Effect::answer, false, true},
    {"--text", nullptr, "in json: print all values as strings", nullptr,
     set_flag<&Ask::select, &AskedSelect::all_text>, Effect::answer},
    {"--tail", "N", "print only the last N records", nullptr,
     set_integer<0, INT64_MAX - 1, &Ask::select, &AskedSelect::last>, Effect::answer},
    {"--tac", nullptr, "print the last record first", nullptr,
     set_flag<&Ask::select, &AskedSelect::reversed>, Effect::answer},
};

const Absent kAbsent[] = {
    {"-c, -b, --characters, --bytes", "use -k 'x=substr(line, FROM, LENGTH)'"},
    {"-s, --only-delimited", "select records with -w EXPR"},
    {"--complement", "it is called --cut-not"},
    {"--output-delimiter", "rows are tab-separated; --to csv prints commas"},
};

// Refuses common options that a stream of records cannot support.
Status check(const Ask &ask) {
  const bool ordered = !ask.by.empty() || ask.direction != Ask::Direction::natural;
  const Refusal refused[] = {
      {ask.select.last < INT64_MAX && ask.top >= 0,
       "--tail, --top: the first records or the last, not both"},
      {!ask.key.empty() && !ask.select.cut_fields.empty(),
       "--cut-not, --key: all fields but some, or some, not both"},
      {ordered, "--by, --asc, --desc: records stay in the order of the input; mrc sort sorts them"},
      {ask.ignore_case, "--ignore-case is for groups; use -k FIELD:lower for lower case"},
      {ask.display.human, "--human is for tables; select prints values unchanged"},
      {ask.display.style.round.has_value(),
       "--round is for results; select prints values unchanged"},
      {ask.display.color == When::always, "--color: there are no colors in tsv, csv and json"},
  };
  if (Status status = refuse(refused); !status.is_ok()) return status;
  const OutputFormat *format = ask.display.format;
  const bool has_fields = !ask.key.empty() || !ask.select.cut_fields.empty();
  if (format == nullptr || (!has_fields && ask.run.hands_over)) return Status::ok();
  const std::string to = format->name;
  if (format->field_text == nullptr) {
    return Status::error("--to: " + to +
                         " needs all rows at once; select prints records as they come, as " +
                         list_names(kOutputFormats, "or", &OutputFormat::field_text));
  }
  if (has_fields) return Status::ok();
  return Status::error("--to: " + to +
                       " is for fields, which --key names; whole records are printed unchanged");
}

Status compile_select(const Ask &ask, Compiled *compiled) {
  if (Status status = check(ask); !status.is_ok()) return status;
  Program *program = &compiled->program;
  program->stage = &kTextStage;
  const OutputFormat *format = ask.display.format ? ask.display.format : &OutputFormat::tsv;
  Status status = compile_fields(ask, ask.key, compiled);
  if (status.is_ok()) status = choose_columns(ask.select, program);
  if (status.is_ok()) status = choose_format(ask, format, compiled);
  if (!status.is_ok()) return status;
  SelectSpec spec{program->map.fields, program->shape};
  if (spec.fields.keys.empty()) {
    program->shape.header = ask.display.header != When::never;
    spec.shape.header = program->shape.header;
    spec.shape.terminator = program->map.terminator;
  }
  spec.all_text = ask.select.all_text;
  if (format == &OutputFormat::json) spec.known = know_keys(*program, compiled->clock);
  if (ask.top >= 0) spec.of_all = ask.top;
  spec.last = ask.select.last;
  spec.reversed = ask.select.reversed;
  keep_lines_alone(compiled);
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
    .compile = compile_select,
    .reads_fields = true,
};

}  // namespace mrc
