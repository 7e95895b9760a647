#include "cmd/look.h"

#include "fields/inspect.h"
#include "fields/recognize.h"
#include "fields/spread.h"
#include "fields/stage_rows.h"
#include "input/collection.h"
#include "input/whole_input.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace mrc {
namespace {

// Returns the part of the head that shows the format.
SniffedHead seen_of(const Head &head, const FormatSpec &spec) {
  return *sniffed_head(head.bytes, head.whole, spec);
}

Result<Head> head_of(const Source &source, const FormatSpec &spec) {
  return read_head(source, [&](const Head &head) {
    return sniffed_head(head.bytes, head.whole, spec).has_value();
  });
}

bool is_file_with_content(const Source &source) {
  const bool has_bytes = source.end > 0 || source.packed_bytes > 0;
  return source.collection || (is_named_file(source) && has_bytes);
}

Result<Look> look_at_head(const Source &source, const SniffedHead &head, const FormatSpec &format) {
  const bool takes_binary =
      format.format == &LineFormat::lines || format.terminator != '\n' || format.record_bytes > 0;
  const BinaryFormat *binary = takes_binary ? nullptr : binary_format_of(head.bytes);
  if (binary != nullptr) return refuse_binary(*binary, source.name());
  Result<Dialect> dialect = sniff(format, head.bytes, head.whole);
  if (!dialect.is_ok()) return dialect.status();
  *dialect = with_spread(std::move(*dialect), format.spread);
  add_element_names(head.bytes, &*dialect);
  Result<InputReport> report = inspect(*dialect, head.bytes, head.whole, format.dates);
  if (!report.is_ok()) return report.status();
  return Look{std::move(*dialect), std::move(*report)};
}

// Looks at the first rows of a collection, whose columns are known.
Result<Look> look_at_rows(const Source &source, const FormatSpec &format) {
  const Result<Head> head =
      read_head(source, [](const Head &read) { return std::ssize(read.bytes) >= kSniffedBytes; });
  if (!head.is_ok()) return head.status();
  Dialect dialect = dialect_of_rows(source.collection->columns(), false, source.collection->what());
  dialect.kinds = source.collection->kinds();
  dialect = with_spread(std::move(dialect), format.spread);
  Result<InputReport> report = inspect(dialect, head->bytes, head->whole, format.dates);
  if (!report.is_ok()) return report.status();
  return Look{std::move(dialect), std::move(*report)};
}

}  // namespace

Result<Look> look_at(const Source &source, const FormatSpec &format) {
  if (source.collection && source.part < 0) {
    const Result<Source> first = source.collection->first(source);
    if (!first.is_ok()) return first.status();
    return first->collection->columns().empty() ? look_at(*first, format)
                                                : look_at_rows(*first, format);
  }
  const Result<Head> head = head_of(source, format);
  return head.is_ok() ? look_at_head(source, seen_of(*head, format), format) : head.status();
}

Result<Look> look_by_suggestion(const Source &source, const FormatSpec &format) {
  constexpr size_t kMostLines = 500;
  const Result<Head> read = head_of(source, format);
  if (!read.is_ok()) return read.status();
  const SniffedHead head = seen_of(*read, format);
  Result<Look> look = look_at_head(source, head, format);
  if (!look.is_ok()) return look;
  look->suggested = pattern_text(look->dialect);
  if (look->dialect.format != &LineFormat::lines) return look;
  const std::string padded = std::string(head.bytes) + std::string(kPadding, '\0');
  const Bytes text(padded.data(), head.bytes.size());
  const std::vector<Bytes> lines = first_lines({format, text, head.whole}, kMostLines);
  SuggestedPattern suggested = suggest_pattern(lines);
  if (suggested.pattern.empty()) return look;
  FormatSpec spec = format;
  spec.format = &LineFormat::pattern;
  spec.pattern = suggested.pattern;
  look = look_at_head(source, head, spec);
  if (!look.is_ok()) return look;
  look->dialect.reason =
      fmt::format("{} of the first {} lines fit", suggested.matching, lines.size());
  look->suggested = std::move(suggested.pattern);
  return look;
}

FirstFile::FirstFile(std::string the_path, Look look)
    : path(std::move(the_path)), dialect(std::move(look.dialect)), report(std::move(look.report)) {
  for (size_t i = 0; i < report.fields.size(); ++i) {
    names.add(report.fields[i].name, static_cast<i64>(i));
  }
}

const FieldReport *FirstFile::field(const FieldName &name) const {
  const std::vector<FieldReport> &fields = report.fields;
  if (name.number >= 0) {
    const bool is_there = name.number > 0 && name.number <= std::ssize(fields);
    return is_there ? &fields[static_cast<size_t>(name.number - 1)] : nullptr;
  }
  const i64 found = names.find(name.text);
  return found < 0 ? nullptr : &fields[static_cast<size_t>(found)];
}

std::optional<FirstFile> look_at_first_file(const Program &program) {
  for (const std::string &path : program.inputs) {
    const Result<Source> source =
        examine(path, program.input_command, content_of(program.map.record_bytes));
    if (!source.is_ok() || !is_file_with_content(*source)) continue;
    Result<Look> look = look_at(*source, program.map.fields.sniffed_format());
    if (!look.is_ok()) return std::nullopt;
    return FirstFile(path, std::move(*look));
  }
  return std::nullopt;
}

std::optional<FirstFile> look_at_first(const std::vector<std::string> &inputs,
                                       const std::string &command, const FormatSpec &format) {
  if (!command.empty()) return std::nullopt;  // the command would run twice
  for (const std::string &path : inputs) {
    const PeekedInput peeked(path == "-" ? STDIN_FILENO : -1);
    const Result<Source> source =
        examine(peeked.path().value_or(path), content_of(format.record_bytes));
    const bool is_there = peeked.path() || (source.is_ok() && is_file_with_content(*source));
    if (!source.is_ok() || !is_there) continue;
    Result<Look> look = look_at(*source, format);
    if (!look.is_ok() || look->report.records == 0) continue;
    return FirstFile(path, std::move(*look));
  }
  return std::nullopt;
}

}  // namespace mrc
