// Splits the front of a log line into words and brackets, and finds its time there.
#include "base/text.h"
#include "fields/inner/client_word.h"
#include "fields/inner/log_layout.h"
#include "fields/inner/make_line_reader.h"
#include "kinds/level.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr size_t kLongestLevel = 16;

// Returns the number of dashes at `at`, if blanks surround them, else 0.
size_t dashes(Bytes text, size_t at) {
  size_t end = at;
  while (end < text.size() && text[end] == '-') ++end;
  const bool begins = at == 0 || !is_letter(text[at - 1]);
  return begins && (end == text.size() || is_blank(text[end])) ? end - at : 0;
}

// Returns the place of the bracket that closes the first one; npos if there is none.
size_t end_of_bracket(Bytes text) {
  const char open = text[0], close = closing_bracket(open);
  i64 depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == open;
    if (text[i] == close && --depth == 0) return i;
  }
  return text.find(close);
}

// A colon or comma at the end of a word is not part of it, and a colon ends a level.
size_t end_of_word(Bytes text, const TokenRules &rules) {
  const size_t colon = text.substr(0, kLongestLevel).find(':');
  if (colon != Bytes::npos && colon > 1 && is_log_level(text.substr(0, colon))) return colon;
  size_t end = 0;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    if (rules.colons && !rules.pairs && text.substr(end).starts_with("::")) {
      ++end;
      continue;
    }
    if (is_blank(c) || c == '|' || (rules.colons && c == ':')) break;
    if (!rules.closers.empty() && c == rules.closers[0]) break;
  }
  if (end > 1 && (text[end - 1] == ':' || text[end - 1] == ',')) --end;
  while (end > 1 && text[end - 1] == ':') --end;
  return end;
}

// Returns the time after a letter, without a blank between them, as glog writes it.
Timestamp find_lettered(Bytes text) {
  constexpr Bytes kLetters = "IWEFDVT";
  const bool has_letter = text.size() > 2 && kLetters.find(text[0]) != Bytes::npos;
  if (!has_letter || !is_digit(text[1])) return {};
  const Timestamp found = find_timestamp(text.substr(1));
  const bool is_joined = found.shape == TimeShape::joined_month_day ||
                         found.shape == TimeShape::compact ||
                         found.shape == TimeShape::short_compact;
  return is_joined ? found : Timestamp{};
}

// True for what may precede a time: a quote, or a mark by which Cisco shows that a clock is not
// synchronized.
bool is_mark_of_time(char c) { return c == '*' || c == '.' || c == '"'; }

class PrefixFinder {
 public:
  PrefixFinder(Bytes line, LogPrefix *prefix) : line_(line), prefix_(prefix) {}

  // Looks for a time from `at` on, after a gap.
  bool find(size_t at) {
    TokenRules rules;
    const bool is_mark = at == 0 && line_.starts_with("- ");  // "-" is a word for a missing value
    if (!is_mark) at += read_gap(line_.substr(at), &rules, &prefix_->gap);
    if (at >= line_.size()) return false;
    return is_time(at) || find_in_brackets(at) || find_after_word(at);
  }

 private:
  static constexpr size_t kMostOpen = 3;  // maximum number of brackets around a time

  bool is_time(size_t at) {
    const Bytes text = line_.substr(at);
    prefix_->time = find_timestamp(text);
    prefix_->at = at;
    if (prefix_->time.size > 0) return true;
    if (is_marked_time(at)) return true;
    prefix_->time = find_lettered(text);
    if (prefix_->time.size == 0) return false;
    ++prefix_->at;
    if (prefix_->closers.empty()) prefix_->closers = "]";  // nothing has opened it
    add({.gap = prefix_->gap, .content = text.substr(0, 1), .end = text.data() + 1});
    return true;
  }
  bool is_marked_time(size_t at) {
    const char mark = line_[at];
    if (!is_mark_of_time(mark)) return false;
    prefix_->time = find_timestamp(line_.substr(at + 1));
    if (prefix_->time.size == 0) return false;
    prefix_->at = at + 1;
    prefix_->gap += mark;
    if (mark == '"') prefix_->closers.insert(0, 1, mark);
    return true;
  }
  // The time may be the first word within brackets, or a later one; otherwise the brackets are a
  // word. WebLogic writes ####< for <.
  bool find_in_brackets(size_t at) {
    const size_t open = line_.find_first_not_of('#', at);
    const char close = open == Bytes::npos ? '\0' : closing_bracket(line_[open]);
    if (close == '\0' || prefix_->closers.size() == kMostOpen) return false;
    const LogPrefix before = *prefix_;
    prefix_->gap += line_.substr(at, open + 1 - at);
    prefix_->closers.insert(0, 1, close);
    if (find(open + 1)) return true;
    *prefix_ = before;
    return false;
  }
  bool find_after_word(size_t at) {
    if (prefix_->words.size() == LogPrefix::kMostWords) return false;
    LogToken word = token_here(line_.substr(at), {prefix_->closers, false});
    if (word.end == nullptr) return false;
    if (word.open == '\0') end_before_time(at, &word);
    word.gap = prefix_->gap;
    add(word);
    return find(static_cast<size_t>(word.end - line_.data()));
  }
  // Ends a word before a time: a colon may separate counters from it, and a comma any word from a
  // date.
  void end_before_time(size_t at, LogToken *word) const {
    const Bytes content = word->content;
    size_t size = content.find_first_not_of("0123456789");
    if (size == 0 || size == Bytes::npos || content[size] != ':') size = content.find(',');
    while (size != Bytes::npos && content[size] == ',' && !is_date(at + size + 1)) {
      size = content.find(',', size + 1);
    }
    if (size == 0 || size == Bytes::npos) return;
    word->content = content.substr(0, size);
    word->end = content.data() + size;
  }
  bool is_date(size_t at) const { return has_date(find_timestamp(line_.substr(at)).shape); }
  void add(LogToken word) {
    prefix_->words.push_back(std::move(word));
    prefix_->gap.clear();
  }

  Bytes line_;
  LogPrefix *prefix_;
};

// Looks at the first byte before it tries the shapes of times, since most lines that continue a
// record begin with other words than months and weekdays.
bool begins_with_date(Bytes text) {
  constexpr Bytes kInitials = "ADFJLMNOSTVW";
  if (text.empty()) return false;
  const char upper = static_cast<char>(text[0] & ~0x20);
  if (!is_digit(text[0]) && kInitials.find(upper) == Bytes::npos) return false;
  return has_date(find_timestamp(text).shape);
}

// True for [1714557600.123], seconds since 1970 at the front.
bool is_bracketed_epoch(Bytes line) {
  if (line.size() < 2 || line[1] != '1') return false;
  const Timestamp found = find_timestamp(line.substr(1));
  const auto end = static_cast<size_t>(found.size) + 1;
  return found.shape == TimeShape::epoch && end < line.size() && line[end] == ']';
}

// True if ::1 or the like is at `at`, after a blank.
bool begins_with_gap_of_address(Bytes text, size_t at) {
  const Bytes rest = text.substr(at);
  if (!rest.starts_with("::") || at == 0 || !is_blank(text[at - 1])) return false;
  const Bytes word = rest.substr(0, rest.find_first_of(" \t"));
  return read_client(word).kind == ClientKind::address;
}

// A priority is in front of a record of syslog, whose time may be after a number and a host.
bool has_time_after_priority(Bytes line) {
  constexpr size_t kLongestPriority = 5;
  const size_t end = line.substr(0, kLongestPriority).find('>');
  if (end == Bytes::npos) return false;
  if (begins_with_date(line.substr(end + 1))) return true;
  LogPrefix prefix;
  return is_digits(line.substr(1, end - 1)) && find_prefix(line.substr(end + 1), &prefix) &&
         has_date(prefix.time.shape);
}

}  // namespace

bool begins_with_epoch(Bytes line) {
  if (!line.starts_with('1')) return false;
  const Timestamp found = find_timestamp(line);
  const auto end = static_cast<size_t>(found.size);
  return found.shape == TimeShape::epoch &&
         (end == line.size() || !(is_digit(line[end]) || is_letter(line[end])));
}

// The time of an access log is in brackets after the client, ident and user; a virtual host may
// precede these.
bool has_own_time(Bytes line) {
  constexpr size_t kLongestFront = 200;
  if (line.empty() || is_blank(line[0])) return false;
  if (line[0] == '<' && has_time_after_priority(line)) return true;
  const size_t front = line[0] == '[' || line[0] == '"';
  if (begins_with_date(line.substr(front))) return true;
  if (front == 1 && line[0] == '[' && is_bracketed_epoch(line)) return true;
  const Bytes near = line.substr(0, kLongestFront);
  size_t bracket = near.find('[', 1);
  while (bracket != Bytes::npos && line[bracket - 1] != ' ') bracket = near.find('[', bracket + 1);
  if (bracket == Bytes::npos || !begins_with_date(line.substr(bracket + 1))) return false;
  const size_t open = bracket - 1;
  const Bytes words = line.substr(0, open);
  const i64 blanks = std::ranges::count(words, ' ');
  const ClientKind client = read_client(words.substr(0, words.find(' '))).kind;
  return blanks == 2 ? client != ClientKind::none : blanks == 3 && client > ClientKind::label;
}

char closing_bracket(char open) {
  switch (open) {
    case '[': return ']';
    case '(': return ')';
    case '<': return '>';
    case '{': return '}';
    default: return '\0';
  }
}

std::string in_brackets(Bytes text, char open) {
  std::string all(text);
  if (open != '\0') all = open + all + closing_bracket(open);
  return all;
}

size_t read_gap(Bytes text, TokenRules *rules, std::string *gap) {
  size_t at = 0, size = 0;
  for (; at < text.size(); at += size) {
    const char c = text[at];
    size = 1;
    if (is_blank(c)) {
      if (!gap->ends_with(' ')) *gap += ' ';
      continue;
    }
    if (!rules->closers.empty() && c == rules->closers[0]) {
      rules->closers.erase(0, 1);
    } else if (c == '-') {
      size = dashes(text, at);
    } else if (begins_with_gap_of_address(text, at)) {
      break;
    } else if (c != '|' && c != ':' && c != ',' && c != ';') {
      break;
    }
    if (size == 0) break;
    gap->append(text.substr(at, size));
  }
  const bool at_end = at == text.size();  // a blank would follow in a longer text
  if (at_end && (gap->ends_with(':') || gap->ends_with('-'))) *gap += ' ';
  rules->colons = gap->ends_with(':');
  rules->pairs = gap->ends_with("::");
  return at;
}

LogToken token_here(Bytes text, const TokenRules &rules) {
  LogToken token;
  size_t begin = 0, end = 0;
  if (closing_bracket(text[0]) != '\0') end = end_of_bracket(text);
  if (end == Bytes::npos) return token;
  if (end > 0) {
    token.open = text[0];
    token.end = text.data() + end + 1;
    begin = 1;
  } else {
    end = end_of_word(text, rules);
    if (end == 0) return token;
    token.end = text.data() + end;
  }
  token.content = without_blanks_around(text.substr(begin, end - begin));
  return token;
}

LogToken next_token(Bytes text, const TokenRules &rules) {
  std::string gap;
  TokenRules now = rules;
  const size_t at = read_gap(text, &now, &gap);
  LogToken token;
  if (at < text.size()) token = token_here(text.substr(at), now);
  token.gap = std::move(gap);
  token.rules = std::move(now);
  return token;
}

std::string LogPrefix::form() const {
  std::string form;
  // A newline ends the gap, because a gap may contain brackets, too.
  for (const LogToken &word : words) form += without_blanks_in(word.gap) + '\n' + word.open;
  return form + without_blanks_in(gap);
}

TimeForm form_of_time(Bytes text) { return form_of(text, find_timestamp(text)); }

bool find_prefix(Bytes line, LogPrefix *prefix) { return PrefixFinder(line, prefix).find(0); }

// A number of seconds may be a word.
bool may_be_word(Bytes text) {
  if (text.empty() || closing_bracket(text[0]) != '\0') return false;
  const auto is_time = [](Bytes at) {
    if (begins_with_date(at)) return true;
    return !at.empty() && is_digit(at[0]) && find_timestamp(at).shape == TimeShape::clock;
  };
  const bool is_marked = is_mark_of_time(text[0]) && is_time(text.substr(1));
  return !is_time(text) && !is_marked && find_lettered(text).size == 0;
}

}  // namespace mrc
