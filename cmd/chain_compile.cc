// From the jobs of stages to their programs, front to back: what a stage hands over says how the
// next one reads it.
#include "cmd/chain.h"
#include "cmd/chain_join.h"
#include "cmd/field_kinds.h"
#include "cmd/parse.h"
#include "cmd/run_job.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr std::string_view kJoin = "join";

// What a stage hands over.
struct Handed {
  bool are_rows = true;  // else text: records as they were read
  FormatSpec format = {};
  char terminator = '\n';
  bool reads_fields = true;
  std::vector<KnownColumn> known = {};     // of rows
  std::shared_ptr<FieldKinds> kinds = {};  // of records that pass through

  // Of rows, and of records that were rows before: their fields are just these.
  const std::vector<std::string> &columns() const { return format.columns; }
  bool has_columns() const {
    return format.format == &LineFormat::rows || format.format == &LineFormat::row_objects;
  }
};

bool hands_over_rows(const Program &program) {
  if (program.stage == &kTextStage) return !program.map.fields.keys.empty();
  if (program.shape.records_part >= 0) return false;
  return program.stage != &kSortStage && program.stage != &kSketchStage && !program.counts_rows;
}

// Of a join these are known when its inputs have been looked at.
std::vector<std::string> columns_of(const Request &request) {
  const Program &program = request.program;
  if (program.join) {
    return request.plan ? join_columns(*request.plan->join) : std::vector<std::string>();
  }
  if (program.shape.histogram) return {"from", "to", "count"};
  std::vector<std::string> names;
  if (program.stage == &kTextStage) {
    for (const FieldExpr &key : program.map.fields.keys) names.push_back(key.column());
    return names;
  }
  for (const KeyPart &part : program.shape.key.parts) names.push_back(part.name);
  if (program.shape.key_only) return names;
  for (const Column &column : program.aggregation.columns) names.push_back(column.name);
  return names;
}

// The columns of rows that a stage passes on unchanged.
std::vector<KnownColumn> passed_columns(const Request &request) {
  std::vector<KnownColumn> known;
  for (const std::string &name : request.program.map.fields.format.columns) {
    const FieldName field{name, -1, true};
    known.push_back({name, request.kinds ? request.kinds->kind_of(field) : FieldKind()});
  }
  return known;
}

Handed handed_by(const Request &request) {
  const Program &program = request.program;
  if (hands_over_rows(program)) {
    const std::vector<std::string> columns = columns_of(request);
    return {.format = {.format = &LineFormat::rows, .columns = columns},
            .known = known_columns(request, columns)};
  }
  return {.are_rows = false,
          .format = program.map.fields.format,
          .terminator = program.map.terminator,
          .reads_fields = request.reads_fields,
          .known = passed_columns(request),
          .kinds = request.kinds};
}

// Of records, and not of tables.
std::vector<FieldName> fields_of(const Request &request) {
  const Program &program = request.program;
  if (program.join) return fields_of_join(request);
  return read_fields(program.map.fields.wanted().names(), program.lookups);
}

// Whether the program looks at records as a whole: of rows, these are JSON objects.
bool wants_whole(const Request &request) {
  const Program &program = request.program;
  if (program.map.records != MapSpec::Records::fields || !program.bad_path.empty()) return true;
  if (program.stage == &kSortStage || program.stage == &kCheckStage) return true;
  if (program.stage == &kTextStage && program.map.fields.keys.empty()) return true;
  const std::vector<FieldName> names = fields_of(request);
  return std::ranges::any_of(names, [](const FieldName &name) { return name.number == 0; });
}

// Why no stage can follow the request's; null: one can.
const char *no_rows(const Request &request) {
  if (request.program.stage == &kCheckStage) return "--check prints no rows for a next stage";
  if (request.program.sort && request.program.sort->record_bytes > 0) {
    return "--record: a next stage reads lines, not records of a fixed size";
  }
  return request.silent ? "--quiet prints no rows for a next stage" : nullptr;
}

// Before the request is prepared.
void read_records(const Handed &from, Request *request) {
  MapSpec &map = request->program.map;
  map.terminator = from.terminator;
  request->kinds = from.has_columns() ? kinds_of_columns(from.known) : from.kinds;
  if (request->job.verb == kJoin) return read_in_join(from.format, request);
  if (!find_verb(request->job.verb)->reads_fields) return;
  map.fields.format = from.format;
  request->reads_fields |= from.reads_fields;
}

// That rows have the fields which the program wants.
Status check_fields(const Handed &from, const Request &request) {
  const bool reads_fields = request.program.map.records == MapSpec::Records::fields;
  if (!from.has_columns() || !reads_fields) return Status::ok();
  const Dialect dialect = {.format = &LineFormat::rows, .names = from.columns()};
  return make_reader(dialect, fields_of(request)).status();
}

class Compiler {
 public:
  explicit Compiler(std::vector<Job> jobs)
      : jobs_(std::move(jobs)),
        requests_(jobs_.size()),
        plans_(jobs_.size()),
        hands_over_(jobs_.size(), &OutputFormat::rows) {
    hands_over_.back() = nullptr;
  }

  Result<std::vector<Request>> compile() {
    if (Status status = take_files_after_last(); !status.is_ok()) return status;
    for (size_t stage = 0; stage < jobs_.size(); ++stage) {
      if (Status status = add(stage); !status.is_ok()) return status;
    }
    const Request &last = requests_.back();
    const bool has_files = !last.job.inputs.empty() && !last.program.join;
    if (has_files && requests_.size() > 1) return misplaced(last);
    return std::move(requests_);
  }

 private:
  // Files after the last stage are inputs of the first one, if that has none.
  Status take_files_after_last() {
    Job &first = jobs_.front(), &last = jobs_.back();
    const bool has_words = !first.operands.empty() || !first.inputs.empty();
    if (jobs_.size() == 1 || has_words || last.verb == kJoin) return Status::ok();
    const Result<size_t> wanted = operands_of(first), taken = operands_of(last);
    if (!wanted.is_ok()) return wanted.status();
    if (!taken.is_ok()) return taken.status();
    if (*wanted > 0 || last.operands.size() <= *taken) return Status::ok();
    const auto files = last.operands.begin() + static_cast<std::ptrdiff_t>(*taken);
    first.inputs.assign(files, last.operands.end());
    last.operands.erase(files, last.operands.end());
    return Status::ok();
  }

  static Result<size_t> operands_of(const Job &job) {
    const Verb &verb = *find_verb(job.verb);
    if (verb.operands == nullptr) return size_t{0};
    Request request;
    if (Status status = apply(job, &request); !status.is_ok()) return status;
    return static_cast<size_t>(verb.operands(&request));
  }

  Status add(size_t stage) {
    if (Status status = make(stage); !status.is_ok()) return status;
    const Request &request = requests_[stage];
    const bool is_last = stage + 1 == jobs_.size();
    if (const char *why = is_last ? nullptr : no_rows(request)) {
      return Status::error(fmt::format("{}: {}", jobs_[stage].verb, why));
    }
    const bool has_files = !request.job.inputs.empty() && !request.program.join;
    if (stage > 0 && !is_last && has_files) return misplaced(request);
    const bool of_objects =
        stage > 0 && handed_by(requests_[stage - 1]).are_rows && wants_whole(request);
    if (!of_objects) return Status::ok();
    hands_over_[stage - 1] = &OutputFormat::json;
    return make(stage - 1);
  }

  Status make(size_t stage) {
    const Job &job = jobs_[stage];
    Request &request = requests_[stage] = Request();
    if (stage > 0 && job.verb == "index") {
      return Status::error("index: rows of another stage have no place in a file; index files");
    }
    if (jobs_.size() > 1 && (job.verb == "merge" || job.verb == "units")) {
      return Status::error(job.verb + ": it is no stage of a chain; write its rows into a pipe");
    }
    if (Status status = apply(job, &request); !status.is_ok()) return status;
    if (Status status = check_join(stage, request); !status.is_ok()) return status;
    if (jobs_.size() > 1 && request.program.partial.is_wanted) {
      return Status::error("--to partial: a chain has no states; send those of its first stage");
    }
    if (hands_over_[stage] != nullptr) {
      request.program.hands_over = true;
      request.format = hands_over_[stage];
      request.color = Request::When::never;
    }
    if (stage == 0) {
      Status status = prepare_job(&request);
      return status.is_ok() ? look_at_columns(stage) : status;
    }
    const Handed from = handed_by(requests_[stage - 1]);
    read_records(from, &request);
    if (Status status = prepare_job(&request); !status.is_ok()) return status;
    if (Status status = check_fields(from, request); !status.is_ok()) {
      return status.within(job.verb);
    }
    if (from.are_rows && wants_whole(request)) {
      handed_format(&request)->format = &LineFormat::row_objects;
    }
    return look_at_columns(stage);
  }

  Status check_join(size_t stage, const Request &request) const {
    if (stage == 0 || request.job.verb != kJoin) return Status::ok();
    if (request.program.map.terminator != '\n') {
      return Status::error("join: --zero-terminated: rows of the stage before are lines");
    }
    return handed_side(request).status();
  }

  // What the next stage has to know of a join.
  Status look_at_columns(size_t stage) {
    Request &request = requests_[stage];
    const bool is_last = stage + 1 == jobs_.size();
    if (!request.program.join || is_last) return Status::ok();
    if (!plans_[stage]) {
      if (Status status = check_handed_fields(stage); !status.is_ok()) return status;
      Result<std::shared_ptr<const Plan>> plan = look_at_join(request, stage == 0);
      if (!plan.is_ok()) return plan.status().within(kJoin);
      plans_[stage] = std::move(*plan);
    }
    request.plan = plans_[stage];
    return Status::ok();
  }

  // Records that are no rows show their fields when they are there.
  Status check_handed_fields(size_t stage) const {
    if (stage == 0 || handed_by(requests_[stage - 1]).has_columns()) return Status::ok();
    const Request &request = requests_[stage];
    const Side side = *handed_side(request);
    if (!request.program.join->prints_all(side)) return Status::ok();
    return Status::error(
        fmt::format("join: mrc {} hands over records, whose fields are not known yet; name those "
                    "that are printed by {}",
                    jobs_[stage - 1].verb, side == kLeft ? "--left-fields" : "--right-fields"));
  }

  static Status misplaced(const Request &request) {
    return Status::error(fmt::format("{}: {}: files stand in the first stage, or after the last",
                                     request.job.verb, request.job.inputs[0]));
  }

  std::vector<Job> jobs_;
  std::vector<Request> requests_;
  std::vector<std::shared_ptr<const Plan>> plans_;  // of joins that others follow
  std::vector<const OutputFormat *> hands_over_;    // null: the last stage does not
};

}  // namespace

Result<std::vector<Request>> compile_chain(const Job &job) {
  std::vector<Job> stages = {job};
  stages[0].then.clear();
  stages.insert(stages.end(), job.then.begin(), job.then.end());
  return Compiler(std::move(stages)).compile();
}

}  // namespace mrc
