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
  const Refusal refused[] = {
      {ask.key.empty(), "name the fields to join by: -k FIELD, or -k LEFT=RIGHT"},
      {is_list_of_fields(ask.run.output),
       "--output: it names a file; choose the fields to print with --left-fields and "
       "--right-fields (a file of this name: ./NAME)"},
      {ask.arguments.size() != 2, "needs two inputs, LEFT and RIGHT; - is standard input"},
      {ordered,
       "--by, --asc, --desc: rows are in the order of the keys, or, with --stable, in that "
       "of LEFT; mrc sort sorts them"},
  };
  return refuse(refused);
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

Status compile_verb_join(const Ask &ask, Compiled *compiled) {
  if (Status status = check(ask); !status.is_ok()) return status;
  JoinSpec join{.kind = ask.join.kind, .stable = ask.stable, .inputs = {}};
  join.inputs[kLeft].format = ask.input;
  join.inputs[kRight].format = format_of_right(ask);
  return compile_join(ask, std::move(join), compiled);
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
    .compile = compile_verb_join,
    .reads_fields = true,
    .joins = true,
};

}  // namespace mrc
