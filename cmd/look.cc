#include "cmd/look.h"

#include "fields/inspect.h"
#include "fields/recognize.h"
#include "input/stream.h"
#include "input/whole_input.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace mrc {
namespace {

struct Head {
  std::string bytes;
  SniffedHead seen = {};  // part of `bytes`
};

Status read_head(const Source &source, const FormatSpec &spec, Head *head) {
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  BufferedReader reader(std::move(*file));
  Result<Bytes> first = reader.peek(kMagicBytes);
  if (!first.is_ok()) return first.status();
  Result<std::unique_ptr<Stream>> stream = open_stream(codec_of(*first), &reader);
  if (!stream.is_ok()) return stream.status();
  for (;;) {
    const i64 have = std::ssize(head->bytes), room = std::max(have, kSniffedBytes - have);
    head->bytes.resize(static_cast<size_t>(have + room));
    Result<i64> got = (*stream)->read(head->bytes.data() + have, room);
    if (!got.is_ok()) return got.status();
    head->bytes.resize(static_cast<size_t>(have + *got));
    const std::optional<SniffedHead> seen = sniffed_head(head->bytes, *got == 0, spec);
    if (!seen) continue;
    head->seen = *seen;
    return Status::ok();
  }
}

bool is_file_with_content(const Source &source) {
  return is_named_file(source) && (source.end > 0 || source.packed_bytes > 0);
}

}  // namespace

namespace {

Result<Look> look_at_head(const Source &source, const Head &head, const FormatSpec &format) {
  const bool takes_binary = format.format == &LineFormat::lines || format.terminator != '\n';
  const BinaryFormat *binary = takes_binary ? nullptr : binary_format_of(head.seen.bytes);
  if (binary != nullptr) return refuse_binary(*binary, source.name());
  Result<Dialect> dialect = sniff(format, head.seen.bytes, head.seen.whole);
  if (!dialect.is_ok()) return dialect.status();
  Result<InputReport> report = inspect(*dialect, head.seen.bytes, head.seen.whole, format.dates);
  if (!report.is_ok()) return report.status();
  return Look{std::move(*dialect), std::move(*report)};
}

}  // namespace

Result<Look> look_at(const Source &source, const FormatSpec &format) {
  Head head;
  if (Status status = read_head(source, format, &head); !status.is_ok()) return status;
  return look_at_head(source, head, format);
}

Result<Look> look_by_suggestion(const Source &source, const FormatSpec &format) {
  constexpr size_t kMostLines = 500;
  Head head;
  if (Status status = read_head(source, format, &head); !status.is_ok()) return status;
  Result<Look> look = look_at_head(source, head, format);
  if (!look.is_ok()) return look;
  look->suggested = pattern_text(look->dialect);
  if (look->dialect.format != &LineFormat::lines) return look;
  const std::string padded = std::string(head.seen.bytes) + std::string(kPadding, '\0');
  const Bytes text(padded.data(), head.seen.bytes.size());
  const std::vector<Bytes> lines = first_lines({format, text, head.seen.whole}, kMostLines);
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

const FieldReport *FirstFile::field(const FieldName &name) const {
  const std::vector<FieldReport> &fields = report.fields;
  if (name.number >= 0) {
    const bool is_there = name.number > 0 && name.number <= std::ssize(fields);
    return is_there ? &fields[static_cast<size_t>(name.number - 1)] : nullptr;
  }
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const FieldReport &field) {
    return field.name == name.text;
  });
  return found == fields.end() ? nullptr : &*found;
}

std::optional<FirstFile> look_at_first_file(const Program &program) {
  for (const std::string &path : program.inputs) {
    const Result<Source> source = examine(path, program.input_command);
    if (!source.is_ok() || !is_file_with_content(*source)) continue;
    Result<Look> look = look_at(*source, program.map.fields.sniffed_format());
    if (!look.is_ok()) return std::nullopt;
    return FirstFile{path, std::move(look->dialect), std::move(look->report)};
  }
  return std::nullopt;
}

std::optional<FirstFile> look_at_first(const std::vector<std::string> &inputs,
                                       const std::string &command, const FormatSpec &format) {
  if (!command.empty()) return std::nullopt;  // the command would run twice
  for (const std::string &path : inputs) {
    const PeekedInput peeked(path == "-" ? STDIN_FILENO : -1);
    const Result<Source> source = examine(peeked.path().value_or(path));
    const bool is_there = peeked.path() || (source.is_ok() && is_file_with_content(*source));
    if (!source.is_ok() || !is_there) continue;
    Result<Look> look = look_at(*source, format);
    if (!look.is_ok() || look->report.records == 0) continue;
    return FirstFile{path, std::move(look->dialect), std::move(look->report)};
  }
  return std::nullopt;
}

}  // namespace mrc
