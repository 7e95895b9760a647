// Compiles the jobs of stages to programs, front to back, because the output of a stage determines
// how the next one reads it.
#include "base/make_error.h"
#include "base/setting_name.h"
#include "cmd/chain.h"
#include "cmd/look.h"
#include "cmd/parse.h"
#include "cmd/run_job.h"
#include "engine/engine.h"
#include "fields/spread.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Joins in chains. One of their inputs may be the records of the previous stage, which is called
// "-".

// Returns which input of a later stage is called "-". It is an error if neither is.
Result<Side> handed_side(const std::vector<std::string> &inputs) {
  if (inputs.size() < 2 || inputs.front() == "-") return kLeft;  // the verb requires two inputs
  if (inputs.back() == "-") return kRight;
  return Status::error(fmt::format(
      "join: one of {} and {} has to be -, the rows of the stage before", inputs[0], inputs[1]));
}

// Sets how the join reads these records. REQUIRES: the join has such a side
void read_in_join(const FormatSpec &format, bool are_alike, Ask *join) {
  if (are_alike) join->join.right = join->input;
  (*handed_side(join->arguments) == kLeft ? join->input : join->join.right) = format;
}

// Returns the fields of one input that the user has named.
std::vector<FieldName> named_fields(const JoinInput &input) {
  WantedFields wanted(input.filter);
  for (const FieldExpr &key : input.keys) wanted.add(key.field);
  for (const FieldExpr &field : input.fields.value_or(std::vector<FieldExpr>())) {
    wanted.add(field.field);
  }
  return wanted.names();
}

// Returns the fields of that side that the user has named. REQUIRES: the program joins
std::vector<FieldName> fields_of_join(const Program &program) {
  return named_fields(program.join->inputs[*handed_side(program.inputs)]);
}

// Examines the inputs of a join, which determine its columns. If `is_first`, no input is a previous
// stage, and the plan is the one to run. It is called once, because pipes can be read only once.
Result<std::shared_ptr<const Plan>> look_at_join(const Program &program, bool is_first) {
  const StageRecords none("", nullptr);
  auto plan = std::make_shared<Plan>(make_plan(program, nullptr, is_first ? nullptr : &none));
  if (!plan->problem.is_ok()) return plan->problem;
  if (plan->sources.empty()) return Status::error(plan->unreadable.front());
  if (is_first || plan->spools.empty()) return std::shared_ptr<const Plan>(std::move(plan));
  const Side file = *handed_side(program.inputs) == kLeft ? kRight : kLeft;
  return Status::error(fmt::format(
      "{} is read once, and its columns are wanted before; name them by {}", program.inputs[file],
      setting_name(setting_of_fields(*program.join, file == kLeft ? kLeft : kRight))));
}

// The output of a stage, as the next stage reads it.
struct Handed {
  bool are_rows = true;  // false: text, which is records as they were read
  FormatSpec format = {};
  char terminator = '\n';
  bool reads_fields = true;
  std::vector<KnownColumn> known = {};     // for rows
  std::shared_ptr<FieldKinds> kinds = {};  // for records that are passed on
  std::vector<std::string> lost_folders = {};
  std::vector<std::string> inputs = {};  // of records that are passed on

  // Returns the only fields of rows, and of records that were rows before.
  const std::vector<std::string> &columns() const { return format.columns; }
  bool has_columns() const {
    return format.format == &LineFormat::rows || format.format == &LineFormat::row_objects;
  }
};

bool hands_over_rows(const Program &program) {
  const Makes makes = program.stage->makes;
  if (makes == Makes::text) return !program.map.fields.keys.empty();
  if (program.shape.records_part >= 0) return false;
  return makes != Makes::records && makes != Makes::estimate && !program.counts_rows;
}

// Returns the columns of a stage. Those of a join are known only when its inputs have been
// examined.
std::vector<std::string> columns_of(const Compiled &compiled) {
  const Program &program = compiled.program;
  if (program.join) {
    return compiled.plan ? join_columns(*compiled.plan->join) : std::vector<std::string>();
  }
  if (program.shape.histogram) return {"from", "to", "count"};
  std::vector<std::string> names;
  if (program.stage->makes == Makes::text) {
    for (const FieldExpr &key : program.map.fields.keys) names.push_back(key.column());
    return names;
  }
  for (const KeyPart &part : program.shape.key.parts) names.push_back(part.name);
  if (program.shape.key_only) return names;
  for (const Column &column : program.aggregation.columns) names.push_back(column.name);
  return names;
}

// Returns the columns of rows that a stage passes on unchanged.
std::vector<KnownColumn> passed_columns(const Compiled &compiled) {
  std::vector<KnownColumn> known;
  for (const std::string &name : compiled.program.map.fields.format.columns) {
    const FieldName field{name, -1, true};
    known.push_back({name, compiled.kinds ? compiled.kinds->kind_of(field) : FieldKind()});
  }
  return known;
}

// Returns the inputs whose records a stage passes on as they are; none if it may print other text.
std::vector<std::string> inputs_passed_by(const Compiled &compiled) {
  const Program &program = compiled.program;
  const bool are_records = compiled.job.verb == "sort" || compiled.job.verb == "select";
  if (!are_records || !program.input_command.empty()) return {};
  return compiled.is_fed ? compiled.passed_on : program.inputs;
}

Handed handed_by(const Compiled &compiled) {
  const Program &program = compiled.program;
  if (hands_over_rows(program)) {
    const std::vector<std::string> columns = columns_of(compiled);
    return {.format = {.format = &LineFormat::rows, .columns = columns},
            .known = known_columns(compiled, columns)};
  }
  FormatSpec format = program.map.fields.format;
  format.spread = {};
  return {.are_rows = false,
          .format = std::move(format),
          .terminator = program.map.terminator,
          .reads_fields = compiled.reads_fields,
          .known = passed_columns(compiled),
          .kinds = compiled.kinds,
          .lost_folders = compiled.is_fed ? compiled.lost_folders : folder_names(program.inputs),
          .inputs = inputs_passed_by(compiled)};
}

// Returns the fields of records that the program uses, without those of tables.
std::vector<FieldName> fields_of(const Program &program) {
  if (program.join) return fields_of_join(program);
  return read_fields(program.map.fields.names(), program.lookups);
}

// True if the program looks at whole records, or a join at those that are handed over.
bool wants_whole(const Program &program) {
  if (!program.join) return wants_whole_records(program);
  if (wants_whole_records(program)) return true;
  const std::vector<FieldName> names = fields_of(program);
  return std::ranges::any_of(names, [](const FieldName &name) { return name.number == 0; });
}

// Returns why no stage can follow this one; null if one can.
const char *no_rows(const Compiled &compiled) {
  const Program &program = compiled.program;
  if (program.stage == &kRangeStage) return "--range prints no rows for a next stage";
  if (program.stage->makes == Makes::verdict) return "--check prints no rows for a next stage";
  if (program.map.record_bytes > 0 && !hands_over_rows(program)) {
    return "--record, --binary: a next stage reads lines, not records of a fixed size";
  }
  return compiled.silent ? "--quiet prints no rows for a next stage" : nullptr;
}

// Returns the kind that all of these columns have.
FieldKind kind_of_all(const std::vector<FieldName> &columns, const Handed &from) {
  std::vector<FieldKind> kinds;
  for (const FieldName &column : columns) {
    const auto known = std::ranges::find(from.known, column.text, &KnownColumn::name);
    kinds.push_back(known == from.known.end() ? FieldKind() : known->kind);
  }
  const auto is_other = [&](const FieldKind &kind) { return kind.kind != kinds[0].kind; };
  return std::ranges::any_of(kinds, is_other) ? FieldKind() : kinds[0];
}

// Returns the kinds of fields of records that the stage makes of those of the stage before.
std::shared_ptr<FieldKinds> kinds_after(const Handed &from, const Spread &spread) {
  if (!spread.is_wanted()) return from.has_columns() ? kinds_of_columns(from.known) : from.kinds;
  if (!from.has_columns()) return kinds_of_columns({});
  std::vector<KnownColumn> known;
  const Dialect dialect = with_spread({.names = from.columns()}, spread);
  for (const std::string &name : dialect.names) {
    const auto column = std::ranges::find(from.known, name, &KnownColumn::name);
    known.push_back(column == from.known.end() ? KnownColumn{name, {}} : *column);
  }
  if (spread.by != Spread::By::columns) return kinds_of_columns(std::move(known), spread);
  known.back().kind = kind_of_all(spread.fields, from);
  return kinds_of_columns(std::move(known));
}

// Makes a stage read the records of the stage before.
void read_records(const Handed &from, Ask *ask, Compiled *compiled) {
  compiled->is_fed = true;
  compiled->lost_folders = from.lost_folders;
  compiled->passed_on = from.inputs;
  compiled->kinds = kinds_after(from, ask->input.spread);
  const Verb *verb = find_verb(ask->job.verb);
  if (verb->joins) {
    read_in_join(from.format, verb->are_alike, ask);
  } else if (verb->reads_fields) {
    Spread spread = std::move(ask->input.spread);
    ask->input = from.format;
    ask->input.spread = std::move(spread);
    ask->reads_fields |= from.reads_fields;
  }
  ask->input.terminator = from.terminator;
}

// Returns the function of the input's name, or of places in it, that the program calls; "": none.
std::string function_of_input(const Program &program) {
  const std::vector<FieldName> wanted = fields_of(program);
  if (std::ranges::find(wanted, input_name()) != wanted.end()) return "file()";
  const auto &running = program.map.fields.running;
  if (running && running->place(PlaceIn::records) != nullptr) return "record()";
  return running && running->place(PlaceIn::lines) != nullptr ? "line()" : "";
}

// Returns an error if the rows lack a field that the program wants, or if it wants something of an
// input.
Status check_fields(const Handed &from, const Program &program) {
  if (const std::string function = function_of_input(program); !function.empty()) {
    return make_error(
        "{0}: only the first stage reads inputs; name it there, as in select -k '{1}={0}'",
        function, function[0]);
  }
  const bool reads_fields = program.map.records == MapSpec::Records::fields;
  if (!from.has_columns() || !reads_fields) return Status::ok();
  const Dialect dialect = with_spread({.format = &LineFormat::rows, .names = from.columns()},
                                      program.map.fields.format.spread);
  return make_reader(dialect, fields_of(program)).status();
}

class Compiler {
 public:
  explicit Compiler(std::vector<Job> jobs)
      : jobs_(std::move(jobs)),
        stages_(jobs_.size()),
        plans_(jobs_.size()),
        hands_over_(jobs_.size(), &OutputFormat::rows) {
    hands_over_.back() = nullptr;
  }

  Result<std::vector<Compiled>> compile() {
    if (Status status = take_files_after_last(); !status.is_ok()) return status;
    for (size_t stage = 0; stage < jobs_.size(); ++stage) {
      if (Status status = add(stage); !status.is_ok()) return status;
    }
    const Compiled &last = stages_.back();
    const bool has_files = !last.job.inputs.empty() && !last.program.join;
    if (has_files && stages_.size() > 1) return misplaced(last.job);
    return std::move(stages_);
  }

 private:
  // Files after the last stage are inputs of the first one, if it has none.
  Status take_files_after_last() {
    Job &first = jobs_.front(), &last = jobs_.back();
    const bool has_inputs = !first.inputs.empty();
    if (jobs_.size() == 1 || has_inputs || find_verb(last.verb)->joins) return Status::ok();
    const Result<size_t> wanted = operands_of(first), taken = operands_of(last);
    if (!wanted.is_ok()) return wanted.status();
    if (!taken.is_ok()) return taken.status();
    const bool lacks_files = first.operands.size() == *wanted;  // and no pattern
    if (!lacks_files || last.operands.size() <= *taken) return Status::ok();
    const auto files = last.operands.begin() + static_cast<std::ptrdiff_t>(*taken);
    first.inputs.assign(files, last.operands.end());
    last.operands.erase(files, last.operands.end());
    return Status::ok();
  }

  static Result<size_t> operands_of(const Job &job) {
    const Verb &verb = *find_verb(job.verb);
    if (verb.operands == nullptr) return size_t{0};
    Ask ask;
    if (Status status = apply(job, &ask); !status.is_ok()) return status;
    return static_cast<size_t>(verb.operands(ask));
  }

  Status add(size_t stage) {
    if (Status status = make(stage); !status.is_ok()) return status;
    const Compiled &compiled = stages_[stage];
    const bool is_last = stage + 1 == jobs_.size();
    if (const char *why = is_last ? nullptr : no_rows(compiled)) {
      return Status::error(fmt::format("{}: {}", jobs_[stage].verb, why));
    }
    const bool has_files = !compiled.job.inputs.empty() && !compiled.program.join;
    if (stage > 0 && !is_last && has_files) return misplaced(compiled.job);
    const bool of_objects =
        stage > 0 && handed_by(stages_[stage - 1]).are_rows && wants_whole(compiled.program);
    if (!of_objects) return Status::ok();
    hands_over_[stage - 1] = &OutputFormat::json;
    return make(stage - 1);
  }

  Status make(size_t stage) {
    Ask ask;
    if (Status status = ask_of(stage, &ask); !status.is_ok()) return status;
    Compiled &compiled = stages_[stage] = Compiled();
    if (stage == 0) {
      Status status = mrc::compile(ask, &compiled);
      return status.is_ok() ? look_at_columns(stage) : status;
    }
    const Handed from = handed_by(stages_[stage - 1]);
    read_records(from, &ask, &compiled);
    if (Status status = mrc::compile(ask, &compiled); !status.is_ok()) return status;
    if (Status status = check_fields(from, compiled.program); !status.is_ok()) {
      return status.within(jobs_[stage].verb);
    }
    if (from.are_rows && wants_whole(compiled.program)) {
      handed_format(&compiled.program)->format = &LineFormat::row_objects;
    }
    return look_at_columns(stage);
  }

  // Makes the ask of a stage from its job, with the format in which it hands over its rows.
  Status ask_of(size_t stage, Ask *ask) const {
    const Job &job = jobs_[stage];
    const Verb *verb = find_verb(job.verb);
    const char *reason = jobs_.size() > 1 ? verb->no_stage : nullptr;
    if (stage > 0 && reason == nullptr) reason = verb->no_later_stage;
    if (reason != nullptr) return Status::error(job.verb + ": " + reason);
    if (Status status = apply(job, ask); !status.is_ok()) return status;
    if (stage > 0 && verb->joins) {
      if (Status status = check_join(*ask); !status.is_ok()) return status;
    }
    if (jobs_.size() > 1 && ask->run.partial.is_wanted) {
      return Status::error("--to partial: a chain has no states; send those of its first stage");
    }
    if (hands_over_[stage] != nullptr) {
      ask->run.hands_over = true;
      ask->display.format = hands_over_[stage];
      ask->display.color = When::never;
    }
    return Status::ok();
  }

  static Status check_join(const Ask &ask) {
    if (ask.input.terminator != '\n') {
      return Status::error("join: --zero-terminated: rows of the stage before are lines");
    }
    return handed_side(ask.arguments).status();
  }

  // Finds the columns of a join, which the next stage has to know.
  Status look_at_columns(size_t stage) {
    Compiled &compiled = stages_[stage];
    const bool is_last = stage + 1 == jobs_.size();
    if (!compiled.program.join || is_last) return Status::ok();
    if (!plans_[stage]) {
      if (Status status = check_handed_fields(stage); !status.is_ok()) return status;
      Result<std::shared_ptr<const Plan>> plan = look_at_join(compiled.program, stage == 0);
      if (!plan.is_ok()) return plan.status().within(compiled.job.verb);
      plans_[stage] = std::move(*plan);
    }
    compiled.plan = plans_[stage];
    return Status::ok();
  }

  // The fields of records that are not rows are known only when the records exist.
  Status check_handed_fields(size_t stage) const {
    if (stage == 0 || handed_by(stages_[stage - 1]).has_columns()) return Status::ok();
    const Program &program = stages_[stage].program;
    const Side side = *handed_side(program.inputs);
    if (!program.join->prints_all(side)) return Status::ok();
    return Status::error(
        fmt::format("join: mrc {} hands over records, whose fields are not known yet; name those "
                    "that are printed by {}",
                    jobs_[stage - 1].verb, setting_name(setting_of_fields(*program.join, side))));
  }

  static Status misplaced(const Job &job) {
    return Status::error(fmt::format("{}: {}: files stand in the first stage, or after the last",
                                     job.verb, job.inputs[0]));
  }

  std::vector<Job> jobs_;
  std::vector<Compiled> stages_;
  std::vector<std::shared_ptr<const Plan>> plans_;  // plans of joins that are not the last stage
  std::vector<const OutputFormat *> hands_over_;    // null for the last stage
};

}  // namespace

Result<std::vector<Compiled>> compile_chain(const Job &job) {
  std::vector<Job> stages = {job};
  stages[0].then.clear();
  stages.insert(stages.end(), job.then.begin(), job.then.end());
  return Compiler(std::move(stages)).compile();
}

FormatSpec *handed_format(Program *program) {
  return program->join ? &program->join->inputs[*handed_side(program->inputs)].format
                       : &program->map.fields.format;
}

}  // namespace mrc
