// Syslog, as it is sent (RFC 3164 and 5424) and as daemons write it to files.
//
//   RFC 3164   <34>Oct 11 22:14:15 host su[123]: message
//   files      Oct 11 22:14:15 host su[123]: message
//              Oct  1 22:14:15 host su[123]: message, also with one blank before the day
//              2003-10-11T22:14:15.003+02:00 host su[123]: message
//   RFC 5424   <165>1 2003-10-11T22:14:15.003Z host su 123 ID47 [id k="v"] message
//
// Each record is read by its own shape. These are missing: priority, facility and severity without
// <PRI>; version, msgid and sd outside RFC 5424, and its "-"; program and pid of messages without a
// program ("last message repeated 2 times").
#include "fields/inner/client_word.h"
#include "fields/inner/make_line_reader.h"
#include "fields/inner/syslog_line.h"
#include "fields/inner/text_form.h"
#include "fields/input_head.h"

namespace mrc {
namespace {

enum Field {
  time,
  host,
  program,
  pid,
  message,
  priority,
  facility,
  severity,
  version,
  msgid,
  sd,
  kFields
};
constexpr std::array<const char *, kFields> kNames = {"time",    "host",     "program",  "pid",
                                                      "message", "priority", "facility", "severity",
                                                      "version", "msgid",    "sd"};

// A keyword, padded because values may be over-read.
struct Keyword {
  char text[16 + kPadding];
  Bytes view() const { return text; }
};
constexpr Keyword kFacilities[] = {{"kern"},     {"user"},   {"mail"},   {"daemon"}, {"auth"},
                                   {"syslog"},   {"lpr"},    {"news"},   {"uucp"},   {"cron"},
                                   {"authpriv"}, {"ftp"},    {"ntp"},    {"audit"},  {"alert"},
                                   {"clock"},    {"local0"}, {"local1"}, {"local2"}, {"local3"},
                                   {"local4"},   {"local5"}, {"local6"}, {"local7"}};
constexpr Keyword kSeverities[] = {{"emerg"},   {"alert"},  {"crit"}, {"err"},
                                   {"warning"}, {"notice"}, {"info"}, {"debug"}};

Bytes value_of(i64 field, const SyslogLine &line) {
  switch (field) {
    case time: return line.time;
    case host: return line.host;
    case program: return line.program;
    case pid: return line.pid;
    case message: return line.message;
    case priority: return line.priority;
    case facility: return line.code < 0 ? Bytes() : kFacilities[line.code / 8].view();
    case severity: return line.code < 0 ? Bytes() : kSeverities[line.code % 8].view();
    case version: return line.version;
    case msgid: return line.msgid;
    default: return line.sd;
  }
}

struct SyslogParser {
  static constexpr bool kKeepsBlankLines = false;
  std::vector<WantedField> wanted;

  const char *parse(Bytes line, FieldRow row, Arena *) const {
    SyslogLine parsed;
    const char *reason = parse_syslog_line(line, &parsed);
    if (reason != nullptr) return reason;
    for (const WantedField &one : wanted) row.put(one.column, value_of(one.field, parsed));
    return nullptr;
  }
};

// True for words for levels, which follow the time in other logs.
bool is_level(Bytes word) {
  constexpr Bytes kLevels =
      " emergency emerg alert critical crit fatal severe error err warning warn notice info debug "
      "verbose trace ";
  std::string folded = " ";
  for (char c : word) folded += is_letter(c) ? static_cast<char>(c | 0x20) : c;
  return kLevels.find(folded + " ") != Bytes::npos;
}

Result<std::unique_ptr<RecordReader>> make_syslog_reader(const Dialect &dialect,
                                                         std::span<const FieldName> wanted) {
  return make_line_reader(dialect, wanted, kFields,
                          [](const auto &fields) { return SyslogParser{fields}; });
}

// True if a line is surely syslog: other logs, too, begin with a time, a level and a name.
bool looks_like_syslog(Bytes line) {
  SyslogLine parsed;
  if (parse_syslog_line(line, &parsed) != nullptr) return false;
  if (parsed.code >= 0) return true;
  if (read_client(parsed.host).kind == ClientKind::none || is_level(parsed.host)) return false;
  const bool is_traditional = parsed.time.find('T') == Bytes::npos;
  return is_traditional || (parsed.program.data() != nullptr && !is_level(parsed.program));
}

Status name_fields(const InputHead &, Dialect *dialect) {
  dialect->names = {kNames.begin(), kNames.end()};
  return Status::ok();
}

std::optional<Dialect> recognize_syslog(const InputHead &input, const std::vector<Bytes> &records) {
  const i64 agreeing = std::ranges::count_if(records, looks_like_syslog);
  std::optional<Dialect> dialect = accept(LineFormat::syslog, agreeing, input, records);
  if (dialect) dialect->names = {kNames.begin(), kNames.end()};
  return dialect;
}

}  // namespace

constinit const LineFormat LineFormat::syslog = {
    .name = "syslog",
    .make_reader = make_syslog_reader,
    .complete = name_fields,
    .recognize = recognize_syslog,
    .kinds =
        "time:time host:text program:text pid:number message:text priority:number "
        "facility:text severity:level version:number msgid:text sd:text",
};

}  // namespace mrc
