// The order of a job's rows, and how they are printed.
#include "base/names.h"
#include "base/typed_text.h"
#include "cmd/compile.h"
#include "combine/aggregates.h"
#include "combine/formula.h"
#include "expr/expression_items.h"
#include "rows/order_key.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace mrc {

// The order of rows: the columns that the user names become terms, each with its direction.

namespace {

using Terms = std::vector<OrderTerm>;

std::vector<std::string> column_names(const Program &program) {
  std::vector<std::string> names;
  for (const KeyPart &part : program.shape.key.parts) names.push_back(part.name);
  for (const Column &column : program.aggregation.columns) names.push_back(column.name);
  return names;
}

bool descends(const Ask &ask, bool is_number) {
  if (ask.direction == Ask::Direction::natural) return is_number;
  return ask.direction == Ask::Direction::descending;
}

// Returns the term of a column, given by its index among the names. Numbers descend by default,
// text ascends.
OrderTerm term_of(const Ask &ask, const Program &program, i64 index) {
  const std::vector<KeyPart> &parts = program.shape.key.parts;
  const std::vector<Column> &columns = program.aggregation.columns;
  OrderTerm term;
  bool number = false;
  if (index < std::ssize(parts)) {
    term.part = index;  // keys ascend, even numbers
  } else {
    term.column = index - std::ssize(parts);
    number = !orders_by_text(columns[static_cast<size_t>(term.column)]);
  }
  term.descending = descends(ask, number);
  return term;
}

// Parses an expression of columns. A name similar to that of a column is reported as a misspelled
// column.
Result<OrderTerm> computed_term(const Ask &ask, const Compiled &compiled, const std::string &item,
                                const std::vector<std::string> &names) {
  const Program &program = compiled.program;
  Result<std::shared_ptr<const Column>> column =
      parse_order(item, program.shape.key, program.aggregation, compiled.clock);
  if (column.is_ok()) {
    OrderTerm term;
    term.descending = descends(ask, !orders_by_text(**column));
    term.computed = std::move(*column);
    return term;
  }
  const std::string name = without_quotes(item), meant = did_you_mean(name, names);
  const bool is_name = name.find_first_of("+-*/%()[]<>=! ") == name.npos;
  const bool is_wrong = !column.status().is_unknown_name();
  if (!is_name && (meant.empty() || is_wrong)) return column.status();
  const bool fields = program.map.records == MapSpec::Records::fields && !program.plugin;
  return Status::error(fmt::format("no column \"{}\"{}; there are {}; to group by a field use {}-k",
                                   name, meant, fmt::join(names, ", "),
                                   fields ? "" : "mrc count "));
}

// True for results that descend by default: numbers, durations and times.
bool is_measured(const Column &column) {
  const ValueKind kind = kind_of_column(column).kind;
  return kind == ValueKind::number || kind == ValueKind::duration || kind == ValueKind::time;
}

// Returns the term of a column, given by its index among the names, in the order of its kind.
Result<OrderTerm> column_term(const Ask &ask, const Compiled &compiled, i64 index,
                              const std::string &name) {
  const Program &program = compiled.program;
  const i64 parts = std::ssize(program.shape.key.parts);
  const bool is_number =
      index < parts && program.shape.key.parts[static_cast<size_t>(index)].number;
  if (is_number) return term_of(ask, program, index);
  Result<std::shared_ptr<const Column>> order =
      kind_order_of(name, program.shape.key, program.aggregation, compiled.clock);
  if (!order.is_ok()) return order.status();
  if (*order == nullptr) {
    const std::vector<FieldExpr> &keys = program.map.fields.keys;
    const bool is_field = index < std::min(parts, std::ssize(keys));
    if (is_field) note_order_of_text(keys[static_cast<size_t>(index)], "--by", compiled.clock);
    return term_of(ask, program, index);
  }
  OrderTerm term;
  term.descending = descends(
      ask, index >= parts &&
               is_measured(program.aggregation.columns[static_cast<size_t>(index - parts)]));
  term.computed = std::move(*order);
  return term;
}

Result<OrderTerm> parse_term(const Ask &ask, const Compiled &compiled, const std::string &item,
                             const std::vector<std::string> &names) {
  const auto found = std::ranges::find(names, without_quotes(item));
  if (found == names.end()) return computed_term(ask, compiled, item, names);
  return column_term(ask, compiled, found - names.begin(), *found);
}

// Splits into names of columns. If one is not a column, splits into expressions, where commas in
// brackets do not separate.
Result<std::vector<std::string>> split_order(const std::string &by,
                                             const std::vector<std::string> &names) {
  Result<std::vector<std::string>> items = split_list(by);
  const auto is_name = [&](const std::string &item) {
    return std::ranges::find(names, without_quotes(item)) != names.end();
  };
  if (!items.is_ok() || std::ranges::all_of(*items, is_name)) return items;
  return split_items(by);
}

// Parses the terms of --by. A column that is named again has nothing left to decide.
Status parse_terms(const Ask &ask, const Compiled &compiled, Terms *terms) {
  const std::vector<std::string> names = column_names(compiled.program);
  const Result<std::vector<std::string>> items = split_order(ask.by, names);
  if (!items.is_ok()) return items.status().within("--by");
  for (const std::string &item : *items) {
    Result<OrderTerm> term = parse_term(ask, compiled, item, names);
    if (!term.is_ok()) return term.status().within("--by");
    if (std::ranges::find(*terms, *term) == terms->end()) terms->push_back(std::move(*term));
  }
  return Status::ok();
}

}  // namespace

Status choose_order(const Ask &ask, Compiled *compiled) {
  const Program &program = compiled->program;
  Order *order = &compiled->program.order;
  order->limit = ask.top;
  const bool top = ask.top >= 0 && !program.aggregation.columns.empty();
  Terms terms;
  if (!ask.by.empty()) {
    if (Status status = parse_terms(ask, *compiled, &terms); !status.is_ok()) return status;
  } else if (top) {
    terms.push_back(term_of(ask, program, std::ssize(program.shape.key.parts)));
  } else {  // by key, numbers in it ascending
    order->descending = ask.direction == Ask::Direction::descending;
    return Status::ok();
  }
  order_by(std::move(terms), program.shape.key, program.aggregation.columns, order);
  return Status::ok();
}

// The format of rows, and the properties of the terminal that it depends on.

namespace {

bool wants(When when, bool by_default) {
  return when == When::automatic ? by_default : when == When::always;
}

// Returns an environment variable, "" if it is not set.
std::string_view environment(const char *name) {
  const char *value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// See https://no-color.org.
bool terminal_has_colors() {
  return environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

// True if the locale's name says UTF-8. A terminal can show UTF-8 even if the machine lacks the
// locale.
bool is_utf8_locale() {
  for (const char *name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string locale(environment(name));
    if (locale.empty()) continue;
    for (char &c : locale) c = static_cast<char>(c | 0x20);  // letters to lower case
    return locale.find("utf-8") != locale.npos || locale.find("utf8") != locale.npos;
  }
  return false;
}

// Returns the width of lines in characters, which COLUMNS sets.
i64 output_width(const RowShape &shape) {
  constexpr i64 kLeast = 20, kMost = 10'000;
  const std::string_view set = environment("COLUMNS");
  i64 columns = 0;
  const auto [end, error] = std::from_chars(set.data(), set.data() + set.size(), columns);
  const bool is_number = error == std::errc() && end == set.data() + set.size();
  if (is_number && columns >= kLeast && columns <= kMost) return columns;
  winsize size{};
  const bool is_known = shape.terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return is_known && size.ws_col > 0 ? size.ws_col : shape.width;
}

bool has_numbers(const Program &program) {
  const std::vector<Column> &columns = program.aggregation.columns;
  return !program.shape.key_only &&
         std::any_of(columns.begin(), columns.end(), [](const Column &one) { return !one.text; });
}

}  // namespace

bool is_for_terminal(const RunSettings &run) {
  return run.output == "-" && !run.hands_over && isatty(STDOUT_FILENO) != 0;
}

const OutputFormat *asked_format(const Ask &ask) {
  static constexpr std::pair<std::string_view, const OutputFormat *> kEndings[] = {
      {".csv", &OutputFormat::csv},
      {".tsv", &OutputFormat::tsv},
      {".json", &OutputFormat::json},
      {".jsonl", &OutputFormat::json},
      {".ndjson", &OutputFormat::json}};
  const bool are_rows = !ask.run.hands_over && !ask.run.partial.is_wanted && ask.head == 0;
  if (ask.display.format != nullptr || !are_rows) return ask.display.format;
  std::string_view name = ask.run.output;
  if (is_zstd_name(name)) name.remove_suffix(std::string_view(".zst").size());
  for (const auto &[ending, format] : kEndings) {
    if (name.ends_with(ending)) return format;
  }
  return nullptr;
}

Status choose_format(const Ask &ask, const OutputFormat *format, Compiled *compiled) {
  const Program &program = compiled->program;
  RowShape *shape = &compiled->program.shape;
  if (program.hands_over) {  // values only, one row per line
    shape->format = format;
    if (shape->records_part < 0) shape->terminator = '\n';
    return Status::ok();
  }
  if (format == nullptr) {
    format = shape->terminal && !shape->raw ? &OutputFormat::table : &OutputFormat::tsv;
  }
  const std::string name = format->name;
  if (shape->raw && !format->may_be_raw) {
    const bool is_named = ask.display.format == nullptr;  // by the name of the output
    return Status::error("--raw is for tsv; it cannot be used with " +
                         (is_named ? "-o " + ask.run.output : "--to " + name));
  }
  if (format->draws && !has_numbers(program)) {
    return Status::error("--to: " + name + " need a column of numbers, and there is none");
  }
  if (format->spreads) {
    if (Status status = choose_drawing(ask, *format, compiled); !status.is_ok()) return status;
  }
  shape->format = format;
  if (format->for_people && shape->records_part < 0) shape->terminator = '\n';
  if (shape->records_part < 0) shape->header = wants(ask.display.header, format->header);
  shape->human = ask.display.human && format->for_people;
  shape->color = wants_color(ask, program);
  shape->ascii = !is_utf8_locale();
  shape->width = output_width(*shape);
  return Status::ok();
}

bool wants_color(const Ask &ask, const Program &program) {
  return wants(ask.display.color, program.shape.terminal && terminal_has_colors());
}

void keep_lines_alone(Compiled *compiled) {
  When *progress = &compiled->reporting.progress;
  if (compiled->program.shape.terminal && *progress == When::automatic) *progress = When::never;
}

namespace {

// Parses --having.
Status choose_groups(const std::string &text, Compiled *compiled) {
  if (text.empty()) return Status::ok();
  Program *program = &compiled->program;
  Result<std::shared_ptr<const Formula>> having =
      parse_having(text, program->shape.key, program->aggregation, compiled->clock);
  if (!having.is_ok()) return having.status().within("--having");
  program->having = std::move(*having);
  return Status::ok();
}

}  // namespace

Status compile_rows(const Ask &ask, KeyShape key, Compiled *compiled) {
  compiled->program.shape.key = std::move(key);
  Status status = choose_format(ask, asked_format(ask), compiled);
  if (status.is_ok()) status = choose_groups(ask.having, compiled);
  return status.is_ok() ? choose_order(ask, compiled) : status;
}

}  // namespace mrc
