// mrc map: commands as mappers and reducers.
#include "cmd/look.h"
#include "combine/aggregates.h"
#include "expr/expression_items.h"
#include "output/record_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace mrc {
namespace {

const Option kOptions[] = {
    {"--map", "CMD", "the mapper: reads records, and prints lines of KEY TAB VALUE", nullptr,
     set_text<"needs a command, such as 'grep -o \"[a-z]*\"'", &Ask::map, &AskedMap::command>},
    {"--combine", "CMD",
     "the combiner: reads sorted lines of a mapper, and prints fewer, as KEY TAB VALUE", nullptr,
     set_text<"needs a command that prints KEY TAB VALUE", &Ask::map, &AskedMap::combine>},
    {"--reduce", "CMD|LIST",
     "the reducer: reads lines sorted by key; or aggregates, such as count,sum:2", nullptr,
     set_text<"needs a command, or aggregates such as count,sum:2", &Ask::map, &AskedMap::reduce>},
    {"--each-split", nullptr, "start a mapper for each split, and not one for each worker", nullptr,
     set_flag<&Ask::map, &AskedMap::each_split>},
    {"--sorted", nullptr, "print the sorted lines that a reducer reads", nullptr,
     set_flag<&Ask::map, &AskedMap::sorted>},
    {"--presorted", nullptr, "with --reduce CMD: the input is sorted by key already", nullptr,
     set_flag<&Ask::map, &AskedMap::presorted>},
    kHavingOption,
};

const Absent kAbsent[] = {
    {"--mapper", "it is called --map"},
    {"--reducer", "it is called --reduce"},
    {"--input", "inputs are arguments: mrc map --map CMD FILE..."},
    {"--combiner", "it is called --combine"},
    {"--isolate", "each command is a process already"},
    {"-k, --key",
     "the key ends at the first tab; mrc map ... then stats -k groups by other fields"},
    {"-w, --where", "select records in the mapper, or with mrc map ... then select -w"},
};

// A list of aggregates begins with the name of one, or with a name for one; all else is a command.
bool is_list(const std::string &reduce) {
  const size_t end = reduce.find_first_of(",:(= ");
  if (end == std::string::npos || reduce[end] != '=') return is_aggregate(reduce.substr(0, end));
  return is_list(reduce.substr(end + 1));
}
bool is_reducer(const AskedMap &map) { return !map.reduce.empty() && !is_list(map.reduce); }

Status check(const Ask &ask) {
  const AskedMap &map = ask.map;
  const bool has_rows = !map.sorted && !map.presorted;
  const Display &display = ask.display;
  const bool shows_rows = display.format != nullptr || display.human || display.style.round;
  const bool orders_rows =
      !ask.by.empty() || ask.direction != Ask::Direction::natural || ask.top >= 0;
  const Refusal refused[] = {
      {map.command.empty() && map.reduce.empty() && !map.sorted,
       "--map: there is no mapper; name a command that reads records, and prints lines of KEY TAB "
       "VALUE"},
      {map.presorted && !is_reducer(map),
       "--presorted is for a command that reduces: --reduce CMD"},
      {map.presorted && (!map.command.empty() || map.sorted),
       "--presorted: input that is sorted by key needs no --map and no --sorted"},
      {!map.combine.empty() && map.command.empty(),
       "--combine: it combines what a mapper prints, and there is none; use --map cat for lines of "
       "the input"},
      {!map.combine.empty() && map.reduce.empty() && !map.sorted,
       "--combine: lines are counted without --reduce, and a combiner changes how many there are; "
       "use --reduce sum:2 or --reduce CMD"},
      {map.sorted && !map.reduce.empty() && !is_reducer(map),
       "--sorted, --reduce: sorted lines or aggregates of them, not both"},
      {!has_rows && !ask.run.hands_over && shows_rows,
       "--to, --human, --round: lines of commands are printed unchanged"},
      {!has_rows && ask.ignore_case,
       "--ignore-case: a command that reduces gets keys as they are; fold them in the mapper"},
      {!has_rows && (orders_rows || !ask.having.empty()),
       "--by, --top, --having: lines of commands are no rows; use then"},
  };
  return refuse(refused);
}

// Reads what mappers print: fields that tabs separate.
Status read_pairs(const Ask &ask, Compiled *compiled) {
  FormatSpec *format = &compiled->program.map.fields.format;
  format->format = &LineFormat::fields;
  format->delimiter = '\t';
  format->header = false;
  compiled->kinds = kinds_of_columns({});
  return compile_fields(ask, "", compiled);
}

// Copies the lines that reducers print.
void print_lines(Program *program) {
  program->stage = &kTextStage;
  program->shape.terminator = program->map.terminator;
  program->transform = make_select({program->map.fields, program->shape});
}

// Sorts lines by their keys, and those of a key by their bytes.
void sort_lines(Program *program) {
  program->stage = &kSortStage;
  program->map.records = MapSpec::Records::lines;
  SortSpec *sort = &program->sort.emplace();
  sort->terminator = program->map.terminator;
  sort->key.delimiter = '\t';
  sort->key.fields.push_back({.field = 1});
}

// A mapper gets splits in any order, so that what it prints has none.
Status refuse_order(const Ask &ask, const Program &program) {
  const bool has_order = ask.map.each_split || ask.map.command.empty();
  for (const Part &part : program.aggregation.parts) {
    if (part.shift == nullptr || has_order) continue;
    return Status::error(
        "--reduce: mappers print in no order, and an aggregate depends on it; with --each-split "
        "there is the order of the input");
  }
  return Status::ok();
}

// Aggregates of a field whose result a combiner may keep: one that adds values up keeps sums, one
// that drops all but the extreme values keeps min, max and range, and one that drops duplicates
// keeps the number and list of distinct values.
constexpr std::string_view kCombined[] = {"sum",      "min",       "max",    "range",
                                          "distinct", "distinct~", "unique", "distinct_list"};

bool may_follow_combiner(std::string_view function) {
  return std::ranges::find(kCombined, function) != std::end(kCombined);
}

// A value that is computed of a sum is not the sum of computed values.
bool may_follow_combiner(const Expression &item) {
  if (item.kind != Expression::Kind::aggregate) {
    return std::ranges::all_of(item.arguments, [](const Expression &argument) {
      return argument.kind != Expression::Kind::field && may_follow_combiner(argument);
    });
  }
  const bool is_of_field = item.condition == nullptr && item.arguments.size() == 1 &&
                           item.arguments[0].kind == Expression::Kind::field &&
                           item.arguments[0].field.computed == nullptr;
  return is_of_field && may_follow_combiner(item.name);
}

// `text` is FUNC:FIELD, which may be followed by a bucket: the bucket of a sum is another value.
bool may_follow_combiner_plain(const std::string &text) {
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string function = text.substr(0, colon);
  const bool has_bucket = text.find(':', colon + 1) < text.size() && !text.ends_with(":num");
  return may_follow_combiner(std::string_view(function)) && !(function == "sum" && has_bucket);
}

Status refuse_item(const std::string &text, const Clock &clock) {
  const Result<ListItem> item = parse_item(text, {clock, {}, is_aggregate});
  const bool is_sound =
      item.is_ok() &&
      (item->expression ? has_aggregate(*item->expression) && may_follow_combiner(*item->expression)
                        : may_follow_combiner_plain(text));
  if (is_sound) return Status::ok();
  return Status::error(fmt::format(
      "--combine: {} depends on single lines, which a combiner changes; after one, use {} of a "
      "field, or a command",
      text, fmt::join(kCombined, ", ")));
}

// A combiner changes how many lines a key has, and their order.
Status refuse_combined(const Ask &ask, const std::string &list, const Clock &clock,
                       const Program &program) {
  if (ask.map.combine.empty()) return Status::ok();
  for (const Part &part : program.aggregation.parts) {
    if (part.shift != nullptr) {
      return Status::error(
          "--combine: a combiner reads sorted lines, and an aggregate depends on the order of the "
          "input");
    }
    if (part.reducer == &kCount || part.reducer == &kPresent) {
      return Status::error(
          "--combine: count is the number of lines, which a combiner changes; have it print "
          "counts, and add them up with sum:2");
    }
  }
  const Result<std::vector<std::string>> items = split_items(list);
  if (!items.is_ok()) return items.status();
  for (const std::string &item : *items) {
    if (Status status = refuse_item(item, clock); !status.is_ok()) return status;
  }
  return Status::ok();
}

Status reduce_pairs(const Ask &ask, Compiled *compiled) {
  Program *program = &compiled->program;
  program->map.fields.keys = {{.field = {"1", 1}, .text = "key"}};
  const std::string list = ask.map.reduce.empty() ? "count" : ask.map.reduce;
  Status status = compile_aggregates(ask, list, compiled);
  if (!status.is_ok()) return status.within("--reduce");
  if (program->map.fields.wanted().have_input_name()) {
    return Status::error("--reduce: file(): lines of mappers do not say which input they are of");
  }
  if (status = refuse_combined(ask, list, compiled->clock, *program); !status.is_ok())
    return status;
  if (status = refuse_order(ask, *program); !status.is_ok()) return status;
  return compile_rows(ask, program->map.fields.key_shape(), compiled);
}

Status compile_map(const Ask &ask, Compiled *compiled) {
  if (Status status = check(ask); !status.is_ok()) return status;
  const AskedMap &map = ask.map;
  Program *program = &compiled->program;
  program->feed = {map.presorted ? map.reduce : map.command,
                   map.presorted    ? FeedSpec::Share::keys
                   : map.each_split ? FeedSpec::Share::split
                                    : FeedSpec::Share::any,
                   ask.run.isolation.unit_seconds, map.combine};
  if (Status status = read_pairs(ask, compiled); !status.is_ok()) return status;
  if (!map.presorted && !map.sorted) return reduce_pairs(ask, compiled);
  map.sorted ? sort_lines(program) : print_lines(program);
  return Status::ok();
}

// A command that reduces reads what a stage before it has sorted.
std::vector<Job> stages_of(Job job) {
  const Job::Choice *reduce = job.find("--reduce");
  const bool is_command = reduce != nullptr && !is_list(reduce->value);
  if (!is_command || job.find("--presorted") != nullptr || job.find("--sorted") != nullptr) {
    return {std::move(job)};
  }
  Job reducer{.verb = job.verb, .choices = {*reduce, {"--presorted", ""}}};
  std::erase(job.choices, reducer.choices[0]);
  job.choices.push_back({"--sorted", ""});
  return {std::move(job), std::move(reducer)};
}

}  // namespace

extern const Verb verb_map;
const Verb verb_map = {
    .name = "map",
    .arguments = "[FILE...]",
    .summary = "run commands as mappers and reducers, on all cores",
    .description =
        "Runs the command of --map once for each worker, and gives each records of the input on\n"
        "its standard input. The command prints lines of KEY TAB VALUE; a line without a tab is a\n"
        "key. mrc groups the lines by key, and prints how many each key has, or the aggregates of\n"
        "--reduce, whose field 2 is the value.\n"
        "\n"
        "If --reduce is a command, it reads the lines sorted by key, and all lines of a key come\n"
        "to one run of the command. What the commands print is printed in the order of the keys.\n"
        "\n"
        "A command of --combine gets lines that one mapper has printed, sorted by key, and prints\n"
        "fewer in their place, such as sums: mrc then has fewer lines to sort.\n"
        "\n"
        "A mapper must treat each record by itself: which records it reads, and how many mappers\n"
        "there are, depends on the machine. With --each-split a mapper reads one split.",
    .examples =
        "  mrc map --map 'tr A-Z a-z' names.txt                    count lines in lower case\n"
        "  mrc map --map 'jq -r .user' --top 10 events.json        count what jq prints\n"
        "  mrc map --map './parse.py' --reduce count,sum:2 log     sums of values by key\n"
        "  mrc map --map './parse.py' --reduce './sessions.py' log a reducer of your own\n"
        "  mrc map --map './parse.py' --combine './add.py' --reduce './add.py' log\n",
    .options = kOptions,
    .absent = kAbsent,
    .compile = compile_map,
    .stages = stages_of,
};

}  // namespace mrc
