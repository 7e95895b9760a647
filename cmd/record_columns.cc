#include "cmd/record_columns.h"

#include "base/name_index.h"
#include "base/typed_text.h"
#include "cmd/look.h"
#include "expr/computed_field.h"
#include "fields/spread.h"
#include "input/whole_input.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace mrc {
namespace {

// True for a file of no bytes, which has no fields.
bool has_no_bytes(const std::string &input) {
  struct stat info;
  return stat(input.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0;
}

// Returns the names of the fields of one input. It is an error if its records may have others.
Result<std::vector<std::string>> fields_of(const std::string &input, const Program &program,
                                           const char *advice) {
  const PeekedInput peeked(input == "-" ? STDIN_FILENO : -1);
  const Result<Source> source = examine(peeked.path().value_or(input), program.input_command,
                                        content_of(program.map.record_bytes));
  if (!source.is_ok()) return source.status();
  const bool is_stream = source->stream && source->codec == Codec::none && !source->collection;
  const bool is_pipe = is_stream && !peeked.path();
  if (is_pipe || !source->command.empty()) {
    return Status::error(fmt::format("the fields of {} are not known yet; name them by --columns{}",
                                     Source{.path = input}.name(), advice));
  }
  FormatSpec format = program.map.fields.format;
  format.names_fields = true;
  const Result<Look> look = look_at(*source, format);
  if (!look.is_ok()) return look.status();
  const Dialect &dialect = look->dialect;
  if (dialect.open) {
    return Status::error(
        fmt::format("records of {} may have any fields; name those that are wanted by -k{}",
                    dialect.format->name, advice));
  }
  if (!dialect.names.empty()) return dialect.names;
  if (dialect.format != &LineFormat::log) {
    return Status::error(fmt::format("{}: the fields have no names; name them by --columns{}",
                                     Source{.path = input}.name(), advice));
  }
  std::vector<std::string> names;
  for (const FieldReport &field : look->report.fields) names.push_back(field.name);
  return names;
}

}  // namespace

Result<std::vector<std::string>> all_fields(Program *program, const char *advice) {
  const FormatSpec &format = program->map.fields.format;
  if (!format.columns.empty()) return with_spread({.names = format.columns}, format.spread).names;
  std::vector<std::string> inputs = program->inputs;
  std::erase_if(inputs, has_no_bytes);
  if (inputs.empty()) inputs.push_back(program->inputs[0]);
  std::vector<std::string> names;
  std::vector<NameIndex> of_inputs;
  NameIndex known;
  for (const std::string &input : inputs) {
    const Result<std::vector<std::string>> own = fields_of(input, *program, advice);
    if (!own.is_ok()) return own.status();
    for (const std::string &name : *own) {
      if (known.add(name, 0) || of_inputs.empty()) names.push_back(name);
    }
    of_inputs.emplace_back(*own);
  }
  for (const std::string &name : names) {
    const bool is_in_all =
        std::ranges::all_of(of_inputs, [&](const NameIndex &own) { return own.find(name) >= 0; });
    if (!is_in_all) program->sparse.push_back(name);
  }
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
