#include "fields/fields.h"

#include "base/spelling.h"
#include "fields/access_log.h"
#include "fields/csv.h"
#include "fields/json.h"
#include "fields/labelled.h"
#include "fields/regex.h"
#include "fields/separated.h"
#include "fields/syslog.h"

#include <fmt/format.h>

namespace mrc {
namespace {

constexpr std::array<const char *, kRecordFormats> kFormatNames = {
    "lines",  "fields", "csv",    "tsv",  "json",   "combined",
    "common", "vhost",  "logfmt", "ltsv", "syslog", "regex"};

}  // namespace

const char *format_name(RecordFormat format) { return kFormatNames[static_cast<size_t>(format)]; }

Result<RecordFormat> parse_record_format(std::string_view name) {
  for (i64 i = 0; i < kRecordFormats; ++i) {
    if (kFormatNames[static_cast<size_t>(i)] == name) return static_cast<RecordFormat>(i);
  }
  const std::vector<std::string> names(kFormatNames.begin(), kFormatNames.end());
  return Status::error(fmt::format("no format \"{}\"{}; there are {}", name,
                                   did_you_mean(std::string(name), names), fmt::join(names, ", ")));
}

Result<std::unique_ptr<RecordReader>> make_reader(const Dialect &dialect,
                                                  std::span<const FieldName> wanted) {
  switch (dialect.format) {
    case RecordFormat::lines: return make_lines_reader(dialect, wanted);
    case RecordFormat::fields: return make_separated_reader(dialect, wanted);
    case RecordFormat::csv:
    case RecordFormat::tsv: return make_csv_reader(dialect, wanted);
    case RecordFormat::json: return make_json_reader(dialect, wanted);
    case RecordFormat::combined:
    case RecordFormat::common:
    case RecordFormat::vhost: return make_access_log_reader(dialect, wanted);
    case RecordFormat::logfmt: return make_logfmt_reader(dialect, wanted);
    case RecordFormat::ltsv: return make_ltsv_reader(dialect, wanted);
    case RecordFormat::syslog: return make_syslog_reader(dialect, wanted);
    case RecordFormat::regex: break;
  }
  return make_regex_reader(dialect, wanted);
}

}  // namespace mrc
