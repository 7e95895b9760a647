// Combines the user's description of an input with its first bytes. If the user names no format,
// its shape decides (recognize.cc).
#include "base/names.h"
#include "base/setting_name.h"
#include "fields/inner/joined_time.h"
#include "fields/inner/named_formats.h"
#include "fields/inner/surrounded.h"
#include "fields/json.h"
#include "fields/line_reader.h"
#include "fields/recognize.h"
#include "fields/spread.h"
#include "fields/wrapper.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using Header = LineFormat::Header;

constexpr const char *kByNumbers = "no other format fits, and the job uses fields by number";
constexpr const char *kOneWord = "no other format fits, and lines have one word";

// Returns the format that the user names, or that other options imply; null: none.
const LineFormat *chosen_format(const FormatSpec &spec) {
  if (spec.format != nullptr) return spec.format;
  if (!spec.regex.empty()) return &LineFormat::regex;
  if (!spec.pattern.empty()) return &LineFormat::pattern;
  if (!spec.binary.empty()) return &LineFormat::binary;
  return spec.delimiter ? &LineFormat::fields : nullptr;
}

// Refuses binary records without a layout, a layout of other records, and terminators.
Status check_binary(const FormatSpec &spec, const LineFormat &format) {
  const bool is_binary = &format == &LineFormat::binary;
  if (is_binary && spec.binary.empty()) {
    return Status::error(
        fmt::format("{} {} needs {}", setting_name("from"), format.name, setting_name("binary")));
  }
  if (!is_binary && !spec.binary.empty()) {
    return Status::error(fmt::format("{} and {} {} cannot be used together", setting_name("binary"),
                                     setting_name("from"), format.name));
  }
  if (is_binary && spec.terminator != '\n') {
    return Status::error(setting_name("zero-terminated") +
                         ": binary records have a size, and no end");
  }
  return Status::ok();
}

// Refuses settings that would have no effect.
Status check_spec(const FormatSpec &spec, const LineFormat &format) {
  const char *name = format.name;
  if (format.takes_regex && spec.regex.empty()) {
    return Status::error(
        fmt::format("{} {} needs {}", setting_name("from"), name, setting_name("regex")));
  }
  if (!format.takes_regex && !spec.regex.empty()) {
    return Status::error(fmt::format("{} and {} {} cannot be used together", setting_name("regex"),
                                     setting_name("from"), name));
  }
  if (Status status = check_binary(spec, format); !status.is_ok()) return status;
  if (spec.delimiter && format.delimiter == '\0') {
    return Status::error(fmt::format("{}: {} has none; {} do", setting_name("delimiter"), name,
                                     list_names(line_formats(), "and", &LineFormat::delimiter)));
  }
  if (spec.delimiter == spec.terminator) {
    return Status::error(setting_name("delimiter") +
                         ": fields and records cannot end in the same byte");
  }
  if (spec.header.value_or(false) && format.header == Header::never) {
    return Status::error(fmt::format("{}: {} has no header, its fields have names",
                                     setting_name("header-in"), name));
  }
  if (!spec.columns.empty() && format.header == Header::never && !format.takes_regex) {
    return Status::error(
        fmt::format("{}: the fields of {} have names already", setting_name("columns"), name));
  }
  if (format.one_field && spec.columns.size() > 1) {
    return Status::error(fmt::format("{}: {} names, but {} have one field", setting_name("columns"),
                                     spec.columns.size(), name));
  }
  return Status::ok();
}

// True if the user has chosen a format whose first record may be names.
bool may_have_header(const FormatSpec &spec) {
  if (spec.format == nullptr || spec.format->delimiter == '\0' || !spec.columns.empty())
    return false;
  return spec.header.value_or(spec.format->header == Header::sniffed);
}

// Refuses a header that continues past the head, because not all of its names are known.
Status check_header(const InputHead &input) {
  const FormatSpec &spec = input.spec;
  const bool ends = input.whole || input.head.find(spec.terminator) != Bytes::npos;
  if (ends || !may_have_header(spec)) return Status::ok();
  return Status::error(
      fmt::format("the first record, which may be a header, has more than {} MiB; name the fields "
                  "by {}, or say {} no",
                  kMostHeaderBytes >> 20, setting_name("columns"), setting_name("header-in")));
}

// Returns the dialect of the format that the user has chosen.
Result<Dialect> complete(const InputHead &input) {
  const FormatSpec &spec = input.spec;
  if (Status status = check_header(input); !status.is_ok()) return status;
  Dialect dialect = {.format = spec.format,
                     .delimiter = spec.delimiter,
                     .terminator = spec.terminator,
                     .reason = "as asked"};
  Status status = spec.format->complete(input, &dialect);
  if (!status.is_ok()) return status;
  set_joined_time(input, &dialect);
  return dialect;
}

// Returns the dialect of an empty input. It lacks no field, because it has no record.
Dialect of_nothing(const FormatSpec &spec) {
  const LineFormat *chosen = chosen_format(spec);
  Dialect dialect{.format = chosen != nullptr ? chosen : &LineFormat::lines,
                  .delimiter = spec.delimiter,
                  .terminator = spec.terminator,
                  .names = spec.columns};
  dialect.open = dialect.empty = true;
  dialect.reason = chosen != nullptr ? "as asked; it is empty" : "it is empty";
  return dialect;
}

// Reads the records of an empty input.
class NoRecords : public RecordReader {
 public:
  void read(const Chunk &chunk, const char **next, RecordBatch *) const override {
    *next = chunk.bytes.data() + chunk.bytes.size();
  }
};

}  // namespace

std::span<const LineFormat *const> line_formats() {
  static const std::vector<const LineFormat *> formats = [] {
    std::vector<const LineFormat *> all = {
#define LINE_FORMAT(name, weight) &LineFormat::name,
#include "fields/formats.inc"
    };
    for (const LineFormat &named : named_formats()) all.push_back(&named);
    return all;
  }();
  return formats;
}

Result<std::unique_ptr<RecordReader>> make_reader(const Dialect &dialect,
                                                  std::span<const FieldName> wanted) {
  if (dialect.empty) return std::make_unique<NoRecords>();
  if (dialect.spread.is_wanted()) return make_spread_reader(dialect, wanted);
  if (!dialect.around.empty()) return make_surrounded_reader(dialect, wanted);
  if (dialect.wrapper >= 0) return make_unwrapping_reader(dialect, wanted);
  if (dialect.joins_time || !dialect.zone.empty()) return make_joined_time_reader(dialect, wanted);
  return dialect.format->make_reader(dialect, wanted);
}

std::optional<SniffedHead> sniffed_head(Bytes begin, bool whole, const FormatSpec &spec) {
  size_t end = 0, first_end = 0;
  const int most = spec.record_bytes > 0 ? 0 : 3;  // binary records have no lines
  for (int lines = 0; lines < most && end != Bytes::npos; ++lines) {
    const size_t found = begin.find(spec.terminator, end);
    end = found == Bytes::npos ? found : found + 1;
    if (lines == 0) first_end = end;
  }
  size_t wanted = std::clamp<size_t>(end, kSniffedBytes, kMostSniffedBytes);
  if (may_have_header(spec)) {
    wanted = std::max(wanted, std::min<size_t>(first_end, kMostHeaderBytes));
  }
  if (begin.size() > wanted) return SniffedHead{begin.substr(0, wanted), false};
  if (begin.size() == wanted || whole) return SniffedHead{begin, whole};
  return std::nullopt;
}

FormatSpec format_for(FormatSpec spec, const std::vector<FieldName> &names) {
  spec.names_fields = !spec.named.empty();
  for (const FieldName &name : fields_before(spec.spread, names)) {
    const bool is_found = !name.path.empty();  // in the records as they are read anyway
    if (name.number == -1 && !is_found) spec.named.push_back(name.text);
    spec.names_fields |= name.number == -1;
    spec.largest_number = std::max(spec.largest_number, name.number);
  }
  return spec;
}

namespace {

// Jobs that use no field by name keep their lines.
bool may_have_json_values(const FormatSpec &spec) {
  const LineFormat *format = chosen_format(spec);
  const bool looks = format != nullptr ? format->paths : may_be_by_name(spec);
  return looks && spec.joins_lines && spec.terminator == '\n' && spec.record_start.empty();
}

}  // namespace

bool is_by_numbers(const Dialect &dialect) {
  return dialect.format == &LineFormat::fields && dialect.reason == kByNumbers;
}

bool needs_head(const FormatSpec &spec) {
  const LineFormat *format = chosen_format(spec);
  if (format == nullptr || format->header == Header::sniffed) return true;
  if (format == &LineFormat::json) return may_have_json_values(spec);
  // In these formats, the first lines tell how to read the others.
  if (format == &LineFormat::log || format == &LineFormat::logfmt) return true;
  if (format->row != nullptr) return true;
  return format->header == Header::asked && spec.header.value_or(false);
}

namespace {

// True if a line has several words.
bool has_blanks(Bytes head, char terminator) {
  for (size_t at = 0; at < head.size();) {
    const size_t end = std::min(head.find(terminator, at), head.size());
    const Bytes line = head.substr(at, end - at);
    const size_t first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
    if (first != Bytes::npos &&
        line.substr(first, last - first).find_first_of(" \t") != Bytes::npos)
      return true;
    at = end + 1;
  }
  return false;
}

// Detects the dialect of a head whose lines all begin records.
Result<Dialect> sniff_starts(const FormatSpec &spec, Bytes head, bool whole) {
  // Copies: bytes that may be over-read, and a spec that names the format.
  const std::string padded = std::string(head) + std::string(kPadding, '\0');
  FormatSpec chosen = spec;
  chosen.format = chosen_format(spec);
  const InputHead input{chosen, Bytes(padded.data(), head.size()), whole};
  if (chosen.format != nullptr) {
    if (Status status = check_spec(spec, *chosen.format); !status.is_ok()) return status;
    Result<Dialect> dialect = complete(input);
    return dialect.is_ok() && whole && head.empty() ? of_nothing(spec) : dialect;
  }
  if (whole && head.empty()) return of_nothing(spec);
  Dialect dialect = recognize(input, !spec.record_start.empty());
  if (Status status = check_spec(spec, *dialect.format); !status.is_ok()) return status;
  const bool is_text = dialect.format == &LineFormat::lines && spec.record_start.empty();
  if (!is_text || spec.largest_number < 1) return dialect;
  const bool has_words = has_blanks(head, spec.terminator);
  if (spec.largest_number > 1 && !has_words) return dialect;  // it has no field of this number
  chosen.format = &LineFormat::fields;
  Result<Dialect> words = complete(input);
  if (words.is_ok()) words->reason = has_words ? kByNumbers : kOneWord;
  return words;
}

// Returns the dialect of JSON whose records are not lines; nothing for JSON lines.
Result<std::optional<Dialect>> sniff_json_values(const FormatSpec &spec, Bytes head, bool whole) {
  if (!may_have_json_values(spec)) return std::optional<Dialect>();
  std::vector<std::string> named = spec.named;
  for (const FieldName &field : spec.spread.fields) named.push_back(field.text);
  const std::optional<JsonHead> found = json_head(head, whole, named);
  if (!found) return std::optional<Dialect>();
  const Bytes lines = found->lines.empty() ? Bytes("{}") : Bytes(found->lines);
  Result<Dialect> dialect = sniff_starts(spec, lines, true);
  if (!dialect.is_ok()) return dialect.status();
  if (!dialect->format->paths || dialect->wrapper >= 0) return std::optional<Dialect>();
  set_layout(found->layout, &*dialect);
  return std::optional(std::move(*dialect));
}

Result<Dialect> sniff_lines(const FormatSpec &spec, Bytes head, bool whole) {
  Result<std::optional<Dialect>> values = sniff_json_values(spec, head, whole);
  if (!values.is_ok()) return values.status();
  if (*values) return std::move(**values);
  Result<Dialect> dialect = sniff_starts(spec, head, whole);
  if (dialect.is_ok()) dialect->joins_lines = dialect->joins_lines && spec.joins_lines;
  return dialect;
}

}  // namespace

Result<Dialect> sniff(const FormatSpec &spec, Bytes head, bool whole) {
  if (spec.record_start.empty()) return sniff_lines(spec, head, whole);
  const LineFormat *chosen = chosen_format(spec);
  if (chosen != nullptr && !may_start_records(*chosen)) {
    return Status::error(
        fmt::format("{}: where records of {} begin and end is a matter of the "
                    "format; leave it out",
                    setting_name("record-start"), chosen->name));
  }
  Result<LineGroups> groups = groups_started_by(spec.record_start, spec.terminator);
  if (!groups.is_ok()) return groups.status();
  const std::string starts = starts_of_records(head, whole, *groups);
  Result<Dialect> dialect = sniff_starts(spec, starts, whole || !starts.empty());
  if (!dialect.is_ok()) return dialect;
  dialect->record_start = spec.record_start;
  dialect->joins_lines = false;
  dialect->reason += fmt::format("{}a record begins at each line that {} matches",
                                 dialect->reason.empty() ? "" : "; ", spec.record_start);
  return dialect;
}

}  // namespace mrc
