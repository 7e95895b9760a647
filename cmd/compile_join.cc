// Compiles a join: its two inputs, their keys, and the fields to print.
#include "base/names.h"
#include "cmd/look.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// REQUIRES: the formats of both inputs are set
Status parse_printed(const AskedJoin &ask, const Clock &clock, JoinSpec *join) {
  for (const Side side : {kLeft, kRight}) {
    const std::string &text = side == kLeft ? ask.left_fields : ask.right_fields;
    if (text.empty()) continue;
    const char *option = join->kind == JoinKind::changes ? "--fields"
                         : side == kLeft                 ? "--left-fields"
                                                         : "--right-fields";
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

bool has_binary_side(const Ask &ask) {
  return ask.input.record_bytes > 0 || ask.join.right.record_bytes > 0;
}

Status check_sides(const Ask &ask) {
  const std::string &verb = ask.job.verb;
  const OutputFormat *format = ask.display.format;
  const bool is_table = format != nullptr && format->for_people;
  const std::string unchanged = verb + " prints values unchanged";
  const std::string human = "--human is for tables; " + unchanged;
  const std::string round = "--round is for results; " + unchanged;
  const Refusal refused[] = {
      {has_binary_side(ask) && !ask.run.keep.path.empty(),
       "--state: a join keeps no binary records; leave it out"},
      {ask.ignore_case, "--ignore-case is for groups; use -k FIELD:lower"},
      {ask.display.human, human.c_str()},
      {ask.display.style.round.has_value(), round.c_str()},
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
  return Status::error(fmt::format("--to: {} is for a column of numbers; {} prints rows as {}",
                                   format->name, verb,
                                   list_names(kOutputFormats, "or", &OutputFormat::field_text)));
}

}  // namespace

Status compile_join(const Ask &ask, JoinSpec spec, Compiled *compiled) {
  if (Status status = check_sides(ask); !status.is_ok()) return status;
  Program *program = &compiled->program;
  program->stage = &kJoinStage;
  JoinSpec *join = &program->join.emplace(std::move(spec));
  if (Status status = read_join_inputs(compiled); !status.is_ok()) return status;
  if (!ask.run.keep.path.empty() && program->inputs != ask.arguments) {
    return Status::error("--state: an input is a directory, whose files are not kept");
  }
  if (Status status = compile_fields(ask, "", compiled); !status.is_ok()) return status;
  if (Status status = parse_join_keys(keys_of(ask.input, ask.key), compiled->clock, join);
      !status.is_ok()) {
    return status.within("--key");
  }
  Status status = parse_printed(ask.join, compiled->clock, join);
  if (!status.is_ok()) return status;
  program->map.record_bytes = 0;  // rows are text
  program->shape.terminated = true;
  join->inputs[kLeft].filter = program->map.fields.filter;
  if (join->kind == JoinKind::changes) join->inputs[kRight].filter = join->inputs[kLeft].filter;
  choose_hashed_key(join);
  const OutputFormat *format = asked_format(ask);
  status = choose_format(ask, format ? format : &OutputFormat::tsv, compiled);
  if (status.is_ok()) know_kinds_of_join(compiled);
  for (JoinInput &input : join->inputs) {
    if (ask.select.all_text)
      input.kind_of = [](const FieldExpr &) { return FieldKind{ValueKind::text}; };
  }
  return status;
}

}  // namespace mrc
