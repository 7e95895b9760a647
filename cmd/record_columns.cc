#include "cmd/record_columns.h"

#include "base/name_index.h"
#include "base/typed_text.h"
#include "cmd/found_fields.h"
#include "cmd/look.h"
#include "expr/computed_field.h"
#include "fields/spread.h"
#include "input/whole_input.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace mrc {

bool has_no_bytes(const std::string &input) {
  struct stat info;
  return stat(input.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0;
}

namespace {

bool is_fifo(const std::string &input) {
  struct stat info;
  return stat(input.c_str(), &info) == 0 && S_ISFIFO(info.st_mode);
}

// The fields of one input, or only that its records may have any.
struct InputFields {
  std::vector<std::string> names = {};
  bool are_open = false;
};

// Returns an error if the fields of records that may have any cannot be found beforehand.
Status check_open(const Dialect &dialect, const Program &program, const char *advice) {
  const bool is_found =
      *advice == '\0' && !program.follows && make_field_finder(dialect) != nullptr;
  if (is_found) return Status::ok();
  return Status::error(
      fmt::format("records of {} may have any fields; name those that are wanted by -k{}",
                  dialect.format->name, advice));
}

// Returns the fields of one input.
Result<InputFields> fields_of_input(const std::string &input, const Program &program,
                                    const char *advice) {
  const PeekedInput peeked(input == "-" ? STDIN_FILENO : -1);
  const Result<Source> source = examine(peeked.path().value_or(input), program.input_command,
                                        content_of(program.map.record_bytes));
  if (!source.is_ok()) return source.status();
  const bool is_stream = source->stream && source->codec == Codec::none && !source->collection;
  const bool is_pipe = is_stream && !peeked.path();
  if (is_pipe && is_fifo(input)) {
    return Status::error(fmt::format(
        "the fields of the pipe {0} are not known before it is read; give it as standard "
        "input: < {0}",
        Source{.path = input}.name()));
  }
  if (is_pipe || !source->command.empty()) {
    return Status::error(
        fmt::format("the fields of {} are not known yet; name them by --columns, or "
                    "those that are wanted by -k{}",
                    Source{.path = input}.name(), advice));
  }
  FormatSpec format = program.map.fields.format;
  format.names_fields = true;
  const Result<Look> look = look_at(*source, format);
  if (!look.is_ok()) return look.status();
  const Dialect &dialect = look->dialect;
  if (dialect.open) {
    Status status = check_open(dialect, program, advice);
    return status.is_ok() ? Result(InputFields{.are_open = true}) : status;
  }
  if (!dialect.names.empty()) return InputFields{dialect.names};
  if (dialect.format != &LineFormat::log) {
    return Status::error(fmt::format("{}: the fields have no names; name them by --columns{}",
                                     Source{.path = input}.name(), advice));
  }
  InputFields fields;
  for (const FieldReport &field : look->report.fields) fields.names.push_back(field.name);
  return fields;
}

// Finds the fields of inputs whose records may have any, and notes them in the program.
Status find_open_fields(const std::vector<std::string> &inputs, Program *program,
                        std::vector<InputFields> *of_inputs) {
  std::vector<std::string> open;
  std::vector<size_t> places;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!(*of_inputs)[i].are_open) continue;
    open.push_back(inputs[i]);
    places.push_back(i);
  }
  if (open.empty()) return Status::ok();
  Result<std::vector<std::vector<FoundField>>> found = find_fields(*program, open);
  if (!found.is_ok()) return found.status();
  for (size_t i = 0; i < found->size(); ++i) {
    for (FoundField &field : (*found)[i]) {
      (*of_inputs)[places[i]].names.push_back(field.name);
      program->found.push_back(std::move(field));
    }
  }
  return Status::ok();
}

// Returns the distinct names, in the order of the inputs. Those that an input lacks are noted in
// the program, unless its records may have any.
std::vector<std::string> union_of(const std::vector<InputFields> &of_inputs, Program *program) {
  std::vector<std::string> names;
  std::vector<NameIndex> closed;
  NameIndex known;
  for (const InputFields &input : of_inputs) {
    const bool is_first = &input == &of_inputs[0];
    for (const std::string &name : input.names) {
      if (known.add(name, 0) || is_first) names.push_back(name);
    }
    if (!input.are_open) closed.emplace_back(input.names);
  }
  for (const std::string &name : names) {
    const bool is_in_all =
        std::ranges::all_of(closed, [&](const NameIndex &own) { return own.find(name) >= 0; });
    if (!is_in_all) program->sparse.push_back(name);
  }
  return names;
}

}  // namespace

Result<std::vector<std::string>> all_fields(Compiled *compiled, const char *advice) {
  Program *program = &compiled->program;
  const FormatSpec &format = program->map.fields.format;
  if (!format.columns.empty()) return with_spread({.names = format.columns}, format.spread).names;
  std::vector<std::string> inputs = compiled->is_fed ? compiled->passed_on : program->inputs;
  if (inputs.empty()) {
    return Status::error(
        "the fields of what the stage before prints are not known; name them by -k");
  }
  const std::string first = inputs[0];
  std::erase_if(inputs, has_no_bytes);
  if (inputs.empty()) inputs.push_back(first);
  std::vector<InputFields> of_inputs;
  for (const std::string &input : inputs) {
    Result<InputFields> own = fields_of_input(input, *program, advice);
    if (!own.is_ok()) return own.status();
    of_inputs.push_back(std::move(*own));
  }
  if (Status status = find_open_fields(inputs, program, &of_inputs); !status.is_ok()) return status;
  std::vector<std::string> names = union_of(of_inputs, program);
  if (names.empty()) {
    return Status::error("no record has a field; name those that are wanted by -k");
  }
  const NameIndex known(names);
  for (const std::string &name : folder_names(program->inputs)) {
    if (known.find(name) < 0) names.push_back(name);
  }
  return names;
}

FieldExpr column_of(const std::string &name) {
  return {.field = whole_name(name), .text = in_double_quotes(name)};
}

// A key that is neither a field of the record as it is nor computed, such as one of a lookup table,
// is of unknown kind.
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

}  // namespace mrc
