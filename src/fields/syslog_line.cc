#include "fields/syslog_line.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr const char *kNoPriority = "expected <PRI> from 0 to 191 at its beginning";
constexpr const char *kNoTime = "expected a time such as Oct 11 22:14:15 at its beginning";
constexpr const char *kNoHost = "expected a host behind the time";
constexpr const char *kNoHeader = "expected time, host, program, pid and msgid behind the version";
constexpr const char *kNoData = "expected - or [structured data] behind the msgid";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether each byte of the text is as the pattern says: 0 a digit, a a letter, _ a blank
// or a digit, others themselves.
bool has_form(Bytes text, Bytes pattern) {
  if (text.size() < pattern.size()) return false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = text[i];
    switch (pattern[i]) {
      case '0':
        if (!is_digit(c)) return false;
        break;
      case 'a':
        if ((c | 0x20) < 'a' || (c | 0x20) > 'z') return false;
        break;
      case '_':
        if (c != ' ' && !is_digit(c)) return false;
        break;
      default:
        if (c != pattern[i]) return false;
    }
  }
  return true;
}

// What is in front of the first blank; it and the blank are removed.
Bytes take_word(Bytes *text) {
  const size_t end = std::min(text->find(' '), text->size());
  const Bytes word = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return word;
}

// "-" is how RFC 5424 writes that there is nothing.
Bytes known(Bytes value) { return value == "-" ? Bytes() : value; }

// <PRI>, if the line has one. False if it is not a number that can be.
bool take_priority(Bytes *line, SyslogLine *parsed) {
  if (!line->starts_with('<')) return true;
  const size_t end = line->find('>');
  if (end == Bytes::npos || end < 2 || end > 4) return false;
  parsed->priority = line->substr(1, end - 1);
  if (!std::all_of(parsed->priority.begin(), parsed->priority.end(), is_digit)) return false;
  parsed->code = 0;
  for (char c : parsed->priority) parsed->code = parsed->code * 10 + (c - '0');
  line->remove_prefix(end + 1);
  return parsed->code <= 191;
}

// Both kinds of time that daemons write.
Bytes take_time(Bytes *line) {
  constexpr Bytes kTraditional = "aaa _0 00:00:00";
  if (has_form(*line, "0000-00-00T00:00:00")) return take_word(line);
  if (!has_form(*line, kTraditional)) return {};
  const Bytes time = line->substr(0, kTraditional.size());
  line->remove_prefix(kTraditional.size());
  if (line->starts_with(' ')) line->remove_prefix(1);
  return time;
}

// "program: message" and "program[pid]: message"; anything else is only a message.
void split_tag(Bytes text, SyslogLine *parsed) {
  parsed->message = text;
  const size_t end = text.find_first_of(" [:");
  if (end == Bytes::npos || end == 0 || text[end] == ' ') return;
  size_t behind = end;
  Bytes pid;
  if (text[end] == '[') {
    const size_t close = text.find(']', end);
    if (close == Bytes::npos) return;
    pid = text.substr(end + 1, close - end - 1);
    behind = close + 1;
  }
  parsed->program = text.substr(0, end);
  parsed->pid = pid;
  if (behind < text.size() && text[behind] == ':') ++behind;
  if (behind < text.size() && text[behind] == ' ') ++behind;
  parsed->message = text.substr(behind);
}

// [id name="value" ...][id ...]: the end of it, with \" and \] in values; npos: it has none.
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

// RFC 5424, behind <PRI>.
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
  constexpr Bytes kByteOrderMark = "\xEF\xBB\xBF";
  if (parsed->message.starts_with(kByteOrderMark)) parsed->message.remove_prefix(3);
  return nullptr;
}

}  // namespace

const char *parse_syslog_line(Bytes line, SyslogLine *parsed) {
  if (!take_priority(&line, parsed)) return kNoPriority;
  if (parsed->code >= 0 && has_form(line, "0 ")) return parse_versioned(line, parsed);
  parsed->time = take_time(&line);
  if (parsed->time.empty()) return kNoTime;
  parsed->host = take_word(&line);
  if (parsed->host.empty()) return kNoHost;
  split_tag(line, parsed);
  return nullptr;
}

}  // namespace mrc
