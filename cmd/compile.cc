#include "cmd/compile.h"

#include "base/case_fold.h"
#include "base/typed_text.h"
#include "cmd/look.h"
#include "cmd/order_records.h"
#include "expr/computed_field.h"
#include "expr/geo.h"
#include "fields/binary.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <iterator>

namespace mrc {
namespace {

// True if the answer may depend on the kinds of keys. A merge of partials and a later run with the
// same state have output options of their own, so for these it always may.
bool asks_kinds_of_keys(const Ask &ask) {
  const PartialSpec &partial = ask.run.partial;
  return !ask.having.empty() || !ask.by.empty() || partial.is_wanted || partial.merged != nullptr ||
         !ask.run.keep.path.empty() || asked_format(ask) == &OutputFormat::json ||
         ask.display.format == &OutputFormat::arrays;
}

// Options whose values are expressions, or lists of them.
constexpr std::string_view kExpressions[] = {"--where",     "--having", "--key",   "--across",
                                             "--aggregate", "--by",     "--within"};

// Times relative to now become instants.
void fix_times(const Clock &clock, Job *job) {
  for (Job::Choice &choice : job->choices) {
    const bool is_bound = choice.option == "--since" || choice.option == "--until";
    if (is_bound) choice.value = with_instant(choice.value, clock);
    const bool is_expression =
        std::ranges::find(kExpressions, choice.option) != std::end(kExpressions);
    if (is_expression) choice.value = with_instants(choice.value, clock);
  }
}

// Times without a year are of the year in which the newest input was changed, or of the year before
// if their month is after that of the change.
Clock clock_of(const Ask &ask, const Compiled &compiled) {
  const time_t newest = newest_change(compiled);
  struct tm date;
  gmtime_r(&newest, &date);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {.zone = ask.zone,
          .year_of_now = date.tm_year + 1900,
          .month_of_now = date.tm_mon + 1,
          .now = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(),
          .dates = ask.dates};
}

// A merge has states of records in place of addresses, and maybe not the databases.
Status open_geo(const Ask &ask, Clock *clock) {
  if (ask.geo.empty()) return Status::ok();
  const bool is_merge = ask.run.partial.merged != nullptr;
  Result<std::shared_ptr<const GeoDatabases>> databases =
      is_merge ? GeoDatabases::elsewhere() : GeoDatabases::open(ask.geo);
  if (!databases.is_ok()) return databases.status().within("--geo");
  clock->geo = std::move(*databases);
  return Status::ok();
}

// Sets the clock, which knows the kinds of fields.
Status begin_clock(const Ask &ask, Compiled *compiled) {
  compiled->clock = clock_of(ask, *compiled);
  if (Status status = check_clock(compiled->clock); !status.is_ok()) return status.within("--tz");
  if (Status status = open_geo(ask, &compiled->clock); !status.is_ok()) return status;
  KindTexts given = ask.kinds;
  const std::string &kept = ask.run.keep.path;
  if (given.found.empty()) take_kinds_of(kept.empty() ? ask.checkpoint : kept, &given);
  if (!compiled->kinds) compiled->kinds = sampled_kinds(*compiled, std::move(given));
  compiled->clock.kinds = compiled->kinds.get();
  return Status::ok();
}

// With --ignore-case, keys are folded, and so is what a condition compares with them.
class FoldedNames : public ValueNames {
 public:
  std::string name_like(const std::string &text) const override {
    std::string folded;
    append_folded(text, &folded);
    return folded;
  }
};

// Adds the keys of an option.
Status compile_keys(const Ask &ask, const char *option, const std::string &text,
                    Compiled *compiled) {
  if (text.empty()) return Status::ok();
  Result<std::vector<FieldExpr>> keys =
      parse_keys(keys_of(ask.input, text), compiled->clock, &compiled->defined);
  if (!keys.is_ok()) return keys.status().within(option);
  const bool asks_kinds = asks_kinds_of_keys(ask);
  for (FieldExpr &key : *keys) {
    const bool is_constant = key.computed && key.computed->fields().empty();
    if (is_constant && compiled->program.stage->makes == Makes::groups) {
      return Status::error(fmt::format("{}: {}: it has no field, and is the same for all records",
                                       option, key.computed->expression().typed));
    }
    if (asks_kinds) key.kind = shown_kind_of_field(key, compiled->clock);
    const bool is_text = key.kind.kind == ValueKind::text && key.kind.names == nullptr;
    if (is_text && ask.ignore_case) key.kind.names = std::make_shared<FoldedNames>();
  }
  std::vector<FieldExpr> *all = &compiled->program.map.fields.keys;
  std::ranges::move(*keys, std::back_inserter(*all));
  return Status::ok();
}

Status compile_across(const Ask &ask, Compiled *compiled) {
  const size_t keys = compiled->program.map.fields.keys.size();
  Status status = compile_keys(ask, "--across", ask.across, compiled);
  const size_t added = compiled->program.map.fields.keys.size() - keys;
  if (!status.is_ok() || added <= 1) return status;
  return Status::error("--across takes one field; further ones are keys: -k");
}

// Adds the kinds that the job depends on to its choices.
void take_kinds(Compiled *compiled) {
  if (!compiled->kinds) return;
  Job &job = compiled->job;
  const auto add = [&](const char *option, const std::string &found) {
    if (!found.empty() && job.find(option) == nullptr) job.choices.push_back({option, found});
  };
  add("--kinds", compiled->kinds->found());
  add("--shown-kinds", compiled->kinds->found_of_shown());
}

}  // namespace

Status refuse(std::span<const Refusal> options) {
  const auto given = std::ranges::find_if(options, &Refusal::is_given);
  return given == options.end() ? Status::ok() : Status::error(given->message);
}

std::string keys_of(const FormatSpec &format, const std::string &text) {
  if (format.record_bytes == 0) return text;
  const Result<BinaryLayout> layout = BinaryLayout::parse(format.binary);
  return layout.is_ok() && layout->fields.empty() ? with_quoted_ranges(text) : text;
}

i64 newest_change(const Compiled &compiled) {
  if (compiled.newest) return *compiled.newest;
  time_t newest = 0;
  for (const std::string &path : compiled.program.inputs) {
    struct stat info;
    const bool is_file = compiled.program.input_command.empty() && stat(path.c_str(), &info) == 0;
    if (is_file) newest = std::max(newest, info.st_mtime);
  }
  return newest == 0 ? time(nullptr) : newest;
}

FieldExpr whole_record() {
  FieldExpr expr;
  expr.field = {"line", 0};
  expr.text = "line";
  return expr;
}

FieldExpr plain_field(FieldName name) {
  FieldExpr expr;
  expr.text = name.text;
  expr.field = std::move(name);
  return expr;
}

namespace {

Status begin_running(const Ask &ask, Compiled *compiled) {
  compiled->running->has_stretches = ask.order == kInOrder;
  if (ask.within.empty()) return Status::ok();
  Result<std::vector<FieldExpr>> keys = parse_running_keys(ask.within, compiled->clock);
  if (!keys.is_ok()) return keys.status().within("--within");
  compiled->running->keys = std::move(*keys);
  return Status::ok();
}

// True if the condition looks at earlier records. A malformed one does not.
bool has_running_field(const std::string &condition, Clock clock) {
  RunningFields found;
  clock.running = &found;
  return parse_expression(condition, {clock}).is_ok() && !found.fields.empty();
}

}  // namespace

bool looks_back(const std::string &condition) { return has_running_field(condition, Clock()); }

namespace {

// Conditions without running fields select the records that running functions see. The others hold
// for what these have computed.
Status compile_conditions(const Ask &ask, Compiled *compiled) {
  std::string all[2];
  for (const std::string &condition : ask.where) {
    std::string &joined = all[has_running_field(condition, compiled->clock)];
    joined = joined.empty() ? condition : "(" + joined + ") and (" + condition + ")";
  }
  Result<std::shared_ptr<const Filter>> filter =
      make_filter(all[0], ask.since, ask.until, compiled->clock);
  if (!filter.is_ok()) return filter.status();
  compiled->program.map.fields.filter = std::move(*filter);
  Result<std::shared_ptr<const Filter>> later = make_filter(all[1], "", "", compiled->clock);
  if (!later.is_ok()) return later.status();
  compiled->later = std::move(*later);
  return Status::ok();
}

// Refuses numbers of records and lines where they would not be those of the input.
Status check_places(const Ask &ask, const RunningFields &running) {
  if (running.place(PlaceIn::records) != nullptr && ask.input.spread.is_wanted()) {
    const bool stacks = ask.input.spread.by == Spread::By::columns;
    return Status::error(
        fmt::format("record(): {0} makes several records of one; number those of the input in a "
                    "stage before, as in select -k 'r=record(),*' then select {0}",
                    stacks ? "--stack" : "--each"));
  }
  if (running.place(PlaceIn::lines) == nullptr) return Status::ok();
  if (ask.input.record_bytes > 0) {
    return Status::error("line(): records of one size have no lines; record() numbers them");
  }
  if (!ask.run.follows) return Status::ok();
  return Status::error(
      "line(): with --follow, a file that is rotated begins again; record() numbers its records");
}

Status check_running(const Ask &ask, const Compiled &compiled) {
  if (!ask.order.empty() && ask.order != kInOrder) {
    return Status::error("--order: all records are sorted before the job, of which this is a part");
  }
  const Program &program = compiled.program;
  if (program.map.fields.running == nullptr) {
    if (ask.within.empty() || program.numbers_groups()) return Status::ok();
    return Status::error(
        "--within: there is no function of earlier records, such as lag(x); mrc help expressions "
        "lists them");
  }
  const Makes makes = program.stage->makes;
  const bool may = (makes == Makes::groups || makes == Makes::records || makes == Makes::text ||
                    makes == Makes::report) &&
                   !program.plugin && program.feed.command.empty();
  const std::string &typed = compiled.running->fields.front().name.text;
  if (!may) {
    return Status::error(
        fmt::format("{}: it looks at earlier records, which this job does not read in order; mrc "
                    "select computes it in a stage before",
                    typed));
  }
  if (compiled.running->ahead() > 0 && ask.order.empty()) {
    return Status::error(
        "lead(): it looks at later records; mrc select, count and stats take their order by "
        "--order FIELDS, or by --order - if they are in order");
  }
  if (Status status = check_places(ask, *compiled.running); !status.is_ok()) return status;
  if (program.tile_bytes == 0 && program.tiling != Tiling::cache) return Status::ok();
  return Status::error(fmt::format(
      "{}: it looks at earlier records in the order of the input; leave out --tile", typed));
}

}  // namespace

void take_running(Compiled *compiled) {
  FieldsSpec *fields = &compiled->program.map.fields;
  if (compiled->running->fields.empty() || fields->running) return;
  compiled->running->filter = std::exchange(fields->filter, compiled->later);
  fields->running = compiled->running;
}

Status compile_fields(const Ask &ask, const std::string &key, Compiled *compiled) {
  MapSpec *map = &compiled->program.map;
  map->records = MapSpec::Records::fields;
  if (Status status = begin_clock(ask, compiled); !status.is_ok()) return status;
  if (Status status = begin_running(ask, compiled); !status.is_ok()) return status;
  compiled->clock.running = compiled->running.get();
  if (Status status = compile_keys(ask, "--key", key, compiled); !status.is_ok()) return status;
  if (Status status = compile_across(ask, compiled); !status.is_ok()) return status;
  if (Status status = compile_conditions(ask, compiled); !status.is_ok()) return status;
  take_running(compiled);
  for (const LookupSpec &lookup : ask.lookups) {
    compiled->program.lookups.push_back({.name = lookup.name, .field = lookup.field});
  }
  compiled->lookups = ask.lookups;
  fix_times(compiled->clock, &compiled->job);
  return compile_folders(compiled);
}

namespace {

// Groups of whole records would be groups of those of the input.
Status check_spread(const Ask &ask) {
  const char *option = ask.input.spread.by == Spread::By::columns ? "--stack" : "--each";
  const bool needs_key = ask.job.verb == "count" || ask.job.verb == "distinct";
  const bool has_key = !ask.key.empty() || !ask.across.empty();
  if (!ask.input.spread.is_wanted() || !needs_key || has_key) return Status::ok();
  return Status::error(
      fmt::format("{}: whole records stay as they are; name fields by -k", option));
}

}  // namespace

void begin_compile(const Ask &ask, Compiled *compiled) {
  const Verb &verb = *find_verb(ask.job.verb);
  Job &job = compiled->job = ask.job;
  const i64 operands = verb.operands == nullptr ? 0 : verb.operands(ask);
  const auto inputs = ask.arguments.begin() + std::min(operands, std::ssize(ask.arguments));
  job.operands.assign(ask.arguments.begin(), inputs);
  job.inputs.assign(inputs, ask.arguments.end());
  compiled->reporting = ask.reporting;
  compiled->reads_fields = ask.reads_fields;
  Program &program = compiled->program;
  static_cast<RunSettings &>(program) = ask.run;
  program.ranges.mrc_version = MRC_VERSION;
  if (!job.inputs.empty()) program.inputs = job.inputs;
  program.order.limit = ask.top;
  program.shape.raw = ask.display.raw;
  program.shape.terminator = ask.display.terminator;
  program.shape.terminal = is_for_terminal(ask.run);
  MapSpec &map = program.map;
  map.terminator = ask.input.terminator;
  map.record_bytes = ask.input.record_bytes;
  program.shape.terminated = map.record_bytes == 0;
  map.ignore_case = ask.ignore_case;
  map.fields.format = ask.input;
}

Status compile_verb(const Ask &ask, Compiled *compiled) {
  begin_compile(ask, compiled);
  Status status = check_spread(ask);
  if (status.is_ok()) status = read_directories(compiled);
  if (status.is_ok()) status = find_verb(ask.job.verb)->compile(ask, compiled);
  if (!status.is_ok()) return status;
  take_running(compiled);
  return check_running(ask, *compiled);
}

Status compile(const Ask &ask, Compiled *compiled) {
  const Verb &verb = *find_verb(ask.job.verb);
  if (Status status = compile_verb(ask, compiled); !status.is_ok()) {
    const std::string name = ask.plugins.verb.empty() ? verb.name : ask.plugins.verb;
    return status.subject() == name ? status : status.within(name);
  }
  take_kinds(compiled);
  Status status = choose_state(ask, compiled);
  const bool follows = status.is_ok() && compiled->program.follows;
  if (follows) status = check_conduct(kFollow, *compiled);
  if (status.is_ok()) status = choose_live(ask, compiled);
  if (status.is_ok()) status = choose_isolate(compiled);
  if (status.is_ok()) status = choose_partial(ask, compiled);
  return status.is_ok() ? status : status.within(verb.name);
}

}  // namespace mrc
