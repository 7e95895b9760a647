// What the user says of an input, and what its first bytes add to that.
#include "base/setting_name.h"
#include "base/text.h"
#include "fields/access_log.h"
#include "fields/csv.h"
#include "fields/detect.h"
#include "fields/json.h"
#include "fields/line_reader.h"
#include "fields/regex.h"
#include "fields/separated.h"
#include "fields/syslog.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

bool is_separated(RecordFormat format) {
  return format == RecordFormat::fields || format == RecordFormat::csv ||
         format == RecordFormat::tsv;
}
bool can_have_header(RecordFormat format) {
  return is_separated(format) || format == RecordFormat::lines;
}

// What options imply, where they do not name a format.
std::optional<RecordFormat> chosen_format(const FormatSpec &spec) {
  if (spec.format) return spec.format;
  if (!spec.regex.empty()) return RecordFormat::regex;
  if (spec.delimiter) return RecordFormat::fields;
  return std::nullopt;
}

// Nothing that was asked for may be without effect.
Status check_spec(const FormatSpec &spec, RecordFormat format) {
  const char *name = format_name(format);
  if (format == RecordFormat::regex && spec.regex.empty()) {
    return Status::error(setting_name("from") + " regex needs " + setting_name("regex"));
  }
  if (format != RecordFormat::regex && !spec.regex.empty()) {
    return Status::error(fmt::format("{} and {} {} cannot be used together", setting_name("regex"),
                                     setting_name("from"), name));
  }
  if (spec.delimiter && !is_separated(format)) {
    return Status::error(
        fmt::format("{}: {} has none; fields, csv and tsv do", setting_name("delimiter"), name));
  }
  if (spec.delimiter == spec.terminator) {
    return Status::error(setting_name("delimiter") +
                         ": fields and records cannot end in the same byte");
  }
  if (spec.header.value_or(false) && !can_have_header(format)) {
    return Status::error(fmt::format("{}: {} has no header, its fields have names",
                                     setting_name("header-in"), name));
  }
  if (!spec.columns.empty() && !can_have_header(format) && format != RecordFormat::regex) {
    return Status::error(
        fmt::format("{}: the fields of {} have names already", setting_name("columns"), name));
  }
  if (format == RecordFormat::lines && spec.columns.size() > 1) {
    return Status::error(fmt::format("{}: {} names, but lines have one field",
                                     setting_name("columns"), spec.columns.size()));
  }
  return Status::ok();
}

// The names of lines and fields: from the user, else from the header.
void name_columns(const FormatSpec &spec, Bytes head, Dialect *dialect) {
  dialect->header = spec.header.value_or(false);
  dialect->names = spec.columns;
  if (!dialect->header || !spec.columns.empty()) return;
  head = without_byte_order_mark(head);
  const char *end = head.data() + head.size(), *at = std::find(head.data(), end, spec.terminator);
  const Bytes header = line_of(head.data(), at, end, spec.terminator);
  if (dialect->format == RecordFormat::lines) {
    dialect->names = {std::string(header)};
  } else {
    dialect->names = separate(header, spec.delimiter);
  }
}

Status name_groups(const FormatSpec &spec, Dialect *dialect) {
  Result<std::vector<std::string>> names = regex_fields(spec.regex);
  if (!names.is_ok()) return names.status();
  dialect->regex = spec.regex;
  dialect->names = spec.columns.empty() ? *names : spec.columns;
  return Status::ok();
}

// A header that goes on beyond the head has names that are not known yet.
Status check_header(const FormatSpec &spec, RecordFormat format, Bytes head, bool whole) {
  const bool may_be_there = spec.header.value_or(format != RecordFormat::fields);
  const bool ends = whole || head.find(spec.terminator) != Bytes::npos;
  if (!is_separated(format) || !may_be_there || !spec.columns.empty() || ends) return Status::ok();
  return Status::error(
      fmt::format("the first record, which may be a header, has more than {} MiB; name the fields "
                  "by {}, or say {} no",
                  kMostSniffedBytes >> 20, setting_name("columns"), setting_name("header-in")));
}

// The dialect of a format that the user has chosen.
Result<Dialect> complete(const FormatSpec &spec, RecordFormat format, Bytes head, bool whole) {
  if (Status status = check_header(spec, format, head, whole); !status.is_ok()) return status;
  Dialect dialect;
  dialect.format = format;
  dialect.delimiter = spec.delimiter;
  dialect.terminator = spec.terminator;
  dialect.reason = "as asked";
  switch (format) {
    case RecordFormat::lines:
    case RecordFormat::fields: name_columns(spec, head, &dialect); break;
    case RecordFormat::csv:
    case RecordFormat::tsv: return sniff_csv(spec, head, whole).value_or(dialect);
    case RecordFormat::json: return sniff_json(spec, head, whole).value_or(dialect);
    case RecordFormat::combined:
    case RecordFormat::common:
    case RecordFormat::vhost: dialect.names = access_log_fields(); break;
    case RecordFormat::logfmt:
    case RecordFormat::ltsv:
      dialect.names = first_labels(format, head, spec.terminator, whole);
      dialect.open = true;
      break;
    case RecordFormat::syslog: dialect.names = syslog_fields(); break;
    case RecordFormat::regex:
      if (Status status = name_groups(spec, &dialect); !status.is_ok()) return status;
  }
  return dialect;
}

// An input without a byte lacks no field: it has no record that could.
Dialect of_nothing(const FormatSpec &spec) {
  Dialect dialect;
  dialect.terminator = spec.terminator;
  dialect.open = true;
  dialect.reason = "it is empty";
  return dialect;
}

}  // namespace

std::optional<SniffedHead> sniffed_head(Bytes begin, bool whole, char terminator) {
  size_t end = 0;
  for (int lines = 0; lines < 3 && end != Bytes::npos; ++lines) {
    const size_t found = begin.find(terminator, end);
    end = found == Bytes::npos ? found : found + 1;
  }
  const size_t wanted = std::clamp<size_t>(end, kSniffedBytes, kMostSniffedBytes);
  if (begin.size() > wanted) return SniffedHead{begin.substr(0, wanted), false};
  if (begin.size() == wanted || whole) return SniffedHead{begin, whole};
  return std::nullopt;
}

Result<Dialect> sniff(const FormatSpec &spec, Bytes head, bool whole) {
  // A copy that may be over-read.
  const std::string padded = std::string(head) + std::string(kPadding, '\0');
  const Bytes text(padded.data(), head.size());
  if (const std::optional<RecordFormat> format = chosen_format(spec)) {
    if (Status status = check_spec(spec, *format); !status.is_ok()) return status;
    FormatSpec chosen = spec;
    chosen.format = format;
    Result<Dialect> dialect = complete(chosen, *format, text, whole);
    return dialect.is_ok() && whole && head.empty() ? of_nothing(spec) : dialect;
  }
  if (whole && head.empty()) return of_nothing(spec);
  Dialect dialect = detect(spec, text, whole);
  if (Status status = check_spec(spec, dialect.format); !status.is_ok()) return status;
  if (dialect.format == RecordFormat::lines) name_columns(spec, text, &dialect);
  return dialect;
}

}  // namespace mrc
