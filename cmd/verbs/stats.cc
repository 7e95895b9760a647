#include "base/typed_text.h"
#include "cmd/plugins.h"
#include "cmd/values.h"
#include "combine/aggregates.h"
#include "combine/first_records.h"
#include "expr/computed_field.h"
#include "expr/expression_items.h"
#include "plugin/reduction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace mrc {
namespace {

constexpr i64 kMostRecords = i64{1} << 40;

// Refuses common options that do not apply to whole records.
Status check(const Request &request) {
  const Program &program = request.program;
  const struct {
    bool given;
    const char *message;
  } refused[] = {
      {program.total, "--head, --total: a total has no records; leave one of them out"},
      {request.human, "--human is for columns; --head prints records unchanged"},
      {request.style.round.has_value(), "--round is for columns; --head prints records unchanged"},
      {request.color == Request::When::always,
       "--color is for columns; --head prints records unchanged"},
      {request.format != nullptr && !program.hands_over,
       "--to is for columns; --head prints records unchanged"},
  };
  for (const auto &option : refused) {
    if (option.given) return Status::error(option.message);
  }
  return Status::ok();
}

// mrc stats --head: the first records of each group in place of its aggregates.
constinit const Option kHeadOption = {
    "--head", "N", "print the first N records of each group, and no aggregates", nullptr,
    [](Request *request, const std::string &value) {
      return parse_integer(value, 1, kMostRecords, &request->head);
    }};

// Adds the part that keeps records, and sets the shape of the output. Does nothing without --head.
// REQUIRES: the aggregates are known
Status take_heads(Request *request) {
  if (request->head == 0) return Status::ok();
  if (Status status = check(*request); !status.is_ok()) return status;
  Program *program = &request->program;
  program->shape.records_part = add_first_records(
      whole_record(), request->head, &program->map.fields.values, &program->aggregation);
  program->shape.header = request->header_out != Request::When::never;
  program->shape.terminator = program->map.terminator;
  if (!request->by.empty()) {
    request->note =
        "--by orders the groups; the records of a group are in the order of the input (for the "
        "largest ones first: mrc sort -k FIELD:num:desc then stats --head N)";
  }
  return Status::ok();
}

// mrc stats: computes aggregates of fields, by group.

const Option kOptions[] = {
    {"--plugin", "PATH", "a plugin whose reducers become aggregates; may be repeated", nullptr,
     kPluginOption.set, Effect::state, false, false, true},
    kForcePluginOption,
    {"-a, --aggregate", "LIST",
     "aggregates: FUNC[:FIELD[:BUCKET]], FUNC(EXPRESSION) or [NAME=]EXPRESSION", nullptr,
     set_text<"needs an aggregate, such as count", &Request::aggregates>, Effect::state, false,
     true},
    kHavingOption,
    kHeadOption,
    kLookupOption,
    {"--total", nullptr, "with -k: print a last row for all groups together", nullptr,
     set_flag<&Request::program, &Program::total>, Effect::answer},
};

using Plugins = std::vector<std::shared_ptr<const Plugin>>;

// Loads the plugins that --plugin names, for their reducers.
Status load_plugins(const Request &request, Plugins *plugins) {
  for (const std::string &path : request.plugins) {
    Result<std::shared_ptr<const Plugin>> plugin = load_plugin(path, request.force_plugin);
    if (!plugin.is_ok()) return plugin.status().within("--plugin");
    plugins->push_back(std::move(*plugin));
  }
  return Status::ok();
}

// Returns an error for a name that neither mrc nor the plugins have.
Status unknown(const std::string &name, const Plugins &plugins) {
  std::vector<std::string> all = aggregate_names(), of_plugins;
  for (const auto &plugin : plugins) {
    for (const mrc_reducer *reducer : plugin->reducers()) of_plugins.push_back(reducer->name);
  }
  const std::string built_in = fmt::format("{}", fmt::join(all, ", "));
  all.insert(all.end(), of_plugins.begin(), of_plugins.end());
  return Status::error(fmt::format(
      "no aggregate \"{}\"{}; there are {}; plugins have {}", name, aggregate_meant(name, all),
      built_in, of_plugins.empty() ? "none" : fmt::to_string(fmt::join(of_plugins, ", "))));
}

// True if an item is made of aggregates, or of columns from items before it.
bool is_of_groups(const Expression &item, const Aggregation &aggregation) {
  if (item.kind == Expression::Kind::aggregate) return true;
  const bool column = item.kind == Expression::Kind::field &&
                      std::ranges::find(aggregation.columns, item.typed, &Column::name) !=
                          aggregation.columns.end();
  return column || std::ranges::any_of(item.arguments, [&](const Expression &argument) {
           return is_of_groups(argument, aggregation);
         });
}

// Adds an aggregate of expressions, or a field that later items may name.
Status add_expression(const std::string &column, const Expression &item, Request *request) {
  if (is_of_groups(item, request->program.aggregation)) {
    return add_aggregate(item, column, request->clock, request->style,
                         &request->program.map.fields.values, &request->program.aggregation);
  }
  Result<FieldExpr> field = computed_field(column, item, request->clock);
  return field.is_ok() ? define(*field, &request->defined) : field.status();
}

// Adds an aggregate that is not an expression. A built-in one wins, then the plugin that was named
// first.
Status add_plain(const std::string &text, const Plugins &plugins, Request *request) {
  std::vector<ValueColumn> *values = &request->program.map.fields.values;
  Aggregation *aggregation = &request->program.aggregation;
  const Status built_in = add_aggregate(text, request->clock, request->style, values, aggregation);
  if (built_in.is_ok()) return built_in;
  const std::string name = text.substr(0, text.find(':'));
  for (const auto &plugin : plugins) {
    for (const mrc_reducer *reducer : plugin->reducers()) {
      if (name != reducer->name) continue;
      return add_plugin_aggregate(*plugin, *reducer, text, request->clock, request->style, values,
                                  aggregation);
    }
  }
  const bool known = plugins.empty() || !built_in.is_unknown_name();
  return known ? built_in : unknown(name, plugins);
}

ExpressionTerms terms_of(const Request &request) {
  return {request.clock, request.defined, is_aggregate};
}

Status add_one(const std::string &text, const Plugins &plugins, Request *request) {
  const Result<ListItem> item = parse_item(text, terms_of(*request));
  if (!item.is_ok()) return item.status();
  return item->expression ? add_expression(item->column(), *item->expression, request)
                          : add_plain(text, plugins, request);
}

Status add_aggregates(Request *request) {
  Program *program = &request->program;
  program->aggregation = {};
  Plugins plugins;
  if (Status status = load_plugins(*request, &plugins); !status.is_ok()) return status;
  Result<std::vector<std::string>> list =
      split_items(request->aggregates.empty() ? "count" : request->aggregates);
  if (!list.is_ok()) return list.status().within("--aggregate");
  for (const std::string &text : *list) {
    Status status = add_one(text, plugins, request);
    if (!status.is_ok()) return status.within("--aggregate");
  }
  if (!program->aggregation.columns.empty()) return Status::ok();
  return Status::error(fmt::format("--aggregate: {} only computes fields; add an aggregate of them",
                                   request->aggregates));
}

Status prepare(Request *request) {
  if (Status status = prepare_fields(request); !status.is_ok()) return status;
  if (Status status = add_aggregates(request); !status.is_ok()) return status;
  Program *program = &request->program;
  if (Status status = take_heads(request); !status.is_ok()) return status;
  if (Status status = prepare_output(request, program->map.fields.key_shape()); !status.is_ok()) {
    return status;
  }
  program->total =
      program->total && !program->map.fields.keys.empty();  // otherwise there is only one row
  if (program->total && program->shape.format->draws) {
    return Status::error("--total: its bar would be much longer than the others; use --to table");
  }
  return Status::ok();
}

std::string list_aggregates() {
  std::string text = "Aggregates:\n";
  for (const AggregateHelp &each : aggregate_help()) {
    fmt::format_to(std::back_inserter(text), "  {:<14}{}\n", each.name, each.what);
  }
  return text;
}

}  // namespace

extern const Verb verb_stats;
const Verb verb_stats = {
    .name = "stats",
    .arguments = "[FILE...]",
    .summary = "compute aggregates of fields, by group",
    .description =
        "Groups records by the fields of --key, and prints one row for each group: the key and "
        "the\n"
        "aggregates of --aggregate. Without --key all records form one group. The format of the\n"
        "input (an access log, CSV, JSON or another one) is detected from the first records; see\n"
        "mrc-formats(7). Results are exact, and the same with any number of threads; aggregates\n"
        "whose name ends in ~ are estimates.",
    .examples =
        "  mrc stats -k status -a count,sum:bytes access.log\n"
        "  mrc stats -k path -a p50:bytes,p99:bytes --by p99:bytes --top 20 access.log\n"
        "  mrc stats -d ';' -k 1 -a min:2,mean:2,max:2 --round 1 stations.txt\n",
    .options = kOptions,
    .prepare = prepare,
    .reads_fields = true,
    .words = list_aggregates,
};

}  // namespace mrc
