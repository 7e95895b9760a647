// The format of rows, and the properties of the terminal that it depends on.
#include "cmd/values.h"
#include "combine/formula.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace mrc {
namespace {

bool to_terminal(const Program &program) {
  return program.output == "-" && !program.hands_over && isatty(STDOUT_FILENO) != 0;
}

bool wants(Request::When when, bool by_default) {
  return when == Request::When::automatic ? by_default : when == Request::When::always;
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

i64 terminal_width(i64 otherwise) {
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : otherwise;
}

bool has_numbers(const Program &program) {
  const std::vector<Column> &columns = program.aggregation.columns;
  return !program.shape.key_only &&
         std::any_of(columns.begin(), columns.end(), [](const Column &one) { return !one.text; });
}

}  // namespace

Status choose_format(Request *request) {
  RowShape *shape = &request->program.shape;
  shape->terminal = to_terminal(request->program);
  const OutputFormat *format = request->format;
  if (request->program.hands_over) {  // values only, one row per line
    shape->format = format;
    if (shape->records_part < 0) shape->terminator = '\n';
    return Status::ok();
  }
  if (format == nullptr) {
    format = shape->terminal && !shape->raw ? &OutputFormat::table : &OutputFormat::tsv;
  }
  const std::string name = format->name;
  if (shape->raw && !format->may_be_raw) {
    return Status::error("--raw is for tsv; it cannot be used with --to " + name);
  }
  if (format->draws && !has_numbers(request->program)) {
    return Status::error("--to: " + name + " need a column of numbers, and there is none");
  }
  shape->format = format;
  if (shape->records_part < 0) shape->header = wants(request->header_out, format->header);
  shape->human = request->human && format->for_people;
  shape->color = wants_color(*request);
  shape->ascii = !is_utf8_locale();
  if (shape->terminal) shape->width = terminal_width(shape->width);
  return Status::ok();
}

bool wants_color(const Request &request) {
  return wants(request.color, request.program.shape.terminal && terminal_has_colors());
}

std::string take_operand(Request *request) {
  std::string operand = std::move(request->arguments.front());
  request->arguments.erase(request->arguments.begin());
  request->job.operands.push_back(operand);
  return operand;
}

void take_inputs(Request *request) {
  request->job.inputs = request->arguments;
  if (!request->arguments.empty()) request->program.inputs = request->arguments;
}

void prepare_records(Request *request) {
  Program *program = &request->program;
  take_inputs(request);
  program->shape.terminal = to_terminal(*program);
}

namespace {

// Parses --having.
Status choose_groups(Request *request) {
  if (request->having.empty()) return Status::ok();
  Program *program = &request->program;
  Result<std::shared_ptr<const Formula>> having =
      parse_having(request->having, program->shape.key, program->aggregation, request->clock);
  if (!having.is_ok()) return having.status().within("--having");
  program->having = std::move(*having);
  return Status::ok();
}

}  // namespace

Status prepare_output(Request *request, KeyShape key) {
  Program *program = &request->program;
  program->shape.key = std::move(key);
  take_inputs(request);
  if (Status status = choose_format(request); !status.is_ok()) return status;
  if (Status status = choose_groups(request); !status.is_ok()) return status;
  return choose_order(request);
}

}  // namespace mrc
