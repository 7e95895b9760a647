// A unit list is text: each line has a name and values. The last line is a checksum of all others.
//
//   mrc units 1
//   job verb stats                         for each line of the job
//   newest 1700000000
//   splitter AWFiYw==                      between ranges of records, if there are ranges
//   input /var/log/a.csv                   the next lines belong to it
//   packed                                 if it is compressed
//   dialect csv 44 10 1 0                  how it is read, and lines that follow (line_values.h)
//   part 0 262144 0123456789abcdef         what is read: begin, end, content; none: all is
//   left 9000 1                            records and malformed ones that are in no part
//   flaw 0 0 0 no JSON object              the first malformed one: position, chunk, line, reason
//   shown x                                ... and the front of its text
//   unit 0:/var/log/a.csv:0:1048576        number, input, offset, length
//   end 0123456789abcdef
#include "kept/unit_list.h"

#include "base/hash.h"
#include "base/one_line.h"
#include "base/setting_name.h"
#include "base/text.h"
#include "kept/inner/line_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace mrc {
namespace {

constexpr std::string_view kFirstOfUnits = "mrc units ";

Status damaged_list(const std::string &what) {
  return Status::error("is no list of units, or damaged: " + what + "; mrc units " +
                       setting_name("list") + " prints one");
}

void append_input(const UnitList::Input &input, std::string *text) {
  *text += fmt::format("input {}\n", on_one_line(input.path));
  if (input.packed) *text += "packed\n";
  if (input.of_command) *text += "command\n";
  if (input.dialect) append_dialect(*input.dialect, text);
  const auto out = std::back_inserter(*text);
  for (const Portion &part : input.parts) {
    fmt::format_to(out, "part {} {} {:x}\n", part.begin, part.end, part.content);
  }
  const Portion &left = input.left_out;
  if (left.records > 0) fmt::format_to(out, "left {} {}\n", left.records, left.bad_records);
  const KeptFlaw &flaw = input.flaw;
  if (flaw == KeptFlaw()) return;
  fmt::format_to(out, "flaw {} {} {} {}\nshown {}\n", flaw.position, flaw.chunk, flaw.line,
                 on_one_line(flaw.reason), on_one_line(flaw.shown));
}

// Lists without parts or ranges keep earlier versions, so that older releases read them.
i64 version_of_list(const UnitList &list) {
  const auto has_parts = [](const UnitList::Input &input) { return !input.parts.empty(); };
  if (std::ranges::any_of(list.inputs, has_parts)) return UnitList::kVersion;
  return list.splitters.empty() ? 1 : 2;
}

// Returns the text of the list up to its units.
std::string text_of_inputs(const UnitList &list) {
  std::string text = fmt::format("{}{}\n", kFirstOfUnits, version_of_list(list));
  for (Bytes left = list.job; !left.empty();) {
    const Bytes line = left.substr(0, left.find('\n'));
    fmt::format_to(std::back_inserter(text), "job {}\n", on_one_line(line));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
  }
  fmt::format_to(std::back_inserter(text), "newest {}\n", list.newest);
  append_splitters(list.splitters, &text);
  for (const UnitList::Input &input : list.inputs) append_input(input, &text);
  return text;
}

bool read_number(Bytes text, i64 *number) { return LineValues(text).take(number).ok(); }

// NUMBER:FILE:OFFSET:LENGTH; FILE may contain colons.
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

// Fills a list line by line. Each function returns false if its line is invalid.
class UnitListReader {
 public:
  explicit UnitListReader(UnitList *list) : list_(*list) {}

  bool read(Bytes line) {
    const size_t blank = std::min(line.find(' '), line.size());
    const Bytes name = line.substr(0, blank), rest = line.substr(std::min(blank + 1, line.size()));
    LineValues values(rest);
    if (name == "job") {
      list_.job += from_one_line(rest) + "\n";
      return true;
    }
    if (name == "newest") return values.take_time(&list_.newest).ok();
    if (name == "splitter") return read_splitter(rest, &list_.splitters);
    if (name == "input") return values.take(&list_.inputs.emplace_back().path).ok();
    return !list_.inputs.empty() && (name == "unit" ? read_unit(rest) : read_input(name, values));
  }

 private:
  bool read_input(Bytes name, LineValues values) {
    UnitList::Input &input = list_.inputs.back();
    if (name == "packed") return input.packed = values.ok();
    if (name == "command") return input.of_command = values.ok();
    if (name == "part") return read_part(values, &input);
    if (name == "left") {
      Portion &left = input.left_out;
      return values.take(&left.records).take(&left.bad_records, 0, left.records).ok();
    }
    if (name == "flaw") {
      values.take(&input.flaw.position).take(&input.flaw.chunk).take(&input.flaw.line);
      return values.take(&input.flaw.reason).ok();
    }
    if (name == "shown") return values.take(&input.flaw.shown).ok();
    return read_dialect_line(name, values, &input.dialect);
  }

  bool read_part(LineValues values, UnitList::Input *input) const {
    const i64 after = input->parts.empty() ? 0 : input->parts.back().end;
    Portion &part = input->parts.emplace_back();
    part.source = std::ssize(list_.inputs) - 1;
    values.take(&part.begin, after).take(&part.end, part.begin + 1).take_hash(&part.content);
    return values.ok();
  }

  // Units come in the order of inputs, which distinguishes two inputs of the same name.
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

std::vector<Portion> UnitList::parts_of(const PartialUnit &unit) const {
  const Input &input = inputs[static_cast<size_t>(unit.source)];
  if (input.parts.empty()) return {{.source = unit.source, .begin = unit.begin, .end = unit.end}};
  std::vector<Portion> parts;
  std::ranges::copy_if(input.parts, std::back_inserter(parts), [&](const Portion &part) {
    return part.begin >= unit.begin && part.end <= unit.end;
  });
  return parts;
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
  if (!first.starts_with(kFirstOfUnits) ||
      !read_number(first.substr(kFirstOfUnits.size()), &version)) {
    return damaged_list(
        fmt::format("it does not begin with \"{}\"", without_blanks_around(kFirstOfUnits)));
  }
  if (version < 1 || version > kVersion) {
    return Status::error(fmt::format(
        "is a list of units in format {}, and this mrc has format {}; use the same mrc everywhere",
        version, kVersion));
  }
  const size_t last = std::string_view("end \n").size() + 16;
  const Bytes body = text.substr(0, text.size() - std::min(last, text.size()));
  if (text.substr(body.size()) != fmt::format("end {:016x}\n", checksum_bytes(body))) {
    return damaged_list("it is cut short, or its checksum is wrong");
  }
  UnitList list;
  UnitListReader reader(&list);
  Bytes left = body.substr(std::min(first.size() + 1, body.size()));
  for (i64 number = 2; !left.empty(); ++number) {
    const Bytes line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    if (!reader.read(line)) return damaged_list(fmt::format("line {}", number));
  }
  return list;
}

}  // namespace mrc
