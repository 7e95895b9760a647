// mrc join: joins records of two inputs that have a key in common.
#include "base/names.h"
#include "base/text.h"
#include "base/typed_text.h"
#include "cmd/look.h"
#include "cmd/values.h"

#include <fmt/format.h>

namespace mrc {
namespace {

template <JoinKind kKind>
Status set_kind(Ask *ask, const std::string &) {
  JoinKind *kind = &ask->join.kind;
  if (*kind != JoinKind::inner && *kind != kKind) {
    return Status::error("--left, --full, --anti and --semi exclude each other");
  }
  *kind = kKind;
  return Status::ok();
}

const Option kOptions[] = {
    {"-k, --key", "FIELDS", "fields to join by; LEFT=RIGHT where their names differ", nullptr,
     set_text<"needs the name or number of a field", &Ask::key>, Effect::state, false, true},
    {"--left", nullptr, "also print records of LEFT without a partner", nullptr,
     set_kind<JoinKind::left>},
    {"--full", nullptr, "also print records of both inputs without a partner", nullptr,
     set_kind<JoinKind::full>},
    {"--anti", nullptr, "print only the records of LEFT without a partner", nullptr,
     set_kind<JoinKind::anti>},
    {"--semi", nullptr, "print only the records of LEFT with a partner, each once", nullptr,
     set_kind<JoinKind::semi>},
    {"--stable", nullptr, "keep the order of LEFT; default: the order of the keys", nullptr,
     set_flag<&Ask::stable>},
    {"--text", nullptr, "in json: print all values as strings", nullptr,
     set_flag<&Ask::select, &AskedSelect::all_text>, Effect::answer},
    {"--left-fields", "FIELDS", "fields of LEFT to print after the key; default: all", nullptr,
     set_text<"needs the name or number of a field", &Ask::join, &AskedJoin::left_fields>,
     Effect::state, false, true},
    {"--right-fields", "FIELDS", "fields of RIGHT to print; default: all but the key", nullptr,
     set_text<"needs the name or number of a field", &Ask::join, &AskedJoin::right_fields>,
     Effect::state, false, true},
    {"--right-from", "FORMAT", "format of RIGHT; --from is about LEFT", format_choices(),
     [](Ask *r, const std::string &value) { return choose_input(value, &r->join.right); },
     Effect::state, false, false, false,
     [](Ask *r, const std::string &value) {
       return meaning_of_format(value, &r->join.right.pattern_name);
     }},
    {"--right-regex", "RE", "take the named groups of RE as fields of RIGHT", nullptr,
     set_text<"needs a regular expression", &Ask::join, &AskedJoin::right, &FormatSpec::regex>},
    {"--right-binary", "LAYOUT", "read binary records of RIGHT; --binary is about LEFT", nullptr,
     [](Ask *r, const std::string &value) { return choose_layout(value, &r->join.right); }},
    {"--right-record", "BYTES", "read records of RIGHT of this size", nullptr,
     [](Ask *r, const std::string &value) { return choose_record(value, &r->join.right); }},
    {"--right-delimiter", "C", "field separator of RIGHT", nullptr,
     [](Ask *r, const std::string &value) {
       return parse_byte(value, &r->join.right.delimiter.emplace());
     }},
    {"--right-header-in", "WHEN", "whether the first record of RIGHT names the fields",
     "auto|yes|no",
     [](Ask *r, const std::string &value) {
       r->join.right.header = parse_header(value);
       return Status::ok();
     }},
    {"--right-columns", "NAMES", "names of the fields of RIGHT, in order", nullptr,
     [](Ask *r, const std::string &value) { return parse_names(value, &r->join.right.columns); }},
};

// Options of join(1), and of other jobs.
const Absent kAbsent[] = {
    {"--each, --stack", "make the records first: mrc select --each FIELD -k FIELDS then join"},
    {"--within",
     "compute lag(x) and the like first: mrc select --within FIELD -k FIELDS then join"},
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

Status check(const Ask &ask) {
  const bool ordered = !ask.by.empty() || ask.direction != Ask::Direction::natural;
  const OutputFormat *format = ask.display.format;
  const bool is_table = format != nullptr && format->for_people;
  const Refusal refused[] = {
      {ask.key.empty(), "name the fields to join by: -k FIELD, or -k LEFT=RIGHT"},
      {is_list_of_fields(ask.run.output),
       "--output: it names a file; choose the fields to print with --left-fields and "
       "--right-fields (a file of this name: ./NAME)"},
      {ask.arguments.size() != 2, "needs two inputs, LEFT and RIGHT; - is standard input"},
      {ordered,
       "--by, --asc, --desc: rows are in the order of the keys, or, with --stable, in that "
       "of LEFT; mrc sort sorts them"},
      {(ask.input.record_bytes > 0 || ask.join.right.record_bytes > 0) &&
           !ask.run.keep.path.empty(),
       "--state: a join keeps no binary records; leave it out"},
      {ask.ignore_case, "--ignore-case is for groups; use -k FIELD:lower"},
      {ask.display.human, "--human is for tables; join prints values unchanged"},
      {ask.display.style.round.has_value(), "--round is for results; join prints values unchanged"},
      {ask.display.color == When::always && !is_table,
       "--color: there are no colors in tsv, csv and json"},
      {is_table && !ask.run.hands_over && !ask.checkpoint.empty(),
       "--to: columns of tables are as wide as all rows need; leave out --checkpoint"},
  };
  if (Status status = refuse(refused); !status.is_ok()) return status;
  if (ask.arguments[0] == "-" && ask.arguments[1] == "-") {
    return Status::error("only one of the two inputs can be standard input");
  }
  if (format == nullptr || format->field_text != nullptr) return Status::ok();
  return Status::error(fmt::format("--to: {} is for a column of numbers; join prints rows as {}",
                                   format->name,
                                   list_names(kOutputFormats, "or", &OutputFormat::field_text)));
}

// REQUIRES: the formats of both inputs are set
Status parse_printed(const AskedJoin &ask, const Clock &clock, JoinSpec *join) {
  for (const Side side : {kLeft, kRight}) {
    const std::string &text = side == kLeft ? ask.left_fields : ask.right_fields;
    if (text.empty()) continue;
    const char *option = side == kLeft ? "--left-fields" : "--right-fields";
    if (side == kRight && !join->prints_right()) {
      return Status::error("--right-fields: --anti and --semi print records of LEFT only");
    }
    Result<std::vector<FieldExpr>> fields =
        parse_fields(keys_of(join->inputs[side].format, text), clock);
    if (!fields.is_ok()) return fields.status().within(option);
    join->inputs[side].fields = std::move(*fields);
  }
  return Status::ok();
}

// Returns the format of RIGHT, to which some options for LEFT apply.
FormatSpec format_of_right(const Ask &ask) {
  FormatSpec right = ask.join.right;
  right.terminator = ask.input.terminator;
  const bool is_free = !right.header && right.format != &LineFormat::rows;
  if (ask.job.find("-H") != nullptr && is_free) right.header = true;
  // If the user says that there is no header, this applies to both inputs, and is valid for formats
  // that never have one.
  // Lines are compared with lines.
  const bool is_open = right.format == nullptr && right.regex.empty() && right.columns.empty() &&
                       !right.delimiter && right.record_bytes == 0;
  if (ask.input.format == &LineFormat::lines && is_open) right.format = &LineFormat::lines;
  if (ask.input.header == false && is_free && ask.job.find("--right-header-in") == nullptr)
    right.header = false;
  return right;
}

bool is_field(const FieldExpr &key, const std::string &name) {
  return key.is_plain() && key.field.number < 0 && key.field.text == name;
}

// Finds the part of the key whose hash divides the files of both inputs alike.
void choose_hashed_key(JoinSpec *join) {
  const HashedFiles &left = join->inputs[kLeft].hashed, &right = join->inputs[kRight].hashed;
  if (left.partitions == 0 || left.partitions != right.partitions) return;
  for (size_t i = 0; i < join->inputs[kLeft].keys.size(); ++i) {
    const bool is_it = is_field(join->inputs[kLeft].keys[i], left.field) &&
                       is_field(join->inputs[kRight].keys[i], right.field);
    if (is_it) join->hashed_key = static_cast<i64>(i);
  }
}

Status compile_join(const Ask &ask, Compiled *compiled) {
  if (Status status = check(ask); !status.is_ok()) return status;
  Program *program = &compiled->program;
  program->stage = &kJoinStage;
  JoinSpec *join = &program->join.emplace();
  join->inputs[kLeft].format = ask.input;
  join->inputs[kRight].format = format_of_right(ask);
  if (Status status = read_join_inputs(compiled); !status.is_ok()) return status;
  if (!ask.run.keep.path.empty() && program->inputs != ask.arguments) {
    return Status::error("--state: an input is a directory, whose files are not kept");
  }
  if (Status status = compile_fields(ask, "", compiled); !status.is_ok()) return status;
  join->kind = ask.join.kind;
  join->stable = ask.stable;
  if (Status status = parse_join_keys(keys_of(ask.input, ask.key), compiled->clock, join);
      !status.is_ok()) {
    return status.within("--key");
  }
  Status status = parse_printed(ask.join, compiled->clock, join);
  if (!status.is_ok()) return status;
  program->map.record_bytes = 0;  // rows are text
  program->shape.terminated = true;
  join->inputs[kLeft].filter = program->map.fields.filter;
  choose_hashed_key(join);
  const OutputFormat *format = ask.display.format ? ask.display.format : &OutputFormat::tsv;
  status = choose_format(ask, format, compiled);
  if (status.is_ok()) know_kinds_of_join(compiled);
  for (JoinInput &input : join->inputs) {
    if (ask.select.all_text)
      input.kind_of = [](const FieldExpr &) { return FieldKind{ValueKind::text}; };
  }
  return status;
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
    .compile = compile_join,
    .reads_fields = true,
    .joins = true,
};

}  // namespace mrc
