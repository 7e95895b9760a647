#include "cmd/compile.h"
#include "cmd/plugins.h"
#include "cmd/values.h"
#include "combine/aggregates.h"
#include "combine/first_records.h"
#include "expr/computed_field.h"
#include "expr/expression_items.h"
#include "plugin/read_plugin.h"
#include "plugin/reduction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <span>

namespace mrc {
namespace {

constexpr i64 kMostRecords = i64{1} << 40;

// Refuses common options that do not apply to whole records.
Status check(const Ask &ask) {
  const Display &display = ask.display;
  const Refusal refused[] = {
      {ask.total, "--head, --total: a total has no records; leave one of them out"},
      {display.human, "--human is for columns; --head prints records unchanged"},
      {display.style.round.has_value(), "--round is for columns; --head prints records unchanged"},
      {display.color == When::always, "--color is for columns; --head prints records unchanged"},
      {display.format != nullptr && !ask.run.hands_over,
       "--to is for columns; --head prints records unchanged"},
  };
  return refuse(refused);
}

// mrc stats --head: the first records of each group in place of its aggregates.
constinit const Option kHeadOption = {"--head", "N",
                                      "print the first N records of each group, and no aggregates",
                                      nullptr, set_integer<1, kMostRecords, &Ask::head>};

// Adds the part that keeps records, and sets the shape of the output. Does nothing without --head.
// REQUIRES: the aggregates are known
Status take_heads(const Ask &ask, Compiled *compiled) {
  if (ask.head == 0) return Status::ok();
  if (Status status = check(ask); !status.is_ok()) return status;
  Program *program = &compiled->program;
  program->shape.records_part = add_first_records(
      whole_record(), ask.head, &program->map.fields.values, &program->aggregation);
  program->shape.header = ask.display.header != When::never;
  program->shape.terminator = program->map.terminator;
  if (!ask.by.empty()) {
    compiled->notes.push_back(
        "--by orders the groups; the records of a group are in the order of the input (for the "
        "largest ones first: mrc sort -k FIELD:num:desc then stats --head N)");
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
     set_text<"needs an aggregate, such as count", &Ask::aggregates>, Effect::state, false, true},
    kAcrossOption,
    kFillOption,
    kHavingOption,
    kHeadOption,
    kLookupOption,
    kOrderOption,
    {"--rollup", nullptr,
     "with -k: print subtotals, too: without the last key, without the last two, and so on",
     nullptr, set_flag<&Ask::rolls_up>, Effect::state},
    {"--total", nullptr, "with -k: print a last row for all groups together", nullptr,
     set_flag<&Ask::total>, Effect::answer},
};

using PluginPtr = std::shared_ptr<const Plugin>;
using Plugins = std::vector<PluginPtr>;

// Loads the plugins that --plugin names, for their reducers.
Status load_plugins(const AskedPlugins &ask, Plugins *plugins) {
  for (const std::string &path : ask.places) {
    Result<std::shared_ptr<const Plugin>> plugin = load_plugin(path, ask.force);
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

// Adds the items of --aggregate to a program.
class Aggregates {
 public:
  Aggregates(const NumberStyle &style, Compiled *compiled)
      : style_(style),
        compiled_(*compiled),
        values_(compiled->program.map.fields.values),
        aggregation_(compiled->program.aggregation) {}

  Status load(const AskedPlugins &ask) {
    force_ = ask.force;
    return load_plugins(ask, &plugins_);
  }

  // A plugin on the plugin path cannot change the meaning of an item that has one without it.
  Status add(const std::string &text) {
    const std::string name = first_name(text);
    Status status = add_item(text);
    if (status.is_ok()) note_shadowed(name);
    if (status.is_ok() || is_aggregate(name) || find(name).reducer != nullptr) return status;
    if (Status found = find_on_path(name); !found.is_ok()) return found;
    return find(name).reducer == nullptr ? status : add_item(text);
  }

 private:
  // Returns the name that the item begins with, after NAME=; "": none.
  static std::string first_name(std::string_view item) {
    const std::string defined = name_of_item(item);
    if (!defined.empty()) item.remove_prefix(item.find('=') + 1);
    item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
    const std::string name(item.substr(0, item.find_first_of(":([ ")));
    return fault_of_name(name.c_str()) == nullptr ? name : "";
  }

  // Says which aggregate was taken, if a plugin of --plugin has another one of the name.
  void note_shadowed(const std::string &name) {
    const Plugin *plugin = find(name).plugin;
    if (plugin == nullptr || !is_aggregate(name)) return;
    compiled_.notes.push_back(
        fmt::format("{} is the aggregate of mrc itself, and not that of the plugin {}", name,
                    plugin->about().name));
  }

  // Loads the plugin of this name from the plugin path, if there is one.
  Status find_on_path(const std::string &name) {
    if (name.empty()) return Status::ok();
    const Result<PluginPath> path = plugin_path({});
    if (!path.is_ok()) return path.status();
    const Result<std::string> file = find_plugin(name, *path);
    if (!file.is_ok()) return file.status();
    if (file->empty()) return Status::ok();
    Result<std::shared_ptr<const Plugin>> plugin = load_plugin(*file, force_);
    if (!plugin.is_ok()) return plugin.status();
    by_name_[name] = *plugin;
    return Status::ok();
  }

  Status add_item(const std::string &text) {
    const auto is_ours = [&](std::string_view name) {
      return is_aggregate(name) || find(name).reducer != nullptr;
    };
    const ExpressionTerms terms = {compiled_.clock, compiled_.defined, is_ours};
    const Result<ListItem> item = parse_item(text, terms);
    if (!item.is_ok()) return item.status();
    if (!item->expression) return add_plain(text);
    const Expression &expression = *item->expression;
    if (is_of_plugin(expression)) return add_of_plugin(item->column(), expression);
    if (Status status = check_parts(expression); !status.is_ok()) return status;
    return add_expression(item->column(), expression);
  }

  // A reducer of a plugin; null: there is none of this name.
  struct Found {
    const Plugin *plugin = nullptr;
    const mrc_reducer *reducer = nullptr;
  };
  // The plugin that was named first wins. One from the plugin path only has the reducer of its
  // name.
  Found find(std::string_view name) const {
    for (const auto &plugin : plugins_) {
      if (const mrc_reducer *reducer = reducer_of(*plugin, name)) return {plugin.get(), reducer};
    }
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return {};
    return {found->second.get(), reducer_of(*found->second, name)};
  }
  static const mrc_reducer *reducer_of(const Plugin &plugin, std::string_view name) {
    const auto found = std::ranges::find(plugin.reducers(), name, &mrc_reducer::name);
    return found == plugin.reducers().end() ? nullptr : *found;
  }

  static bool is_of_plugin(const Expression &item) {
    return item.kind == Expression::Kind::aggregate && !is_aggregate(item.name);
  }
  // Refuses expressions that compute with the result of a plugin's reducer.
  static Status check_parts(const Expression &item) {
    for (const Expression &part : item.arguments) {
      if (is_of_plugin(part)) {
        return Status::error(
            fmt::format("{}: {} is of a plugin, which makes a column by itself, and "
                        "no part of an expression",
                        item.typed, part.typed));
      }
      if (Status status = check_parts(part); !status.is_ok()) return status;
    }
    return Status::ok();
  }

  // Adds a reducer of expressions, which see only the records for which a condition holds.
  Status add_of_plugin(const std::string &column, const Expression &aggregate) {
    const Found found = find(aggregate.name);
    const std::span<const Expression> given = aggregate.arguments;
    const size_t values = std::min(given.size(), found.reducer->value_count);
    std::vector<FieldExpr> fields;
    for (const Expression &argument : given.first(values)) {
      Result<FieldExpr> field = aggregate.condition ? field_where(*aggregate.condition, argument,
                                                                  argument.typed, compiled_.clock)
                                                    : field_of(argument, compiled_.clock);
      if (!field.is_ok()) return field.status();
      fields.push_back(std::move(*field));
    }
    if (aggregate.condition && fields.empty()) {
      return Status::error(
          fmt::format("{}: {} looks at no field, so a condition of its values has "
                      "no effect; use -w",
                      aggregate.typed, aggregate.name));
    }
    return add_plugin_aggregate(call_of(found, aggregate.typed), fields, given.subspan(values),
                                column, style_, &values_, &aggregation_);
  }

  ReducerCall call_of(const Found &found, const std::string &typed) const {
    const bool is_given =
        std::ranges::find(plugins_, found.plugin, &PluginPtr::get) != plugins_.end();
    return {*found.plugin, *found.reducer, typed, !is_given, &compiled_.reducers};
  }

  // Adds an aggregate of expressions, or a field that later items may name.
  Status add_expression(const std::string &column, const Expression &item) {
    if (is_of_groups(item, aggregation_)) {
      return add_aggregate(item, column, compiled_.clock, style_, &values_, &aggregation_);
    }
    Result<FieldExpr> field = computed_field(column, item, compiled_.clock);
    return field.is_ok() ? define(*field, &compiled_.defined) : field.status();
  }

  // Adds an aggregate that is not an expression. A built-in one wins.
  Status add_plain(const std::string &text) {
    const Clock &clock = compiled_.clock;
    const Status built_in = add_aggregate(text, clock, style_, &values_, &aggregation_);
    if (built_in.is_ok()) return built_in;
    const std::string name = text.substr(0, text.find(':'));
    if (const Found found = find(name); found.reducer != nullptr) {
      return add_plugin_aggregate(call_of(found, text), clock, style_, &values_, &aggregation_);
    }
    const bool known = plugins_.empty() || !built_in.is_unknown_name();
    return known ? built_in : unknown(name, plugins_);
  }

  const NumberStyle &style_;
  Compiled &compiled_;
  std::vector<ValueColumn> &values_;
  Aggregation &aggregation_;
  Plugins plugins_;
  std::map<std::string, PluginPtr, std::less<>> by_name_;  // from the plugin path
  bool force_ = false;  // loads plugins that others could have changed
};

}  // namespace

Status compile_aggregates(const Ask &ask, const std::string &list, Compiled *compiled) {
  compiled->program.aggregation = {};
  compiled->reducers.clear();
  Aggregates aggregates(ask.display.style, compiled);
  if (Status status = aggregates.load(ask.plugins); !status.is_ok()) return status;
  Result<std::vector<std::string>> items = split_items(list);
  if (!items.is_ok()) return items.status();
  for (const std::string &text : *items) {
    if (Status status = aggregates.add(text); !status.is_ok()) return status;
  }
  if (!compiled->program.aggregation.columns.empty()) return Status::ok();
  return Status::error(fmt::format("{} only computes fields; add an aggregate of them", list));
}

namespace {

Status check_rollup(const Ask &ask) {
  const OutputFormat *format = ask.display.format;
  const Refusal refused[] = {
      {ask.key.empty(), "--rollup: there are subtotals of keys; name them by -k"},
      {ask.total, "--rollup, --total: the last row is that of all records; leave one of them out"},
      {!ask.across.empty(), "--across, --rollup: leave one of them out"},
      {ask.fill.has_value(), "--fill, --rollup: leave one of them out"},
      {ask.head > 0, "--head, --rollup: records of groups have no subtotals"},
      {format == &OutputFormat::uniq, "--rollup, --to uniq: it shows one column; use --to table"},
      {format != nullptr && format->draws,
       "--rollup: bars of subtotals would be much longer than the others; use --to table"},
  };
  return refuse(refused);
}

// Records are in the groups of all their subtotals, so that a share would be of several totals.
Status begin_rollup(const Ask &ask, Compiled *compiled) {
  if (!ask.rolls_up) return Status::ok();
  if (Status status = check_rollup(ask); !status.is_ok()) return status;
  Program *program = &compiled->program;
  program->map.rolls_up = true;
  const bool has_share = std::ranges::any_of(program->aggregation.parts, &Part::wants_total);
  return has_share ? Status::error("--rollup: a share of which total is not clear; leave out share")
                   : Status::ok();
}

Status compile_stats(const Ask &ask, Compiled *compiled) {
  Program *program = &compiled->program;
  Status status = compile_fields(ask, ask.key, compiled);
  if (status.is_ok()) {
    status = compile_aggregates(ask, ask.aggregates.empty() ? "count" : ask.aggregates, compiled);
    if (!status.is_ok()) status = status.within("--aggregate");
  }
  if (status.is_ok()) status = begin_rollup(ask, compiled);
  if (status.is_ok()) status = take_heads(ask, compiled);
  KeyShape shape = program->map.fields.key_shape();
  for (KeyPart &part : shape.parts) part.rolls_up = ask.rolls_up;
  if (status.is_ok()) status = compile_rows(ask, std::move(shape), compiled);
  if (status.is_ok()) status = choose_across(ask, compiled);
  if (status.is_ok()) status = choose_fill(ask, compiled);
  if (!status.is_ok()) return status;
  program->total = ask.total && !program->map.fields.keys.empty();  // otherwise there is one row
  if (program->total && program->shape.format->draws) {
    return Status::error("--total: its bar would be much longer than the others; use --to table");
  }
  return Status::ok();
}

std::string list_aggregates() {
  std::string text = "Aggregates:\n";
  for (const AggregateHelp &each : aggregate_help()) {
    fmt::format_to(std::back_inserter(text), "  {:<16}{}\n", each.name, each.what);
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
    .compile = compile_stats,
    .reads_fields = true,
    .words = list_aggregates,
};

}  // namespace mrc
