// The list is text: a line for each thing, its name and what it is. The last line is a checksum of
// all others.
//
//   mrc units 1
//   job verb stats                         for each line of it
//   newest 1700000000
//   input /var/log/a.csv                   what follows belongs to it
//   packed                                 if it is compressed
//   dialect csv 44 10 1 0                  format, delimiter or -1, terminator, has header, is open
//   regex (?P<x>.*)                        if there is one
//   pattern, wrapper, layout, joins-time, joins-lines, record-start    the same
//   name host                              of a field, for each of them
//   unit 0:/var/log/a.csv:0:1048576        number, input, offset, length
//   end 0123456789abcdef
#include "kept/unit_list.h"

#include "base/hash.h"
#include "base/named.h"
#include "base/one_line.h"
#include "base/setting_name.h"
#include "base/text.h"
#include "fields/wrapper.h"
#include "kept/line_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace mrc {
namespace {

constexpr std::string_view kFirst = "mrc units ";

Status damaged(const std::string &what) {
  return Status::error("is no list of units, or damaged: " + what + "; mrc units " +
                       setting_name("list") + " prints one");
}

void append_input(const UnitList::Input &input, std::string *text) {
  const auto out = std::back_inserter(*text);
  fmt::format_to(out, "input {}\n", on_one_line(input.path));
  if (input.packed) *text += "packed\n";
  if (input.of_command) *text += "command\n";
  if (!input.dialect) return;
  const Dialect &dialect = *input.dialect;
  const int delimiter = dialect.delimiter ? static_cast<u8>(*dialect.delimiter) : -1;
  fmt::format_to(out, "dialect {} {} {} {} {}\n", dialect.format->name, delimiter,
                 int{static_cast<u8>(dialect.terminator)}, int{dialect.header}, int{dialect.open});
  if (!dialect.regex.empty()) fmt::format_to(out, "regex {}\n", on_one_line(dialect.regex));
  if (!dialect.pattern.empty()) fmt::format_to(out, "pattern {}\n", on_one_line(dialect.pattern));
  if (dialect.wrapper >= 0) fmt::format_to(out, "wrapper {}\n", dialect.wrapper);
  if (!dialect.layout.empty()) fmt::format_to(out, "layout {}\n", on_one_line(dialect.layout));
  if (dialect.joins_time) fmt::format_to(out, "joins-time 1\n");
  if (dialect.joins_lines) fmt::format_to(out, "joins-lines 1\n");
  if (!dialect.record_start.empty()) {
    fmt::format_to(out, "record-start {}\n", on_one_line(dialect.record_start));
  }
  for (const std::string &name : dialect.names) {
    fmt::format_to(out, "name {}\n", on_one_line(name));
  }
}

// All that the units do not say.
std::string text_of_inputs(const UnitList &list) {
  std::string text = fmt::format("{}{}\n", kFirst, UnitList::kVersion);
  for (Bytes left = list.job; !left.empty();) {
    const Bytes line = left.substr(0, left.find('\n'));
    fmt::format_to(std::back_inserter(text), "job {}\n", on_one_line(line));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
  }
  fmt::format_to(std::back_inserter(text), "newest {}\n", list.newest);
  for (const UnitList::Input &input : list.inputs) append_input(input, &text);
  return text;
}

bool read_number(Bytes text, i64 *number) { return LineValues(text).take(number).ok(); }

// NUMBER:FILE:OFFSET:LENGTH; the name may have colons.
struct UnitName {
  PartialUnit unit;
  std::string path;
};
std::optional<UnitName> parse_name(Bytes text) {
  const size_t first = text.find(':'), last = text.rfind(':');
  if (first == text.npos || last == first) return {};
  const size_t middle = text.rfind(':', last - 1);
  if (middle == first) return {};
  UnitName name;
  i64 length = 0;
  name.path = from_one_line(text.substr(first + 1, middle - first - 1));
  const bool ok = read_number(text.substr(0, first), &name.unit.number) &&
                  read_number(text.substr(middle + 1, last - middle - 1), &name.unit.begin) &&
                  read_number(text.substr(last + 1), &length);
  name.unit.end = name.unit.begin + length;
  return ok ? std::optional(std::move(name)) : std::nullopt;
}

// Fills a list, line by line. Each says whether the line is as it should be.
class Reader {
 public:
  explicit Reader(UnitList *list) : list_(*list) {}

  bool read(Bytes line) {
    const size_t blank = std::min(line.find(' '), line.size());
    const Bytes name = line.substr(0, blank), rest = line.substr(std::min(blank + 1, line.size()));
    LineValues values(rest);
    if (name == "job") {
      list_.job += from_one_line(rest) + "\n";
      return true;
    }
    if (name == "newest") return values.take_time(&list_.newest).ok();
    if (name == "input") return values.take(&list_.inputs.emplace_back().path).ok();
    return !list_.inputs.empty() && (name == "unit" ? read_unit(rest) : read_input(name, values));
  }

 private:
  bool read_input(Bytes name, LineValues values) {
    UnitList::Input &input = list_.inputs.back();
    if (name == "packed") return input.packed = values.ok();
    if (name == "command") return input.of_command = values.ok();
    if (name == "dialect") return read_dialect(values, &input.dialect.emplace());
    if (!input.dialect) return false;
    if (name == "regex") return values.take(&input.dialect->regex).ok();
    if (name == "pattern") return values.take(&input.dialect->pattern).ok();
    if (name == "wrapper")
      return values.take(&input.dialect->wrapper, 0, std::ssize(wrappers()) - 1).ok();
    if (name == "layout") return values.take(&input.dialect->layout).ok();
    if (name == "joins-time") return values.take(&input.dialect->joins_time).ok();
    if (name == "joins-lines") return values.take(&input.dialect->joins_lines).ok();
    if (name == "record-start") return values.take(&input.dialect->record_start).ok();
    return name == "name" && values.take(&input.dialect->names.emplace_back()).ok();
  }

  static bool read_dialect(LineValues values, Dialect *dialect) {
    std::string format;
    i64 delimiter = -1, terminator = 0;
    values.take_word(&format).take(&delimiter, -1, 255).take(&terminator, 0, 255);
    values.take(&dialect->header).take(&dialect->open);
    if (delimiter >= 0) dialect->delimiter = static_cast<char>(delimiter);
    dialect->terminator = static_cast<char>(terminator);
    dialect->format = find_named<LineFormat>(line_formats(), format);
    return values.ok() && dialect->format != nullptr;
  }

  // Units come in the order of inputs: two of the same name are told apart by that.
  bool read_unit(Bytes text) {
    std::optional<UnitName> name = parse_name(text);
    if (!name || name->unit.number != std::ssize(list_.units)) return false;
    if (name->unit.begin == 0 && name->unit.number > 0) ++source_;
    while (source_ < std::ssize(list_.inputs) &&
           list_.inputs[static_cast<size_t>(source_)].path != name->path) {
      ++source_;
    }
    name->unit.source = source_;
    list_.units.push_back(name->unit);
    return source_ < std::ssize(list_.inputs);
  }

  UnitList &list_;
  i64 source_ = 0;
};

}  // namespace

u64 UnitList::id() const {
  std::string text = text_of_inputs(*this);
  for (const PartialUnit &unit : units) text += name_of(unit) + "\n";
  return checksum_bytes(text);
}

std::string UnitList::name_of(const PartialUnit &unit) const {
  return fmt::format("{}:{}:{}:{}", unit.number,
                     on_one_line(inputs[static_cast<size_t>(unit.source)].path), unit.begin,
                     unit.end - unit.begin);
}

Result<PartialUnit> UnitList::find(const std::string &name) const {
  i64 number = 0;
  if (!read_number(name.substr(0, name.find(':')), &number)) {
    return Status::error(fmt::format("\"{}\" is not NUMBER:FILE:OFFSET:LENGTH", name));
  }
  if (number >= std::ssize(units)) {
    return Status::error(fmt::format("there is no unit {}; the list has {}", number, units.size()));
  }
  const PartialUnit &unit = units[static_cast<size_t>(number)];
  if (name.find(':') == name.npos || name == name_of(unit)) return unit;
  return Status::error(
      fmt::format("\"{}\" is of another list; unit {} is {}", name, number, name_of(unit)));
}

std::string UnitList::to_text() const {
  std::string text = text_of_inputs(*this);
  for (const PartialUnit &unit : units) text += "unit " + name_of(unit) + "\n";
  text += fmt::format("end {:016x}\n", checksum_bytes(text));
  return text;
}

Result<UnitList> UnitList::from_text(Bytes text) {
  i64 version = 0;
  const Bytes first = text.substr(0, text.find('\n'));
  if (!first.starts_with(kFirst) || !read_number(first.substr(kFirst.size()), &version)) {
    return damaged(fmt::format("it does not begin with \"{}\"", without_blanks_around(kFirst)));
  }
  if (version != kVersion) {
    return Status::error(fmt::format(
        "is a list of units in format {}, and this mrc has format {}; use the same mrc everywhere",
        version, kVersion));
  }
  const size_t last = std::string_view("end \n").size() + 16;
  const Bytes body = text.substr(0, text.size() - std::min(last, text.size()));
  if (text.substr(body.size()) != fmt::format("end {:016x}\n", checksum_bytes(body))) {
    return damaged("it is cut short, or its checksum is wrong");
  }
  UnitList list;
  Reader reader(&list);
  Bytes left = body.substr(std::min(first.size() + 1, body.size()));
  for (i64 number = 2; !left.empty(); ++number) {
    const Bytes line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    if (!reader.read(line)) return damaged(fmt::format("line {}", number));
  }
  return list;
}

}  // namespace mrc
