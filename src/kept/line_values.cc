// A Dialect as lines of text:
//   dialect csv 44 10 1 0                  format, delimiter or -1, terminator, has header, is open
//   regex (?P<x>.*)                        this line and those of the next row: only if set
//   pattern, wrapper, layout, joins-time, zone, joins-lines, record-start
//   name host                              one line for each field
//   around name host                       lines of the dialect of the lines around the records
//   mixed name host                        lines of the dialects of records of several formats
#include "kept/inner/line_values.h"

#include "base/names.h"
#include "base/one_line.h"
#include "fields/wrapper.h"

#include <fmt/format.h>

#include <iterator>

namespace mrc {
namespace {

bool read_first(LineValues values, Dialect *dialect) {
  std::string format;
  i64 delimiter = -1, terminator = 0;
  values.take_word(&format).take(&delimiter, -1, 255).take(&terminator, 0, 255);
  values.take(&dialect->header).take(&dialect->open);
  if (delimiter >= 0) dialect->delimiter = static_cast<char>(delimiter);
  dialect->terminator = static_cast<char>(terminator);
  const bool is_mixed = format == LineFormat::mixed.name;
  dialect->format = is_mixed ? &LineFormat::mixed : find_named<LineFormat>(line_formats(), format);
  return values.ok() && dialect->format != nullptr;
}

// Reads a line of the dialect around another.
bool read_around(LineValues values, Dialect *of) {
  std::string name;
  values.take_word(&name);
  std::optional<Dialect> around;
  if (!of->around.empty()) around = std::move(of->around[0]);
  const bool is_read = read_dialect_line(name, values, &around);
  const bool is_deep = around && !around->around.empty() && !around->around[0].around.empty();
  if (around) of->around = {std::move(*around)};
  return is_read && !is_deep;
}

// Reads a line of one of the dialects of an input with several. Each begins with its first line.
bool read_mixed(LineValues values, Dialect *of) {
  std::string name;
  values.take_word(&name);
  std::optional<Dialect> part;
  if (name != "dialect" && !of->mixed.empty()) {
    part = std::move(of->mixed.back());
    of->mixed.pop_back();
  }
  const bool is_read = read_dialect_line(name, values, &part);
  const bool is_deep = part && !part->mixed.empty();
  if (part) of->mixed.push_back(std::move(*part));
  return is_read && !is_deep;
}

void append_lines_of(const Dialect &dialect, const char *name, std::string *text) {
  std::string lines;
  append_dialect(dialect, &lines);
  for (Bytes rest = lines; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1)) {
    fmt::format_to(std::back_inserter(*text), "{} {}\n", name, rest.substr(0, rest.find('\n')));
  }
}

}  // namespace

void append_dialect(const Dialect &dialect, std::string *text) {
  const auto out = std::back_inserter(*text);
  const int delimiter = dialect.delimiter ? static_cast<u8>(*dialect.delimiter) : -1;
  fmt::format_to(out, "dialect {} {} {} {} {}\n", dialect.format->name, delimiter,
                 int{static_cast<u8>(dialect.terminator)}, int{dialect.header}, int{dialect.open});
  if (!dialect.regex.empty()) fmt::format_to(out, "regex {}\n", on_one_line(dialect.regex));
  if (!dialect.pattern.empty()) fmt::format_to(out, "pattern {}\n", on_one_line(dialect.pattern));
  if (dialect.wrapper >= 0) fmt::format_to(out, "wrapper {}\n", dialect.wrapper);
  if (!dialect.layout.empty()) fmt::format_to(out, "layout {}\n", on_one_line(dialect.layout));
  if (dialect.preamble > 0) fmt::format_to(out, "preamble {}\n", dialect.preamble);
  if (dialect.joins_time) fmt::format_to(out, "joins-time 1\n");
  if (!dialect.zone.empty()) fmt::format_to(out, "zone {}\n", on_one_line(dialect.zone));
  if (dialect.joins_lines) fmt::format_to(out, "joins-lines 1\n");
  if (!dialect.record_start.empty()) {
    fmt::format_to(out, "record-start {}\n", on_one_line(dialect.record_start));
  }
  for (const std::string &name : dialect.names) {
    fmt::format_to(out, "name {}\n", on_one_line(name));
  }
  for (const Dialect &around : dialect.around) append_lines_of(around, "around", text);
  for (const Dialect &part : dialect.mixed) append_lines_of(part, "mixed", text);
}

bool read_dialect_line(Bytes name, LineValues values, std::optional<Dialect> *dialect) {
  if (name == "dialect") return read_first(values, &dialect->emplace());
  if (!*dialect) return false;
  Dialect &of = **dialect;
  if (name == "regex") return values.take(&of.regex).ok();
  if (name == "pattern") return values.take(&of.pattern).ok();
  if (name == "wrapper") return values.take(&of.wrapper, 0, std::ssize(wrappers()) - 1).ok();
  if (name == "layout") return values.take(&of.layout).ok();
  if (name == "preamble") return values.take(&of.preamble, 0, kMostSniffedBytes).ok();
  if (name == "joins-time") return values.take(&of.joins_time).ok();
  if (name == "zone") return values.take(&of.zone).ok();
  if (name == "around") return read_around(values, &of);
  if (name == "mixed") return read_mixed(values, &of);
  if (name == "joins-lines") return values.take(&of.joins_lines).ok();
  if (name == "record-start") return values.take(&of.record_start).ok();
  return name == "name" && values.take(&of.names.emplace_back()).ok();
}

}  // namespace mrc
