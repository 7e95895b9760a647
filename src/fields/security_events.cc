// Events of security devices, alone or as messages of syslog:
//
//   CEF:0|vendor|product|version|signature|name|severity|src=192.0.2.1 msg=a text with blanks
//   LEEF:2.0|vendor|product|version|event|^|src=192.0.2.1^usrName=ann
//
// The parts before the pairs are fields as well, and so are the `time` and `host` of syslog.
// Without syslog, `time` is the value of a pair (rt, start or end; devTime).
#include "fields/inner/labelled.h"
#include "fields/inner/syslog.h"
#include "fields/inner/text_form.h"

#include <fmt/format.h>

#include <array>

namespace mrc {
namespace {

bool is_label_byte(char c) {
  return is_digit(c) || is_letter(c) || c == '_' || c == '-' || c == '.' || c == '[' || c == ']';
}

// Scans the parts before the pairs, for both formats.
class EventScanner {
 public:
  const char *error() const { return error_; }
  static Bytes meaning(Bytes value, Arena *arena) { return unescape(value, arena); }

 protected:
  static constexpr size_t kMostParts = 8;
  using Names = std::array<const char *, kMostParts>;

  // `sign` is CEF: or LEEF:, with which the event begins.
  EventScanner(Bytes line, Bytes sign, const Names &names, const char *no_sign)
      : names_(names), rest_(line) {
    if (!line.starts_with(sign)) {
      SyslogLine syslog;
      const size_t at = line.find(sign);
      if (at == Bytes::npos || parse_syslog_line(line, &syslog) != nullptr) {
        error_ = no_sign;
        return;
      }
      time_ = syslog.time;
      host_ = syslog.host;
      rest_ = line.substr(at);
    }
    rest_.remove_prefix(sign.size());
  }

  // Takes host and time of syslog, then the parts. Returns false if the pairs are next, or if there
  // is an error.
  bool next_part(LabelledPair *pair) {
    if (error_ != nullptr) return false;
    if (host_.data() != nullptr) return take("host", &host_, pair);
    if (time_.data() != nullptr) {
      has_time_ = true;
      return take("time", &time_, pair);
    }
    if (part_ == kMostParts || names_[part_] == nullptr) return false;
    size_t end = 0;
    bool escapes = false;
    for (; end < rest_.size() && rest_[end] != '|'; ++end) {
      if (rest_[end] != '\\') continue;
      escapes = true;
      ++end;
    }
    if (end >= rest_.size()) {
      error_ = "expected more parts between | in front of key=value";
      return false;
    }
    *pair = {names_[part_++], rest_.substr(0, end), true, escapes};
    rest_.remove_prefix(end + 1);
    return true;
  }

  static bool take(Bytes label, Bytes *value, LabelledPair *pair) {
    *pair = {label, *value, true, false};
    *value = {};
    return true;
  }

  // Uses the value of this pair as the time, unless a time is known.
  void note_time(const LabelledPair &pair, std::initializer_list<Bytes> labels) {
    if (has_time_) return;
    for (Bytes label : labels) {
      if (pair.label == label) time_ = pair.value;
    }
  }

  Names names_;
  Bytes rest_;
  size_t part_ = 0;
  Bytes time_ = {}, host_ = {};
  bool has_time_ = false;
  const char *error_ = nullptr;
};

class CefScanner : public EventScanner {
 public:
  explicit CefScanner(Bytes line)
      : EventScanner(
            line, "CEF:",
            {"cef_version", "vendor", "product", "version", "signature", "name", "severity"},
            "expected CEF: at its beginning, or after the host of syslog") {}

  // A value ends at the blank before the next label.
  bool next(LabelledPair *pair) {
    if (next_part(pair)) return true;
    rest_ = without_blanks_around(rest_);
    const size_t sign = rest_.find('=');
    if (error_ != nullptr || sign == Bytes::npos) return false;
    size_t end = rest_.size();
    bool escapes = false;
    for (size_t i = sign + 1, word = i; i < rest_.size(); ++i) {
      if (rest_[i] == '\\') {
        escapes = true;
        ++i;
      } else if (is_blank(rest_[i])) {
        word = i + 1;
      } else if (rest_[i] == '=' && word > sign + 1 && is_label(rest_.substr(word, i - word))) {
        end = word;
        break;
      }
    }
    *pair = {rest_.substr(0, sign), rest_.substr(sign + 1, end - sign - 1), true, escapes};
    while (!pair->value.empty() && is_blank(pair->value.back())) pair->value.remove_suffix(1);
    rest_.remove_prefix(end);
    note_time(*pair, {"rt", "start", "end"});
    return true;
  }

 private:
  static bool is_label(Bytes text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_label_byte);
  }
};

class LeefScanner : public EventScanner {
 public:
  explicit LeefScanner(Bytes line)
      : EventScanner(line, "LEEF:", {"leef_version", "vendor", "product", "version", "event"},
                     "expected LEEF: at its beginning, or after the host of syslog") {}

  bool next(LabelledPair *pair) {
    if (next_part(pair)) {
      if (pair->label == "leef_version") has_delimiter_ = pair->value.starts_with('2');
      return true;
    }
    if (error_ != nullptr) return false;
    if (has_delimiter_) take_delimiter();
    while (rest_.starts_with(delimiter_)) rest_.remove_prefix(1);
    const size_t end = std::min(rest_.find(delimiter_), rest_.size());
    const Bytes both = rest_.substr(0, end);
    const size_t sign = both.find('=');
    if (both.empty()) return false;
    rest_.remove_prefix(end);
    *pair = {both.substr(0, sign), both.substr(std::min(sign, both.size() - 1) + 1),
             sign != Bytes::npos, false};
    note_time(*pair, {"devTime"});
    return true;
  }

 private:
  // Reads "^|" or "x5E|" or "0x5E|", or "|" for a tab.
  void take_delimiter() {
    has_delimiter_ = false;
    const size_t bar = rest_.find('|');
    if (bar == Bytes::npos || bar > 4) return;
    Bytes text = rest_.substr(0, bar);
    if (text.starts_with("0x")) text.remove_prefix(1);
    if (text.size() == 1) delimiter_ = text[0];
    if (text.size() == 3 && (text[0] | 0x20) == 'x') {
      delimiter_ = static_cast<char>(digit(text[1]) << 4 | digit(text[2]));
    }
    rest_.remove_prefix(bar + 1);
  }
  static int digit(char c) { return is_digit(c) ? c - '0' : ((c | 0x20) - 'a' + 10) & 15; }

  bool has_delimiter_ = false;
  char delimiter_ = '\t';
};

// Records of the Linux audit daemon:
//
//   type=SYSCALL msg=audit(1364481363.243:24287): arch=c000003e syscall=2 comm="cat" key=(null)
//   type=USER_AUTH msg=audit(1.2:3): pid=7 msg='op=login acct="root" res=success'
//
// The first msg becomes the fields `time` and `serial`. The text in single quotes consists of
// pairs, too, and so does what auditd adds after a group separator, with names in upper case.

constexpr Bytes kStamp = "msg=audit(";

class AuditScanner {
 public:
  explicit AuditScanner(Bytes line) : at_(line.data()), end_(line.data() + line.size()) {
    const size_t stamp = line.find(kStamp);
    if (!line.starts_with("type=") && !line.starts_with("node=")) {
      error_ = "expected type= at its beginning";
    } else if (stamp == Bytes::npos) {
      error_ = "expected msg=audit(time:serial)";
    }
    if (error_ != nullptr) at_ = end_;
  }

  bool next(LabelledPair *pair) {
    if (serial_.data() != nullptr) {
      *pair = {"serial", serial_, true, false};
      serial_ = {};
      return true;
    }
    while (at_ < end_ && separates(*at_)) ++at_;
    if (at_ == end_) return false;
    if (rest().starts_with(kStamp) && next_stamp(pair)) return true;
    const char *label = at_;
    while (at_ < end_ && *at_ != '=' && !separates(*at_)) ++at_;
    *pair = {text(label, at_), {at_, 0}, false, false};
    if (at_ == end_ || *at_ != '=') return true;
    pair->has_value = true;
    ++at_;
    if (at_ < end_ && *at_ == '\'') return next(pair);  // pairs follow in single quotes
    const char quote = at_ < end_ && *at_ == '"' ? '"' : '\0';
    const char *value = at_ += quote == '"';
    while (at_ < end_ && (quote == '"' ? *at_ != quote : !separates(*at_))) ++at_;
    pair->value = text(value, at_);
    if (quote == '"' && at_ < end_) ++at_;
    return true;
  }
  const char *error() const { return error_; }
  static Bytes meaning(Bytes value, Arena *) { return value; }

 private:
  static constexpr char kGroup = '\x1D';
  static bool separates(char c) { return is_blank(c) || c == '\'' || c == kGroup; }
  static Bytes text(const char *p, const char *end) { return {p, static_cast<size_t>(end - p)}; }
  Bytes rest() const { return text(at_, end_); }

  bool next_stamp(LabelledPair *pair) {
    const Bytes stamp = rest().substr(kStamp.size());
    const size_t colon = stamp.find(':'), close = stamp.find(')');
    if (close == Bytes::npos || colon > close) return false;
    *pair = {"time", stamp.substr(0, colon), true, false};
    serial_ = stamp.substr(colon + 1, close - colon - 1);
    at_ = stamp.data() + close + 1;
    if (at_ < end_ && *at_ == ':') ++at_;
    return true;
  }

  const char *at_;
  const char *end_;
  Bytes serial_ = {};  // the next pair's value, unless null
  const char *error_ = nullptr;
};

}  // namespace

constinit const NamedKind kCefKind = kLabelledKind<CefScanner>;
constinit const NamedKind kLeefKind = kLabelledKind<LeefScanner>;
constinit const NamedKind kAuditKind = kLabelledKind<AuditScanner>;

}  // namespace mrc
