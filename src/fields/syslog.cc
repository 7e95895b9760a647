#include "fields/inner/syslog.h"

#include "base/text.h"
#include "fields/inner/client_word.h"
#include "fields/inner/make_line_reader.h"
#include "fields/inner/text_form.h"
#include "fields/recognize.h"
#include "kinds/zone_names.h"

#include <set>

namespace mrc {
namespace {

constexpr const char *kNoPriority = "expected <PRI> from 0 to 191 at its beginning";
constexpr const char *kNoTime = "expected a time such as Oct 11 22:14:15 at its beginning";
constexpr size_t kLongestZone = 5;
constexpr const char *kNoHost = "expected a host after the time";
constexpr const char *kNoHeader = "expected time, host, program, pid and msgid after the version";
constexpr const char *kNoData = "expected - or [structured data] after the msgid";

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

// RFC 5424 writes "-" for a missing value.
Bytes known(Bytes value) { return value == "-" ? Bytes() : value; }

// Takes <PRI>, if the line has one. Returns false if it is malformed or out of range.
bool take_priority(Bytes *line, SyslogLine *parsed) {
  if (!line->starts_with('<')) return true;
  const size_t end = line->find('>');
  if (end == Bytes::npos || end < 2 || end > 4) return false;
  parsed->priority = line->substr(1, end - 1);
  if (!std::all_of(parsed->priority.begin(), parsed->priority.end(), is_digit)) return false;
  parsed->code = 0;
  for (char c : parsed->priority) parsed->code = parsed->code * 10 + (c - '0');
  line->remove_prefix(end + 1);
  if (parsed->code > 191) return false;
  parsed->facility = kFacilities[parsed->code / 8].view();
  parsed->severity = kSeverities[parsed->code % 8].view();
  return true;
}

// True if the text may follow the seconds of ISO 8601: a fraction, and a zone.
bool is_end_of_time(Bytes text) {
  if (text.starts_with('.') || text.starts_with(',')) {
    text.remove_prefix(std::min(text.find_first_not_of("0123456789", 1), text.size()));
  }
  return text.empty() || text == "Z" || (text.size() == 3 && has_form(text.substr(1), "00")) ||
         (text.size() == 5 && has_form(text.substr(1), "0000")) ||
         (text.size() == 6 && has_form(text.substr(1), "00:00"));
}

// Takes a time of either kind that daemons write.
Bytes take_time(Bytes *line) {
  if (const Bytes time = take_iso_time(line); !time.empty()) return time;
  Bytes form = "aaa _0 00:00:00";
  if (line->size() > 5 && (*line)[5] == ' ') form = "aaa 0 00:00:00";
  const Bytes time = line->substr(0, form.size()), rest = line->substr(time.size());
  const bool ends = rest.empty() || rest[0] == ' ';
  if (!ends || !has_form(time, form) || !is_month(time.substr(0, 3))) return {};
  *line = rest.substr(std::min<size_t>(1, rest.size()));
  return time;
}

// Returns the end of the program's name: the first bracket or colon or, for a name with blanks, the
// bracket of "[pid]:". Returns npos if there is no program.
size_t end_of_program(Bytes text) {
  const size_t end = text.find_first_of(" [:");
  if (end == 0 || end == Bytes::npos || text[end] != ' ') return end;
  constexpr size_t kLongest = 64;
  const size_t open = text.substr(0, kLongest).find_first_of("[:");
  if (!is_letter(text[0]) || open == Bytes::npos || text[open] != '[' || text[open - 1] == ' ') {
    return Bytes::npos;
  }
  const size_t close = text.find(']', open);
  const bool is_tag = close != Bytes::npos && text.substr(close + 1).starts_with(':') &&
                      is_digits(text.substr(open + 1, close - open - 1));
  return is_tag ? open : Bytes::npos;
}

// UniFi devices write their name twice, before "program[pid]". Before other text, the second one
// may be the first word of a message.
void drop_second_host(Bytes host, Bytes *line) {
  const size_t size = host.size();
  if (line->size() <= size || (*line)[size] != ' ' || !is_letter(host[0])) return;
  if (!line->starts_with(host)) return;
  const Bytes rest = line->substr(size + 1);
  const size_t end = end_of_program(rest);
  if (end != Bytes::npos && end > 0 && rest[end] == '[') *line = rest;
}

// Splits "program: message" and "program[pid]: message"; anything else is only a message.
void split_tag(Bytes text, SyslogLine *parsed) {
  parsed->message = text;
  const size_t end = end_of_program(text);
  if (end == Bytes::npos || end == 0) return;
  size_t next = end;
  Bytes pid;
  if (text[end] == '[') {
    const size_t close = text.find(']', end);
    if (close == Bytes::npos) return;
    pid = text.substr(end + 1, close - end - 1);
    next = close + 1;
  }
  if (is_digits(text.substr(0, end))) return;  // the number of a message or a thread
  parsed->program = text.substr(0, end);
  parsed->pid = pid;
  if (next < text.size() && text[next] == ':') ++next;
  if (next < text.size() && text[next] == ' ') ++next;
  parsed->message = text.substr(next);
}

// Returns the end of [id name="value" ...][id ...], with \" and \] in values; npos if there is
// none.
size_t end_of_data(Bytes text) {
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && quoted) {
      ++i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (text[i] == ']' && !quoted && (i + 1 == text.size() || text[i + 1] != '[')) {
      return i + 1;
    }
  }
  return Bytes::npos;
}

// Parses RFC 5424, after <PRI>.
const char *parse_versioned(Bytes line, SyslogLine *parsed) {
  parsed->version = take_word(&line);
  parsed->time = known(take_word(&line));
  parsed->host = known(take_word(&line));
  parsed->program = known(take_word(&line));
  parsed->pid = known(take_word(&line));
  const Bytes msgid = take_word(&line);
  if (msgid.empty()) return kNoHeader;
  parsed->msgid = known(msgid);
  if (line.starts_with('-')) {
    line.remove_prefix(1);
  } else {
    const size_t end = line.starts_with('[') ? end_of_data(line) : Bytes::npos;
    if (end == Bytes::npos) return kNoData;
    parsed->sd = line.substr(0, end);
    line.remove_prefix(end);
  }
  if (line.starts_with(' ')) {
    parsed->message = line.substr(1);
  } else if (!line.empty()) {
    return kNoData;
  }
  parsed->message = without_byte_order_mark(parsed->message);
  parsed->content = parsed->message;
  return nullptr;
}

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

  const char *parse(Bytes line, FieldRow row, Arena *) const {
    SyslogLine parsed;
    const char *reason = parse_syslog_line(line, &parsed);
    if (reason != nullptr) return reason;
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
  if (parsed.code >= 0) return true;
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
// file: x".
std::optional<Dialect> recognize_syslog(const InputHead &input, const std::vector<Bytes> &records) {
  i64 agreeing = 0, words = 0;
  std::set<Bytes> different;
  for (Bytes record : records) {
    SyslogLine line;
    if (!looks_like_syslog(record, &line)) continue;
    ++agreeing;
    if (line.code >= 0 || !std::ranges::all_of(line.host, is_letter)) continue;
    ++words;
    different.insert(line.host);
  }
  const bool are_messages =
      words * 2 > agreeing && different.size() > 1 && std::ssize(different) * 2 > words;
  return are_messages ? std::nullopt : accept(LineFormat::syslog, agreeing, input, records);
}

// True for what other programs write after a time: a zone, a year, or brackets without an address.
bool is_of_time(Bytes word) {
  if (word.size() == 4 && is_digits(word) && (word[0] == '1' || word[0] == '2')) return true;
  if (word[0] == '[') return read_client(word).kind == ClientKind::none;
  const Bytes letters = word.substr(0, word.find('\t'));
  return letters.size() <= kLongestZone && may_be_zone(letters) && offset_of_zone(letters);
}

}  // namespace

Bytes take_iso_time(Bytes *line) {
  constexpr Bytes kForm = "0000-00-00T00:00:00";
  if (!has_form(*line, kForm)) return {};
  Bytes rest = *line;
  const Bytes time = take_word(&rest);
  if (!is_end_of_time(time.substr(kForm.size()))) return {};
  *line = rest;
  return time;
}

const char *parse_syslog_line(Bytes line, SyslogLine *parsed) {
  if (!take_priority(&line, parsed)) return kNoPriority;
  if (parsed->code >= 0 && has_form(line, "0 ")) return parse_versioned(line, parsed);
  parsed->time = take_time(&line);
  if (parsed->time.empty()) return kNoTime;
  parsed->host = take_word(&line);
  if (parsed->host.empty()) return kNoHost;
  if (is_of_time(parsed->host)) return kNoHost;
  drop_second_host(parsed->host, &line);
  parsed->content = line;
  split_tag(line, parsed);
  return nullptr;
}

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
