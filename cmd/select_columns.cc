#include "cmd/select_columns.h"

#include "base/name_index.h"
#include "base/typed_text.h"
#include "cmd/look.h"
#include "cmd/values.h"
#include "expr/computed_field.h"

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

}  // namespace

Status choose_columns(Request *request) {
  if (!request->cut_fields.empty()) {
    if (Status status = cut_fields(request); !status.is_ok()) return status.within("--cut-not");
  }
  if (request->renamed.empty()) return Status::ok();
  Status status = rename_columns(request);
  return status.is_ok() ? status : status.within("--rename");
}

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

}  // namespace mrc
