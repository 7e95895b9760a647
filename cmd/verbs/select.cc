#include "base/name_index.h"
#include "base/names.h"
#include "base/typed_text.h"
#include "cmd/found_fields.h"
#include "cmd/named_files.h"
#include "cmd/parse.h"
#include "cmd/record_columns.h"
#include "cmd/values.h"
#include "expr/expression_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace mrc {

extern const Verb verb_select;

namespace {

// Returns the fields that --cut-not leaves.
Result<std::vector<std::string>> fields_left(const std::string &fields, Compiled *compiled) {
  const Result<std::vector<std::string>> cut = split_names(fields);
  if (!cut.is_ok()) return cut.status();
  Result<std::vector<std::string>> all = all_fields(compiled);
  if (!all.is_ok()) return all.status();
  const NameIndex known(*all), left_out(*cut);
  for (const std::string &name : *cut) {
    if (known.find(name) >= 0) continue;
    return Status::error(fmt::format("no field \"{}\"{}; the fields are {}", name,
                                     did_you_mean(name, *all), fmt::join(*all, ", ")));
  }
  std::erase_if(*all, [&](const std::string &name) { return left_out.find(name) >= 0; });
  if (all->empty()) return Status::error("no field is left to print");
  return all;
}

// Returns the list with all fields in place of a star. A field that an item NAME=EXPRESSION
// computes anew is that item, and one that is named by itself is where it is named.
std::vector<std::string> with_fields(const std::vector<std::string> &items,
                                     const std::vector<std::string> &all) {
  std::vector<std::string> computed, named, fields;
  for (const std::string &item : items) {
    computed.push_back(name_of_item(item));
    if (item != "*") named.push_back(without_quotes(item));
  }
  const NameIndex known(all), own(computed), plain(named);
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i] != "*") {
      if (computed[i].empty() || known.find(computed[i]) < 0) fields.push_back(items[i]);
      continue;
    }
    for (const std::string &name : all) {
      const i64 item = name.empty() ? -1 : own.find(name);
      if (item >= 0) fields.push_back(items[static_cast<size_t>(item)]);
      if (item < 0 && plain.find(name) < 0) fields.push_back(column_of(name).text);
    }
  }
  return fields;
}

// Returns the fields to print: those of --key, with all fields in place of a star. Without --key, a
// format of rows needs all fields.
Result<std::string> printed_keys(const Ask &ask, Compiled *compiled) {
  const Spread &spread = ask.input.spread;
  const bool is_converted = ask.display.format != nullptr && !ask.run.hands_over;
  const bool needs_all = (is_converted || ask.select.transposes || spread.is_wanted()) &&
                         ask.select.cut_fields.empty() && ask.key.empty();
  const std::string key = needs_all ? "*" : ask.key;
  const Result<std::vector<std::string>> items = split_items(key);
  const i64 stars = items.is_ok() ? std::ranges::count(*items, "*") : 0;
  if (stars == 0) return key;
  if (stars > 1) return Status::error("--key: a star stands for all fields; name it once");
  const Result<std::vector<std::string>> all = all_fields(compiled);
  const char *spread_option = spread.by == Spread::By::columns ? "--stack" : "--each";
  const char *option = !needs_all              ? "--key"
                       : spread.is_wanted()    ? spread_option
                       : ask.select.transposes ? "--transpose"
                                               : "--to";
  if (!all.is_ok()) return all.status().within(option);
  return fmt::format("{}", fmt::join(with_fields(*items, *all), ","));
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
  FieldExpr &key = (*keys)[static_cast<size_t>(column)];
  key.text = key.computed ? to : column_of(to).text;
  return Status::ok();
}

Status rename_columns(const std::string &names, Program *program) {
  const Result<std::vector<std::string>> items = split_list(names);
  if (!items.is_ok()) return items.status();
  std::vector<FieldExpr> *keys = &program->map.fields.keys;
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

// Makes keys of the fields that --cut-not leaves. --rename gives their columns other names.
// REQUIRES: compile_fields()
Status choose_columns(const AskedSelect &ask, const std::vector<std::string> &left,
                      Program *program) {
  for (const std::string &name : left) program->map.fields.keys.push_back(column_of(name));
  if (ask.renamed.empty()) return Status::ok();
  Status status = rename_columns(ask.renamed, program);
  return status.is_ok() ? status : status.within("--rename");
}

// mrc select: prints records, or fields of them, in the order of the input.

Status set_sample(Ask *ask, const std::string &value) {
  AskedSelect *asked = &ask->select;
  asked->drawn = INT64_MAX;
  asked->share = 1;
  if (!value.ends_with('%')) {
    return set_integer<0, INT64_MAX - 1, &Ask::select, &AskedSelect::drawn>(ask, value);
  }
  const char *end = value.data() + value.size() - 1;
  double percent = 0;
  const auto [stop, error] = std::from_chars(value.data(), end, percent, std::chars_format::fixed);
  if (error != std::errc() || stop != end || !(percent >= 0 && percent <= 100)) {
    return Status::error(fmt::format("\"{}\" is no percentage from 0% to 100%", value));
  }
  asked->share = percent / 100;
  return Status::ok();
}

const Option kOptions[] = {
    kLookupOption,
    kOrderOption,
    {"--cut-not", "FIELDS", "print all fields but these", nullptr,
     set_text<"needs the name of a field", &Ask::select, &AskedSelect::cut_fields>, Effect::answer,
     false, true},
    {"--rename", "OLD=NEW,...", "give columns other names", nullptr,
     set_text<"needs OLD=NEW", &Ask::select, &AskedSelect::renamed>, Effect::answer, false, true},
    {"--text", nullptr, "in json: print all values as strings", nullptr,
     set_flag<&Ask::select, &AskedSelect::all_text>, Effect::answer},
    {"--nest", nullptr, "in json: a.b is a member of an object a, and a.0 an element of an array",
     nullptr, set_flag<&Ask::select, &AskedSelect::nests>, Effect::answer, true},
    {"--skip", "N", "do not print the first N records", nullptr,
     set_integer<0, INT64_MAX / 2, &Ask::select, &AskedSelect::skipped>, Effect::answer},
    {"--tail", "N", "print only the last N records", nullptr,
     set_integer<0, INT64_MAX - 1, &Ask::select, &AskedSelect::last>, Effect::answer},
    {"--sample", "N|P%", "draw N records at random, or P percent of all", nullptr, set_sample,
     Effect::answer},
    {"--seed", "NUMBER", "with --sample: draw others than the default, 0, does", nullptr,
     set_integer<0, INT64_MAX, &Ask::select, &AskedSelect::seed>, Effect::answer},
    {"--tac", nullptr, "print the last record first", nullptr,
     set_flag<&Ask::select, &AskedSelect::reversed>, Effect::answer},
    {"--transpose", nullptr, "print columns as rows, and rows as columns", nullptr,
     set_flag<&Ask::select, &AskedSelect::transposes>},
    {"--files", "N", "with {FIELD} in -o: keep at most N files open; default: 256", nullptr,
     set_integer<1, 1000000, &Ask::select, &AskedSelect::most_open>, Effect::conduct},
    {"--force", nullptr, "with {FIELD} in -o: replace files that are there already", nullptr,
     set_flag<&Ask::select, &AskedSelect::replaces>, Effect::conduct},
};

const Absent kAbsent[] = {
    {"-c, -b, --characters, --bytes", "use -k 'x=substr(line, FROM, LENGTH)'"},
    {"-s, --only-delimited", "select records with -w EXPR"},
    {"--complement", "it is called --cut-not"},
    {"--output-delimiter", "rows are tab-separated; --to csv prints commas"},
};

// Records stay as they are without --to, unless an option makes rows of them.
const OutputFormat *format_of(const Ask &ask) {
  const bool are_rows = !ask.key.empty() || !ask.select.cut_fields.empty() ||
                        ask.select.transposes || ask.input.spread.is_wanted();
  return are_rows ? asked_format(ask) : ask.display.format;
}

// Refuses common options that a stream of records cannot support.
Status check(const Ask &ask) {
  const bool ordered = !ask.by.empty() || ask.direction != Ask::Direction::natural;
  const bool draws = ask.select.drawn < INT64_MAX || ask.select.share < 1;
  const OutputFormat *format = format_of(ask);
  const bool is_table = format != nullptr && format->for_people;
  const bool has_limits = ask.top >= 0 || ask.select.last < INT64_MAX || ask.select.skipped > 0;
  const Refusal refused[] = {
      {draws && (has_limits || ask.select.reversed),
       "--sample draws from all records; leave out --top, --tail, --skip and --tac"},
      {ask.select.last < INT64_MAX && ask.top >= 0,
       "--tail, --top: the first records or the last, not both"},
      {!ask.key.empty() && !ask.select.cut_fields.empty(),
       "--cut-not, --key: all fields but some, or some, not both"},
      {ask.select.transposes && ask.run.hands_over,
       "--transpose prints names that no later stage knows; make it the last stage, or pipe"},
      {ask.select.nests && format != &OutputFormat::json,
       "--nest makes objects of JSON; add --to json"},
      {ask.select.nests && ask.select.transposes,
       "--nest, --transpose: rows of names have no members"},
      {ask.select.nests && ask.run.hands_over,
       "--nest makes objects that no later stage knows; make it the last stage, or pipe"},
      {ordered, "--by, --asc, --desc: records stay in the order of the input; mrc sort sorts them"},
      {ask.ignore_case, "--ignore-case is for groups; use -k FIELD:lower for lower case"},
      {ask.display.human, "--human is for tables; select prints values unchanged"},
      {ask.display.style.round.has_value(),
       "--round is for results; select prints values unchanged"},
      {ask.display.color == When::always && !is_table,
       "--color: there are no colors in tsv, csv and json"},
      {is_table && !ask.run.hands_over && (ask.run.follows || !ask.checkpoint.empty()),
       "--to: columns of tables are as wide as all rows need; leave out --follow and --checkpoint"},
  };
  if (Status status = refuse(refused); !status.is_ok()) return status;
  const bool has_fields = !ask.key.empty() || !ask.select.cut_fields.empty();
  if (format == nullptr || (!has_fields && ask.run.hands_over)) return Status::ok();
  if (format->field_text != nullptr) return Status::ok();
  return Status::error("--to: " + std::string(format->name) +
                       " is for a column of numbers; select prints records as " +
                       list_names(kOutputFormats, "or", &OutputFormat::field_text));
}

// The fields that a star stands for are part of the job, so that what was kept of an input with
// others is not used. Choices are in the order of the tables.
void note_keys(const std::string &keys, Job *job) {
  const auto is_key = [](const Job::Choice &choice) { return choice.option == "--key"; };
  const auto choice = std::ranges::find_if(job->choices, is_key);
  if (choice != job->choices.end()) {
    choice->value = keys;
  } else if (!keys.empty()) {
    const std::vector<const Option *> options = options_of(verb_select);
    const auto place_of = [&](const char *name) {
      return std::ranges::find(options, find_option(verb_select, name));
    };
    const auto next = std::ranges::find_if(job->choices, [&](const Job::Choice &each) {
      return place_of(each.option.c_str()) > place_of("--key");
    });
    job->choices.insert(next, {"--key", keys});
  }
}

// Returns the largest rank of this share of all ranks.
u64 rank_of_share(double share) {
  return share >= 1 ? ~u64{0} : static_cast<u64>(std::ldexp(share, 64));
}

// The first row is that of names, whether they are printed or not. Without a header, the first
// column is not printed.
void transpose(const Ask &ask, Program *program, SelectSpec *spec) {
  program->shape.transposed = spec->shape.transposed = true;
  program->shape.header = ask.display.header != When::never;
  spec->shape.header = true;
}

Status compile_select(const Ask &ask, Compiled *compiled) {
  if (Status status = check(ask); !status.is_ok()) return status;
  Program *program = &compiled->program;
  program->stage = &kTextStage;
  const OutputFormat *format = format_of(ask);
  if (format == nullptr) format = &OutputFormat::tsv;
  const Result<std::string> keys = printed_keys(ask, compiled);
  if (!keys.is_ok()) return keys.status();
  note_keys(*keys, &compiled->job);
  const std::string &cut = ask.select.cut_fields;
  const Result<std::vector<std::string>> left =
      cut.empty() ? std::vector<std::string>() : fields_left(cut, compiled);
  if (!left.is_ok()) return left.status().within("--cut-not");
  Status status = compile_fields(ask, *keys, compiled);
  if (status.is_ok()) status = choose_columns(ask.select, *left, program);
  const Result<std::shared_ptr<const FileNames>> files =
      status.is_ok() ? compile_named_files(ask, compiled) : status;
  if (!files.is_ok()) return files.status();
  take_found_fields(program);
  if (status = choose_format(ask, format, compiled); !status.is_ok()) return status;
  SelectSpec spec{program->map.fields, program->shape};
  spec.files = *files;
  if (spec.fields.keys.empty()) {
    program->shape.header = ask.display.header != When::never;
    spec.shape.header = program->shape.header;
    spec.shape.terminator = program->map.terminator;
  }
  spec.all_text = ask.select.all_text;
  spec.nests = ask.select.nests;
  if (format == &OutputFormat::json) spec.known = know_keys(*program, compiled->clock);
  if (ask.select.transposes) transpose(ask, program, &spec);
  spec.skipped = ask.select.skipped;
  if (ask.top >= 0) spec.of_all = ask.top + std::min(spec.skipped, INT64_MAX - ask.top);
  spec.last = ask.select.last;
  spec.reversed = ask.select.reversed;
  spec.drawn = ask.select.drawn;
  spec.most_rank = rank_of_share(ask.select.share);
  spec.seed = static_cast<u64>(ask.select.seed);
  keep_lines_alone(compiled);
  program->transform = make_select(std::move(spec));
  return Status::ok();
}

}  // namespace

const Verb verb_select = {
    .name = "select",
    .arguments = "[FILE...]",
    .summary = "print the records, or fields of them, that a condition selects",
    .description =
        "Prints the records for which --where, --since and --until hold, in the order of the "
        "input.\n"
        "With --key it prints these fields of each record, and with --to alone all fields, which\n"
        "a star in --key stands for, too. Else it prints the whole record unchanged, after the\n"
        "header of the input if there is one. All cores share the work. Fields have names or\n"
        "numbers in all formats; see mrc-formats(7).\n"
        "\n"
        "With {FIELD} in the name of --output, each record goes to the file that its value names.\n"
        "\n"
        "A missing field is empty in tsv and csv, and null in json.",
    .examples =
        "  mrc select -w 'status >= 500' access.log           whole lines, as grep prints them\n"
        "  mrc select -k time,path -w 'bytes > 1M and method == \"GET\"' access.log\n"
        "  mrc select --to json orders.csv                    CSV to JSON\n"
        "  mrc select -k '*,gross=price*1.25' --to csv orders.csv\n"
        "  mrc select -o 'out/{time:day}/{status}.log' access.log    a file for each value\n"
        "  mrc select --since -1h -k time:minute,ip --top 20 access.log\n",
    .options = kOptions,
    .absent = kAbsent,
    .compile = compile_select,
    .reads_fields = true,
};

}  // namespace mrc
