// The format of syslog. For the splitting of records see syslog_line.cc.
#include "fields/inner/syslog.h"

#include "base/text.h"
#include "fields/inner/client_word.h"
#include "fields/inner/joined_time.h"
#include "fields/inner/make_line_reader.h"
#include "fields/recognize.h"

#include <algorithm>
#include <set>

namespace mrc {
namespace {

struct SyslogField {
  const char *name;
  Bytes SyslogLine::*value;
};
constexpr SyslogField kSyslogFields[] = {
    {"time", &SyslogLine::time},
    {"host", &SyslogLine::host},
    {"program", &SyslogLine::program},
    {"pid", &SyslogLine::pid},
    {"message", &SyslogLine::message},
    {"priority", &SyslogLine::priority},
    {"facility", &SyslogLine::facility},
    {"severity", &SyslogLine::severity},
    {"version", &SyslogLine::version},
    {"msgid", &SyslogLine::msgid},
    {"sd", &SyslogLine::sd},
};

struct SyslogParser {
  static constexpr bool kKeepsBlankLines = false;
  std::vector<WantedField> wanted;

  const char *parse(Bytes line, FieldRow row, Arena *arena) const {
    SyslogLine parsed;
    const char *reason = parse_syslog_line(line, &parsed);
    if (reason != nullptr) return reason;
    if (!parsed.zone.empty()) parsed.time = join_time(parsed.time, parsed.zone, arena);
    for (const WantedField &one : wanted) {
      row.put(one.column, parsed.*kSyslogFields[static_cast<size_t>(one.field)].value);
    }
    return nullptr;
  }
};

// True for words for levels, which follow the time in other logs.
bool is_level_word(Bytes word) {
  constexpr Bytes kLevels =
      " emergency emerg alert critical crit fatal severe error err warning warn notice info debug "
      "verbose trace ";
  std::string folded = " ";
  for (char c : word) folded += is_letter(c) ? static_cast<char>(c | 0x20) : c;
  return kLevels.find(folded + " ") != Bytes::npos;
}

Result<std::unique_ptr<RecordReader>> make_syslog_reader(const Dialect &dialect,
                                                         std::span<const FieldName> wanted) {
  return make_line_reader(dialect, wanted, std::ssize(kSyslogFields),
                          [](const auto &fields) { return SyslogParser{fields}; });
}

// True if the text begins with key=value.
bool begins_with_pair(Bytes text) {
  const size_t end = std::min(text.find_first_of(" =:["), text.size());
  return end > 0 && text.substr(end).starts_with('=') && is_letter(text[0]);
}

// True if a line is surely syslog: other logs, too, begin with a time, a level and a name, or with
// a time, a word and pairs.
bool looks_like_syslog(Bytes line, SyslogLine *found) {
  SyslogLine &parsed = *found;
  if (parse_syslog_line(line, &parsed) != nullptr) return false;
  if (parsed.code >= 0 || !parsed.facility.empty()) return true;
  if (begins_with_pair(parsed.content)) return false;
  if (read_client(parsed.host).kind == ClientKind::none || is_level_word(parsed.host)) return false;
  if (parsed.program.data() != nullptr && read_client(parsed.program).kind == ClientKind::address)
    return false;
  const bool is_traditional = parsed.time.find('T') == Bytes::npos;
  return is_traditional || (parsed.program.data() != nullptr && !is_level_word(parsed.program));
}

Status name_syslog_fields(const InputHead &, Dialect *dialect) {
  for (const SyslogField &field : kSyslogFields) dialect->names.emplace_back(field.name);
  return Status::ok();
}

// Words that are hardly ever the same are no hosts, but begin messages: "Oct 11 22:14:15 Deleted
// file: x". If a blank follows the priority, pairs are worth more.
std::optional<Dialect> recognize_syslog(const InputHead &input, const std::vector<Bytes> &records) {
  i64 agreeing = 0, words = 0, spaced = 0;
  std::set<Bytes> different;
  for (Bytes record : records) {
    SyslogLine line;
    if (!looks_like_syslog(record, &line)) continue;
    ++agreeing;
    spaced += line.is_spaced;
    if (line.code >= 0 || !std::ranges::all_of(line.host, is_letter)) continue;
    ++words;
    different.insert(line.host);
  }
  const bool are_messages =
      words * 2 > agreeing && different.size() > 1 && std::ssize(different) * 2 > words;
  if (spaced * 2 > agreeing && LineFormat::logfmt.recognize(input, records)) return std::nullopt;
  return are_messages ? std::nullopt : accept(LineFormat::syslog, agreeing, input, records);
}

}  // namespace

constinit const LineFormat LineFormat::syslog = {
    .name = "syslog",
    .make_reader = make_syslog_reader,
    .complete = name_syslog_fields,
    .recognize = recognize_syslog,
    .kinds =
        "time:time host:text program:text pid:number message:text priority:number "
        "facility:text severity:level version:number msgid:text sd:text",
};

}  // namespace mrc
