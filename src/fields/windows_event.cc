// Events of Windows as XML, one per line:
//
//   <Event xmlns="..."><System><Provider Name="x"/><EventID>4624</EventID> ... </System>
//   <EventData><Data Name="TargetUserName">ann</Data></EventData></Event>
//
// Fields are elements that have text. They have the names of the elements, but Data has the name in
// its attribute Name. Parts of System have the names that other formats use for them: see kNames.
// If an element occurs twice, the first one counts.
#include "fields/inner/labelled.h"

#include <array>
#include <cstring>

namespace mrc {
namespace {

// An element or, with a point, an attribute of one, and the name of the field.
struct FieldOfEvent {
  Bytes written, name;
};
constexpr FieldOfEvent kEventNames[] = {
    {"Provider.Name", "provider"},
    {"EventID", "event_id"},
    {"Level", "level"},
    {"Task", "task"},
    {"Opcode", "opcode"},
    {"Keywords", "keywords"},
    {"TimeCreated.SystemTime", "time"},
    {"EventRecordID", "record_id"},
    {"Execution.ProcessID", "pid"},
    {"Execution.ThreadID", "thread"},
    {"Channel", "channel"},
    {"Computer", "host"},
    {"Security.UserID", "user_id"},
    {"Message", "message"},
};

Bytes name_of(Bytes written) {
  for (const FieldOfEvent &each : kEventNames) {
    if (each.written == written) return each.name;
  }
  return {};
}

bool is_name_end(char c) { return is_space(c) || c == '>' || c == '/' || c == '='; }

class WindowsEventScanner {
 public:
  explicit WindowsEventScanner(Bytes line) : rest_(line) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
    if (!rest_.starts_with("<Event ") && !rest_.starts_with("<Event>")) {
      fail("expected <Event at its beginning");
    } else if (rest_.find("</Event>") == Bytes::npos) {
      fail("expected </Event> in the same line");
    }
  }

  // Finds the next attribute that has a name, or text of an element.
  bool next(LabelledPair *pair) {
    while (!rest_.empty()) {
      if (in_tag_ ? next_attribute(pair) : next_tag(pair)) return true;
    }
    return false;
  }
  const char *error() const { return error_; }

  // Decodes &lt; &gt; &amp; &quot; &apos; and numeric characters.
  static Bytes meaning(Bytes value, Arena *arena);

 private:
  void fail(const char *error) {
    error_ = error;
    rest_ = {};
  }

  bool next_tag(LabelledPair *pair) {
    const size_t open = rest_.find('<');
    const Bytes text = rest_.substr(0, open);
    if (open == Bytes::npos) {
      rest_ = {};
      return false;
    }
    rest_.remove_prefix(open + 1);
    const bool closes = rest_.starts_with('/');
    const bool is_text = closes && !element_.empty();
    if (is_text) {
      *pair = {label(), text, true, text.find('&') != Bytes::npos};
    }
    element_ = data_name_ = {};
    if (closes || rest_.starts_with('?') || rest_.starts_with('!')) {
      pass('>');
      return is_text;
    }
    size_t end = 0;
    while (end < rest_.size() && !is_name_end(rest_[end])) ++end;
    element_ = rest_.substr(0, end);
    rest_.remove_prefix(end);
    in_tag_ = true;
    return false;
  }

  bool next_attribute(LabelledPair *pair) {
    while (!rest_.empty() && is_space(rest_[0])) rest_.remove_prefix(1);
    if (rest_.starts_with('>') || rest_.starts_with("/>")) {
      if (rest_[0] == '/') element_ = {};
      in_tag_ = false;
      pass('>');
      return false;
    }
    const size_t sign = rest_.find('=');
    if (sign == Bytes::npos || sign + 1 >= rest_.size()) {
      rest_ = {};
      return false;
    }
    const Bytes name = rest_.substr(0, sign);
    const char quote = rest_[sign + 1];
    rest_.remove_prefix(sign + 2);
    const size_t end = rest_.find(quote);
    const Bytes value = rest_.substr(0, end);
    const bool is_quoted = (quote == '"' || quote == '\'') && end != Bytes::npos;
    if (!is_quoted || value.find('<') != Bytes::npos) {
      fail("an attribute has no value in quotes");
      return false;
    }
    rest_.remove_prefix(end + 1);
    if (element_ == "Data" && name == "Name") data_name_ = value;
    // Joins both parts by a point. In the line, a blank or more is between them.
    std::array<char, 64> written;
    const size_t size = element_.size() + 1 + name.size();
    if (size > written.size()) return false;
    std::memcpy(written.data(), element_.data(), element_.size());
    written[element_.size()] = '.';
    std::memcpy(written.data() + element_.size() + 1, name.data(), name.size());
    const Bytes known = name_of({written.data(), size});
    if (known.empty()) return false;
    *pair = {known, value, true, value.find('&') != Bytes::npos};
    return true;
  }

  // Returns the label for the text of the current element.
  Bytes label() const {
    if (element_ == "Data") return data_name_.empty() ? Bytes("data") : data_name_;
    const Bytes known = name_of(element_);
    return known.empty() ? element_ : known;
  }

  void pass(char c) {
    const size_t at = rest_.find(c);
    rest_.remove_prefix(at == Bytes::npos ? rest_.size() : at + 1);
  }

  Bytes rest_;
  bool in_tag_ = false;
  Bytes element_ = {}, data_name_ = {};
  const char *error_ = nullptr;
};

// Returns the code of "&#65;" or "&#x41;"; -1 if it is malformed or not ASCII.
int code_of(Bytes digits) {
  const bool hex = digits.starts_with('x') || digits.starts_with('X');
  if (hex) digits.remove_prefix(1);
  int code = 0;
  for (char c : digits) {
    const int digit = is_digit(c) ? c - '0' : hex && is_letter(c) ? (c | 0x20) - 'a' + 10 : 99;
    if (digit >= (hex ? 16 : 10) || code > 0x7F) return -1;
    code = code * (hex ? 16 : 10) + digit;
  }
  return digits.empty() || code > 0x7F ? -1 : code;
}

int code_of_entity(Bytes name) {
  if (name.starts_with('#')) return code_of(name.substr(1));
  if (name == "lt") return '<';
  if (name == "gt") return '>';
  if (name == "amp") return '&';
  if (name == "quot") return '"';
  return name == "apos" ? '\'' : -1;
}

Bytes WindowsEventScanner::meaning(Bytes value, Arena *arena) {
  char *begin = reinterpret_cast<char *>(arena->alloc(std::ssize(value) + kPadding)), *out = begin;
  for (size_t i = 0; i < value.size(); ++i) {
    const size_t end = value[i] == '&' ? value.substr(i, 10).find(';') : Bytes::npos;
    const int code = end == Bytes::npos ? -1 : code_of_entity(value.substr(i + 1, end - 1));
    *out++ = code < 0 ? value[i] : static_cast<char>(code);
    if (code >= 0) i += end;
  }
  std::memset(out, 0, kPadding);
  return {begin, static_cast<size_t>(out - begin)};
}

}  // namespace

constinit const NamedKind kWindowsEventKind = kLabelledKind<WindowsEventScanner>;

}  // namespace mrc
