// Splits records of syslog, as it is sent (RFC 3164 and 5424) and as daemons write it to files.
//
//   RFC 3164   <34>Oct 11 22:14:15 host su[123]: message
//   files      Oct 11 22:14:15 host su[123]: message
//              Oct  1 22:14:15 host su[123]: message, also with one blank before the day
//              2003-10-11T22:14:15.003+02:00 host su[123]: message
//   RFC 5424   <165>1 2003-10-11T22:14:15.003Z host su 123 ID47 [id k="v"] message
//   devices    <34>Oct 11 22:14:15 su[123]: message
//              Oct 11 22:14:15 +02:00 host su[123]: message
//              Oct 11 22:14:15 <local0.info> host su[123]: message
//   Cisco      <34>Oct 11 22:14:15 host: %ASA-6-302013: message, also with a zone after the host
//
// Each record is read by its own shape. These are missing: priority, facility and severity without
// <PRI>; version, msgid and sd outside RFC 5424, and its "-"; program and pid of messages without a
// program ("last message repeated 2 times"); the host of records of devices that write none.
#include "base/text.h"
#include "fields/inner/client_word.h"
#include "fields/inner/log_words.h"
#include "fields/inner/syslog.h"
#include "fields/inner/text_form.h"
#include "fields/line_reader.h"
#include "kinds/zone_names.h"

#include <algorithm>
#include <span>

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

const Keyword *find_keyword(std::span<const Keyword> keywords, Bytes word) {
  const auto found = std::ranges::find(keywords, word, &Keyword::view);
  return found == keywords.end() ? nullptr : &*found;
}

// RFC 5424 writes "-" for a missing value.
Bytes known(Bytes value) { return value == "-" ? Bytes() : value; }

void drop_blanks(Bytes *text) {
  text->remove_prefix(std::min(text->find_first_not_of(' '), text->size()));
}

// Removes the number of bytes that precedes a record in a stream (RFC 6587).
[[gnu::cold]] void drop_size(Bytes *line) {
  constexpr size_t kLongest = 8;
  const size_t end = line->substr(0, kLongest).find(' ');
  const bool is_size = end != Bytes::npos && is_digits(line->substr(0, end));
  if (is_size && line->substr(end + 1).starts_with('<')) line->remove_prefix(end + 1);
}

// Takes <PRI>, if the line has one. Returns false if it is malformed or out of range.
bool take_priority(Bytes *line, SyslogLine *parsed) {
  if (line->size() > 4 && is_digit((*line)[0]) && (*line)[4] != '-') drop_size(line);
  if (!line->starts_with('<')) return true;
  const size_t end = line->find('>');
  if (end == Bytes::npos || end < 2 || end > 4) return false;
  parsed->priority = line->substr(1, end - 1);
  if (!std::all_of(parsed->priority.begin(), parsed->priority.end(), is_digit)) return false;
  parsed->code = 0;
  for (char c : parsed->priority) parsed->code = parsed->code * 10 + (c - '0');
  line->remove_prefix(end + 1);
  if (parsed->code > 191) return false;
  parsed->is_spaced = line->starts_with(' ');
  if (parsed->is_spaced) drop_blanks(line);
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

// Adds the offset after a time, and removes it and a blank from the line: "Mar  3 10:42:25 +02:00".
Bytes with_offset(Bytes time, Bytes *line) {
  if (!line->starts_with('+') && !line->starts_with('-')) return time;
  const Bytes after = line->substr(1);
  const size_t size = has_form(after, "00:00 ") ? 6 : has_form(after, "0000 ") ? 5 : 0;
  if (size == 0) return time;
  const char *end = line->data() + size;
  line->remove_prefix(size + 1);
  return {time.data(), static_cast<size_t>(end - time.data())};
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
  return with_offset(time, line);
}

// Takes <local0.info>, which syslogd writes after the time if it is asked to.
[[gnu::cold]] void take_names_of_priority(Bytes *line, SyslogLine *parsed) {
  const size_t point = line->find('.'), end = line->find("> ");
  if (end == Bytes::npos || point > end) return;
  const Keyword *facility = find_keyword(kFacilities, line->substr(1, point - 1));
  const Keyword *severity = find_keyword(kSeverities, line->substr(point + 1, end - point - 1));
  if (facility == nullptr || severity == nullptr) return;
  parsed->facility = facility->view();
  parsed->severity = severity->view();
  line->remove_prefix(end + 2);
}

// True for the tags of messages of Cisco: %ASA-6-302013: and %SEC_LOGIN-SW2-5-LOGIN_SUCCESS:
bool is_cisco_tag(Bytes text) {
  constexpr Bytes kBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  if (!text.starts_with('%')) return false;
  const size_t end = text.find_first_not_of(kBytes, 1);
  if (end == Bytes::npos || text[end] != ':') return false;
  for (size_t at = text.find('-'); at + 2 < end; at = std::min(text.find('-', at + 1), end)) {
    if (text[at + 2] == '-' && is_digit(text[at + 1])) return true;
  }
  return false;
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

// True for an abbreviation of a zone.
bool is_zone(Bytes word) {
  return !word.empty() && word.size() <= kLongestZone && may_be_zone(word) && offset_of_zone(word);
}

// True for what other programs write after a time: a zone, a year, or brackets without an address.
bool is_of_time(Bytes word) {
  if (word.size() == 4 && is_digits(word) && (word[0] == '1' || word[0] == '2')) return true;
  if (word[0] == '[') return read_client(word).kind == ClientKind::none;
  return is_zone(word.substr(0, word.find('\t')));
}

bool is_address_word(Bytes word) { return read_client(word).kind == ClientKind::address; }

// True if the word is a program with its number or before a colon, and neither an address nor a
// name of a machine.
[[gnu::cold]] bool is_tag(Bytes word) {
  if (!word.ends_with(']')) {
    const Bytes bare = word.substr(0, word.size() - 1);
    if (bare.empty() || is_machine_name(bare)) return false;
    return bare.find_first_of("=,") == Bytes::npos && !is_address_word(word) &&
           !is_address_word(bare);
  }
  const size_t open = std::min(word.find('['), word.size() - 1);
  return open > 0 && is_digits(word.substr(open + 1, word.size() - open - 2));
}

// Takes the host. It is missing if a program follows the time. A colon may end the host.
bool take_host_of_record(Bytes *line, SyslogLine *parsed) {
  Bytes rest = *line;
  Bytes word = take_word(&rest);
  if (word.empty() || is_of_time(word)) return false;
  const bool has_colon = word.ends_with(':');
  if ((has_colon || word.ends_with(']')) && is_tag(word)) return true;
  if (has_colon && !is_address_word(word)) word.remove_suffix(1);
  parsed->host = word;
  *line = rest;
  drop_second_host(word, line);
  return true;
}

bool may_be_of_cisco(const SyslogLine &parsed) {
  return parsed.message.starts_with('%') || parsed.message.starts_with(": %") ||
         parsed.program.starts_with('%');
}

// The devices of Cisco write a tag in front of the message, and no program. The host, or the zone
// of the time, may be before a colon.
[[gnu::cold]] void settle_cisco(SyslogLine *parsed) {
  const bool is_program = parsed->program.starts_with('%');
  Bytes text = is_program ? parsed->content : parsed->message;
  if (text.starts_with(": ")) text.remove_prefix(2);
  if (!is_cisco_tag(text) || !parsed->pid.empty()) return;
  const Bytes word = is_program ? Bytes() : parsed->program;
  if (is_zone(word)) {
    parsed->zone = word;
  } else if (parsed->host.empty()) {
    parsed->host = word;
  } else if (!word.empty()) {
    return;
  }
  parsed->program = Bytes();
  parsed->message = parsed->content = text;
}

// True for what a time of RFC 5424 without the version before it begins.
bool lacks_version(const SyslogLine &parsed, Bytes line) {
  return is_digit(parsed.time[0]) && line.find(" - - ") != Bytes::npos;
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
    drop_blanks(&line);
    parsed->message = line;
  } else if (!line.empty()) {
    return kNoData;
  }
  parsed->message = without_byte_order_mark(parsed->message);
  parsed->content = parsed->message;
  return nullptr;
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
  if (parsed->is_spaced && lacks_version(*parsed, line)) return kNoTime;
  if (line.starts_with('<')) take_names_of_priority(&line, parsed);
  if (!take_host_of_record(&line, parsed)) return kNoHost;
  parsed->content = line;
  split_tag(line, parsed);
  if (may_be_of_cisco(*parsed)) settle_cisco(parsed);
  return nullptr;
}

}  // namespace mrc
