// mrc load: fills a directory with sorted files, in folders by the values of fields.
#include "base/text.h"
#include "cmd/record_columns.h"
#include "cmd/values.h"
#include "expr/computed_field.h"
#include "expr/expression.h"
#include "kept/loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace mrc {
namespace {

const Option kOptions[] = {
    {"--partition-by", "FIELDS", "a folder for each value of [NAME=]FIELD[:BUCKET] or EXPRESSION",
     nullptr, set_text<"needs the name of a field", &Ask::load, &AskedLoad::partition_by>,
     Effect::state, false, true},
    {"--sort-by", "FIELDS",
     "order of records in each file, as in mrc sort -k; default: the input's", nullptr,
     set_text<"needs the name of a field", &Ask::load, &AskedLoad::sort_by>, Effect::state, false,
     true},
    {"-k, --key", "FIELDS", "write only these fields; default: all", nullptr,
     set_text<"needs the name of a field", &Ask::key>, Effect::state, false, true},
    {"--to", "FORMAT", "format of the files; lines: records as they are", "csv|json|lines",
     [](Ask *r, const std::string &value) {
       using Text = AskedLoad::Text;
       r->load.text = value == "json" ? Text::json : value == "lines" ? Text::lines : Text::csv;
       return Status::ok();
     }},
    {"--compress", "CODEC", "compress the files by Zstandard", "zst",
     [](Ask *r, const std::string &) {
       r->load.compresses = true;
       return Status::ok();
     }},
    {"--partitions", "N", "refuse to make more folders; default: 10000", nullptr,
     set_integer<1, 1000000, &Ask::load, &AskedLoad::most_partitions>, Effect::conduct},
    {"--range", "FIELDS", "index these fields, too; those of --sort-by are", nullptr,
     set_text<"needs the name of a field", &Ask::ranges>, Effect::conduct, false, true},
};

const Absent kAbsent[] = {
    {"--within",
     "mrc load keeps records unchanged; compute lag(x) and the like by mrc select first"},
    {"--each, --stack",
     "mrc load keeps records unchanged; make them by mrc select --each FIELD -k FIELDS first"},
    {"--state, --state-gone, --state-tiles",
     "the directory that is loaded keeps what is in it; only what is new is loaded"},
    {"--by, --asc, --desc, --top", "--sort-by orders the records of each file"},
    {"--raw, --human, --round, --color, --header-out",
     "they are for rows; values are written as they are"},
    {"-i, --ignore-case", "use --partition-by NAME=FIELD:lower"},
    {"-z, -0, --zero-terminated", "records of the files are lines"},
    {"--having", "it is for groups; -w selects records"},
};

Status check(const Ask &ask) {
  const Refusal refused[] = {
      {ask.run.output == "-", "needs --output DIR: the directory to load records into"},
      {ask.load.partition_by.empty(),
       "needs --partition-by FIELD, such as time:day: a folder is made for each value"},
      {!ask.run.input_command.empty(),
       "--input-cmd: what a command prints cannot be told from what is loaded already; write it to "
       "a file first"},
      {!ask.input.record_start.empty(),
       "--record-start: what is appended may go on with the last record; leave one of them out"},
      {ask.load.text == AskedLoad::Text::lines && ask.input.record_bytes > 0,
       "--to: binary records are no lines; csv and json are text"},
      {ask.load.text == AskedLoad::Text::lines && !ask.key.empty(),
       "--key: with --to lines, records are written as they are"},
      {!ask.run.ranges.directory.empty(), "--index-dir: indexes are beside the files"},
  };
  return refuse(refused);
}

bool is_letters(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_letter);
}

// Returns the name of a folder for a partition: NAME of NAME=..., the bucket if it is a word, or
// FIELD_BUCKET.
std::string folder_name_of(const FieldExpr &partition) {
  if (!partition.bucket) return partition.column();
  const std::string column = partition.column();
  const size_t colon = column.rfind(':');
  if (is_letters(std::string_view(column).substr(colon + 1))) return column.substr(colon + 1);
  std::string name = column;
  std::ranges::replace_if(name, [](char c) { return !is_letter(c) && !is_digit(c); }, '_');
  return name;
}

Status compile_partitions(const AskedLoad &ask, Compiled *compiled) {
  LoadSpec *load = &*compiled->program.load;
  Result<std::vector<FieldExpr>> parsed =
      parse_keys(ask.partition_by, compiled->clock, &compiled->defined);
  if (!parsed.is_ok()) return parsed.status();
  for (FieldExpr &each : *parsed) {
    if (each.computed && each.computed->fields().empty()) {
      return Status::error(each.text + ": it has no field, and is the same for all records");
    }
    const std::string name = folder_name_of(each);
    if (std::ranges::find(load->names, name) != load->names.end()) {
      return Status::error(fmt::format(
          "two folders would be called {}=...; write OTHER=FIELD for one of them", name));
    }
    load->names.push_back(name);
    compiled->program.map.fields.others.push_back(each);
  }
  load->partitions = std::move(*parsed);
  return Status::ok();
}

Status compile_order(const AskedLoad &ask, Compiled *compiled) {
  Program *program = &compiled->program;
  SortSpec *sort = &program->sort.emplace();
  sort->fields.emplace();
  if (ask.sort_by.empty()) return Status::ok();
  Result<std::vector<SortExpr>> exprs = parse_sort_exprs(ask.sort_by, compiled->clock);
  if (!exprs.is_ok()) return exprs.status();
  Result<FieldSort> fields = FieldSort::make(std::move(*exprs), compiled->clock);
  if (!fields.is_ok()) return fields.status();
  sort->fields = std::move(*fields);
  for (const FieldExpr &field : sort->fields->fields()) {
    program->map.fields.others.push_back(field);
  }
  return Status::ok();
}

// True if folders have the values of the field, as they are, so that files need not have it.
bool is_in_folders(const LoadSpec &load, const std::string &name) {
  for (size_t i = 0; i < load.names.size(); ++i) {
    const FieldExpr &partition = load.partitions[i];
    const bool is_it = partition.is_plain() && partition.field.text == name;
    if (is_it && load.names[i] == name) return true;
  }
  return false;
}

// Makes columns of all fields, or checks those that the user has named.
Status compile_columns(const Ask &ask, Compiled *compiled) {
  Program *program = &compiled->program;
  LoadSpec *load = &*program->load;
  std::vector<FieldExpr> *keys = &program->map.fields.keys;
  if (keys->empty()) {
    const Result<std::vector<std::string>> all = all_fields(compiled, ", or use --to lines");
    if (!all.is_ok()) return all.status();
    if (!program->sparse.empty()) {
      return Status::error(fmt::format(
          "not all inputs have the field \"{}\"; name the fields that are wanted by -k, "
          "or use --to lines",
          program->sparse[0]));
    }
    for (const std::string &name : *all) {
      if (!is_in_folders(*load, name)) keys->push_back(column_of(name));
    }
    load->has_all_fields = true;
  }
  if (keys->empty()) return Status::error("no field is left to write, besides the folders");
  for (const FieldExpr &key : *keys) {
    if (std::ranges::find(load->names, key.column()) == load->names.end()) continue;
    return Status::error(
        fmt::format("--partition-by: the folder {0}=... has the name of a field; write OTHER=...",
                    key.column()));
  }
  if (ask.load.text == AskedLoad::Text::json) {
    load->text.known = know_keys(*program, compiled->clock);
  }
  return Status::ok();
}

// Returns the fields that the files have and that are indexed by default: those that files are
// sorted by, and that make folders.
std::vector<FieldName> fields_to_index(const Program &program) {
  std::vector<FieldName> names;
  const std::vector<FieldExpr> &keys = program.map.fields.keys;
  for (const FieldExpr &field : program.map.fields.others) {
    const bool is_field = !field.computed && field.field.number < 0;
    const bool is_written = keys.empty() || std::ranges::any_of(keys, [&](const FieldExpr &key) {
                              return key.is_plain() && key.column() == field.field.text;
                            });
    const bool is_known = std::ranges::find(names, field.field) != names.end();
    if (is_field && is_written && !is_known) names.push_back(field.field);
  }
  return names;
}

Status compile_ranges(const Ask &ask, Compiled *compiled) {
  Program *program = &compiled->program;
  std::string text = ask.ranges;
  for (const FieldName &name : fields_to_index(*program)) {
    const std::string quoted = column_of(name.text).text;
    const std::string written = name.whole ? quoted : name.text;
    if (("," + ask.ranges + ",").find("," + written + ",") != std::string::npos) continue;
    text += (text.empty() ? "" : ",") + written;
  }
  if (text.empty()) return Status::ok();
  Result<std::vector<IndexedField>> fields =
      parse_indexed_fields(keys_of(ask.input, text), compiled->clock);
  if (!fields.is_ok()) return fields.status().within("--range");
  program->ranges.fields = std::move(*fields);
  return Status::ok();
}

// Refuses files of the directory as inputs: each load would load them again.
Status check_inputs_of(const std::string &directory, const std::vector<std::string> &inputs) {
  namespace fs = std::filesystem;
  std::error_code error;
  const std::string root = fs::weakly_canonical(directory, error).string() + "/";
  for (const std::string &input : inputs) {
    if (input == "-" || !fs::weakly_canonical(input, error).string().starts_with(root)) continue;
    return Status::error(input + ": is a file of the directory that is loaded");
  }
  return Status::ok();
}

// Sets how records are written. REQUIRES: all fields are known
void compile_text(const AskedLoad &ask, Compiled *compiled) {
  Program *program = &compiled->program;
  LoadSpec *load = &*program->load;
  RowShape *shape = &program->shape;
  const bool is_json = ask.text == AskedLoad::Text::json;
  shape->format = is_json ? &OutputFormat::json : &OutputFormat::csv;
  shape->terminal = false;
  shape->header = true;
  load->text.fields = program->map.fields;
  load->text.shape = *shape;
  load->ending = is_json ? ".json" : ask.text == AskedLoad::Text::csv ? ".csv" : ".log";
  load->compresses = ask.compresses;
  if (load->compresses) load->ending += ".zst";
}

Status compile_load(const Ask &given, Compiled *compiled) {
  if (Status status = check(given); !status.is_ok()) return status;
  Program *program = &compiled->program;
  LoadSpec *load = &program->load.emplace();
  load->directory = given.run.output;
  while (load->directory.size() > 1 && load->directory.ends_with('/')) load->directory.pop_back();
  load->most_partitions = given.load.most_partitions;
  program->stage = &kLoadStage;
  program->output = "-";
  program->keep.path = loads_path(load->directory);
  program->keep.loads_into = load->directory;
  Status status = check_loads(load->directory);
  if (status.is_ok()) status = check_inputs_of(load->directory, program->inputs);
  if (!status.is_ok()) return status;
  Ask ask = given;
  ask.run.keep.path = program->keep.path;  // whose kinds later loads have
  ask.load.partition_by = keys_of(ask.input, ask.load.partition_by);
  ask.load.sort_by = keys_of(ask.input, ask.load.sort_by);
  if (status = compile_fields(ask, ask.key, compiled); !status.is_ok()) return status;
  if (status = compile_partitions(ask.load, compiled); !status.is_ok()) {
    return status.within("--partition-by");
  }
  if (status = compile_order(ask.load, compiled); !status.is_ok()) {
    return status.within("--sort-by");
  }
  if (ask.load.text != AskedLoad::Text::lines) status = compile_columns(ask, compiled);
  if (status.is_ok()) status = compile_ranges(ask, compiled);
  if (status.is_ok()) compile_text(ask.load, compiled);
  return status;
}

}  // namespace

extern const Verb verb_load;
const Verb verb_load = {
    .name = "load",
    .arguments = "FILE...",
    .summary = "fill a directory with sorted files, in folders by the values of fields",
    .description =
        "Sorts records, and writes them to DIR/NAME=VALUE/FILE: a folder for each value of\n"
        "--partition-by, and in it a file that is sorted by --sort-by, with its range index. The\n"
        "files are CSV with all fields of the records, unless --to says otherwise. Other programs\n"
        "read the directory as a partitioned dataset of Hive; mrc reads it if it is named as\n"
        "input. The folders are fields, and conditions on them leave out files.\n"
        "\n"
        "Another load adds files and changes none. The directory knows what was loaded: a file\n"
        "that has grown is loaded from where it ended, and nothing is loaded twice, even after a\n"
        "crash.",
    .examples =
        "  mrc load --partition-by time:day --sort-by time -o logs access.log*\n"
        "  mrc stats -k path -w 'day >= 2026-11-01' logs\n"
        "  mrc load --partition-by country,time:month --to json -o DIR events.json.zst\n",
    .options = kOptions,
    .absent = kAbsent,
    .compile = compile_load,
    .reads_fields = true,
    .no_stage = "it writes files, and hands no rows to another stage",
};

}  // namespace mrc
