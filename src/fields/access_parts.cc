// Access logs with other parts than common and combined, or with other separators:
//
//   ip - - [time] [0.003] "request" 200 826          parts between the time and the request
//   ip (ip) - - [time] "request" 200 "referer"       parts of the front, no bytes
//   ip | - | [time] | "request" | "200" | 826        bars or tabs between the parts, more quotes
//   [time] ip "request" 200 826                      the time comes first
//
// A line is a series of parts: words, and texts in quotes or brackets. The time and the request are
// found by their form, the status is the part after the request, and the bytes follow it. The
// client is found in the front or, if the line begins with the time, after the time. A field whose
// part has another form is missing, because no field is better than a wrong one.
#include "fields/inner/access_log.h"
#include "fields/inner/log_words.h"
#include "fields/inner/make_line_reader.h"
#include "fields/inner/named_formats.h"
#include "kinds/timestamp.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace mrc {
namespace {

// A word, or a text in quotes or brackets, which are not part of it.
struct LinePart {
  Bytes text;
  char open = '\0';  // '"', '[', '(', or '\0' for a word
};

char closing(char open) { return open == '[' ? ']' : open == '(' ? ')' : '"'; }

// Splits a line at blanks, or at bars or tabs if it has several of them.
class LineParts {
 public:
  explicit LineParts(Bytes line) : rest_(line), separator_(separator_of(line)) {}

  bool next(LinePart *part) {
    while (!rest_.empty() && separates(rest_[0])) rest_.remove_prefix(1);
    if (rest_.empty()) return false;
    if (take_enclosed(part)) return true;
    size_t size = 0;
    while (size < rest_.size() && !ends_word(rest_[size])) ++size;
    *part = {without_blanks_around(rest_.substr(0, size))};
    rest_.remove_prefix(size);
    return true;
  }
  bool has_blanks_in_words() const { return separator_ != ' '; }

 private:
  // A bar in a quoted part does not count, because agents have them, too.
  static char separator_of(Bytes line) {
    constexpr i64 kLeast = 3;
    for (const char separator : {'\t', '|'}) {
      if (line.find(separator) == Bytes::npos) continue;
      bool in_quotes = false;
      i64 found = 0;
      for (const char c : line) {
        in_quotes = in_quotes != (c == '"');
        found += c == separator && !in_quotes;
      }
      if (found >= kLeast) return separator;
    }
    return ' ';
  }
  bool separates(char c) const { return is_blank(c) || c == separator_; }
  bool ends_word(char c) const { return separator_ == ' ' ? is_blank(c) : c == separator_; }

  // Takes a part that a quote or bracket opens, if a separator follows the one that closes it.
  bool take_enclosed(LinePart *part) {
    const char open = rest_[0];
    if (open != '"' && open != '[' && open != '(') return false;
    for (size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '\\' && open == '"') {
        ++i;
      } else if (rest_[i] == closing(open)) {
        const bool ends = i + 1 == rest_.size() || separates(rest_[i + 1]);
        if (!ends && open == '"') continue;
        if (!ends) return false;  // [2001:db8::7]:443
        *part = {rest_.substr(1, i - 1), open};
        rest_.remove_prefix(i + 1);
        return true;
      }
    }
    return false;
  }

  Bytes rest_;
  const char separator_;
};

bool has_form_of_date(Bytes text) {
  const Timestamp found = find_timestamp(text);
  return found.size == std::ssize(text) && has_date(found.shape);
}
bool is_epoch_part(Bytes text) {
  const Timestamp found = find_timestamp(text);
  return found.size == std::ssize(text) && found.shape == TimeShape::epoch;
}

bool is_address_part(Bytes word) { return read_client(word).kind == ClientKind::address; }

// Splits words that are no front of a usual form: one of them is an address, which is the first or
// follows a name.
bool split_odd_front(Bytes words, AccessFront *front) {
  AccessFront found;
  size_t number = 0;
  bool follows_name = false;
  for (; !words.empty(); ++number) {
    const Bytes word = take_word(&words);
    const ClientWord client = read_client(word);
    if (client.kind != ClientKind::address) {
      follows_name = number == 0 && client.kind == ClientKind::name;
      if (follows_name) found.host = word;
      continue;
    }
    if (found.ip.data() != nullptr || (number > 0 && !follows_name)) return false;
    found.ip = client.ip;
  }
  if (found.ip.data() == nullptr) return false;
  *front = found;
  return true;
}

// Splits the words of a front that has more than the usual ones. If it begins with the client, the
// others may be anything.
bool split_front_of_many(Bytes words, AccessFront *front) {
  const size_t first = std::min(words.find(' '), words.size());
  const size_t comma = std::min(words.substr(0, first).find(','), first);
  if (!is_address_part(words.substr(0, comma))) {
    return split_front(words, front) || split_odd_front(words, front);
  }
  AccessFront found;
  found.ip = read_client(words.substr(0, comma)).ip;
  if (comma < first) found.forwarded = words.substr(comma + 1, first - comma - 1);
  *front = found;
  return true;
}

bool is_http(Bytes text) { return split_request(text).method.data() != nullptr; }

// True for what servers write for a request that they could not read, such as a TLS handshake.
bool is_odd_request(Bytes text) { return text.empty() || text == "-" || text[0] == '\\'; }

// The parts of a line, and where the time and the request are among them.
class PartedLine {
 public:
  explicit PartedLine(Bytes line) {
    LineParts parts(line);
    while (size_ < kMostParts && parts.next(&parts_[size_])) ++size_;
    has_blanks_in_words_ = parts.has_blanks_in_words();
    request_ = find_request();
    time_ = find_time();
  }

  // Returns null, or the reason why it is no line of an access log.
  const char *reason() const {
    if (request_ == kNone) return "expected a request, such as \"GET / HTTP/1.1\"";
    return time_ == kNone ? "expected a time in brackets or quotes" : nullptr;
  }
  // The others are called only if there is no reason. Fields that are not found are null.
  Bytes time() const { return parts_[time_].text; }
  Bytes request() const { return parts_[request_].text; }
  Bytes status() const {
    const LinePart part = after_request(1);
    return part.open != '(' && (part.text == "-" || may_be_status(part.text)) ? part.text : Bytes();
  }
  // True if a number follows the request that is no status.
  bool has_other_number() const {
    const LinePart part = after_request(1);
    return part.open == '\0' && is_digits(part.text) && !may_be_status(part.text);
  }
  Bytes bytes() const {
    const LinePart part = status().data() == nullptr ? LinePart() : after_request(2);
    const bool is_unknown = part.text == "-" && part.open == '\0';  // in quotes: the referer
    return part.open != '(' && (is_unknown || is_digits(part.text)) ? part.text : Bytes();
  }
  // The agent follows the referer, which is a URL or "-".
  void find_agent(Bytes *referer, Bytes *agent) const {
    const size_t known = size_t{1} + !status().empty() + !bytes().empty();
    const LinePart first = after_request(known), second = after_request(known + 1);
    const bool is_referer = first.text == "-" || first.text.find("://") != Bytes::npos;
    if (first.open != '"' || second.open != '"' || !is_referer) return;
    *referer = first.text;
    *agent = second.text;
  }
  // Splits the front or, if the line begins with the time, what stands between it and the request.
  // Returns false if a front does not tell which of its words is the client.
  bool find_client(Arena *arena, AccessFront *front) const {
    const size_t begins = std::min(time_, request_);
    if (has_words(0, begins)) return split_words(0, begins, arena, front);
    AccessFront found;
    if (!split_words(time_ + 1, request_, arena, &found) || !is_address_part(found.ip)) return true;
    if (found.ident != "-") found.ident = found.user = Bytes();  // the protocol of TLS and a cipher
    *front = found;
    return true;
  }

 private:
  static constexpr size_t kMostParts = 64, kNone = kMostParts;

  LinePart after_request(size_t parts) const {
    return request_ + parts < size_ ? parts_[request_ + parts] : LinePart();
  }
  bool may_have_blanks(const LinePart &part) const {
    return part.open == '"' || (has_blanks_in_words_ && part.open == '\0');
  }
  size_t find_part(auto fits) const {
    const auto end = parts_.begin() + static_cast<std::ptrdiff_t>(size_);
    const auto found = std::find_if(parts_.begin(), end, fits);
    return found == end ? kNone : static_cast<size_t>(found - parts_.begin());
  }
  size_t find_request() const {
    const size_t found = find_part(
        [&](const LinePart &part) { return may_have_blanks(part) && is_http(part.text); });
    if (found != kNone) return found;
    for (size_t i = 1; i + 1 < size_; ++i) {
      const bool is_odd = parts_[i].open == '"' && is_odd_request(parts_[i].text);
      if (is_odd && may_be_status(parts_[i + 1].text)) return i;
    }
    return kNone;
  }
  // A time without brackets and quotes may be that of a log around this one.
  size_t find_time() const {
    const size_t found = find_part([&](const LinePart &part) {
      return (part.open == '[' || may_have_blanks(part)) && has_form_of_date(part.text);
    });
    if (found != kNone) return found;
    return find_part(
        [](const LinePart &part) { return part.open == '[' && is_epoch_part(part.text); });
  }

  // Texts in brackets are no words of a front, except for an address such as [2001:db8::7].
  bool is_word(size_t i) const {
    const LinePart &part = parts_[i];
    return part.open == '\0' || part.open == '"' ||
           (part.open == '[' && is_address_part(part.text));
  }
  bool has_words(size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i) {
      if (is_word(i)) return true;
    }
    return false;
  }
  // Returns the words with blanks between them.
  Bytes join_words(size_t begin, size_t end, Arena *arena) const {
    size_t size = 0;
    for (size_t i = begin; i < end; ++i) size += parts_[i].text.size() + 1;
    char *joined = reinterpret_cast<char *>(arena->alloc(static_cast<i64>(size) + kPadding));
    char *to = joined;
    for (size_t i = begin; i < end; ++i) {
      if (!is_word(i)) continue;
      if (to > joined) *to++ = ' ';
      to = std::ranges::copy(parts_[i].text, to).out;
    }
    std::memset(to, 0, kPadding);
    return {joined, static_cast<size_t>(to - joined)};
  }
  bool split_words(size_t begin, size_t end, Arena *arena, AccessFront *front) const {
    constexpr size_t kUsualWords = 3;  // ip ident user
    const Bytes words = join_words(begin, end, arena);
    if (has_blanks_in_words_ && end - begin > kUsualWords) {
      return split_front_of_many(words, front);
    }
    const bool is_usual =
        split_front(words, front) && (is_address_part(front->ip) || front->ident == "-");
    return is_usual || split_odd_front(words, front);
  }

  std::array<LinePart, kMostParts> parts_;
  size_t size_ = 0;
  bool has_blanks_in_words_ = false;
  size_t time_ = kNone, request_ = kNone;
};

// The fields of a line, in the order of access_log_fields().
using AccessValues = std::array<Bytes, 16>;
// Dialect::pattern of logs without a status.
constexpr const char *kNoStatus = "no status";

// Returns null, or the reason why it is no line of an access log.
const char *read_access_parts(Bytes line, bool has_status, Arena *arena, AccessValues *values) {
  const PartedLine parts(line);
  if (const char *reason = parts.reason()) return reason;
  AccessFront front;
  if (!parts.find_client(arena, &front)) return "expected one client in front of the time";
  const AccessRequest request = split_request(parts.request());
  Bytes status, bytes, referer, agent;
  if (has_status) status = parts.status(), bytes = parts.bytes();
  parts.find_agent(&referer, &agent);
  *values = {front.ip,       front.ident,  front.user,    parts.time(),     parts.request(),
             request.method, request.path, request.query, request.protocol, status,
             bytes,          referer,      agent,         front.host,       front.port,
             front.forwarded};
  return nullptr;
}

struct AccessPartsParser {
  static constexpr bool kKeepsBlankLines = false;
  std::vector<WantedField> wanted;
  bool has_status;

  const char *parse(Bytes line, FieldRow row, Arena *arena) const {
    AccessValues values;
    const char *reason = read_access_parts(line, has_status, arena, &values);
    if (reason != nullptr) return reason;
    for (const WantedField &one : wanted) {
      row.put(one.column, values[static_cast<size_t>(one.field)]);
    }
    return nullptr;
  }
};

Result<std::unique_ptr<RecordReader>> make_access_parts_reader(const Dialect &dialect,
                                                               std::span<const FieldName> wanted) {
  return make_line_reader(dialect, wanted, std::ssize(AccessValues()), [&](const auto &fields) {
    return AccessPartsParser{fields, dialect.pattern != kNoStatus};
  });
}

// In some logs the size of the answer follows the request, and some sizes look like a status: a
// twentieth of other numbers shows that.
Status complete_access_parts(const InputHead &input, Dialect *dialect) {
  constexpr size_t kMostSampled = 200;
  dialect->names = access_log_fields();
  i64 lines = 0, others = 0;
  for (Bytes line : first_lines(input, kMostSampled)) {
    const PartedLine parts(line);
    if (parts.reason() != nullptr) continue;
    ++lines;
    others += parts.has_other_number();
  }
  if (others > 0 && others * 20 >= lines) dialect->pattern = kNoStatus;
  return Status::ok();
}

// Logs of applications contain requests, too, but have other fields, or no client.
std::optional<Dialect> recognize_access_parts(const LineFormat &format, const InputHead &input,
                                              const std::vector<Bytes> &records) {
  const std::vector<std::string> names = access_log_fields();
  const auto is_known = [&](const std::string &name) { return has_name(names, name); };
  if (!std::ranges::all_of(input.spec.named, is_known)) return std::nullopt;
  if (LineFormat::combined.recognize(input, records)) return std::nullopt;
  const i64 agreeing = std::ranges::count_if(records, [](Bytes record) {
    Arena arena;
    AccessValues values;
    return read_access_parts(record, true, &arena, &values) == nullptr && !values[0].empty();
  });
  return accept(format, agreeing, input, records);
}

}  // namespace

constinit const NamedKind kAccessKind = {make_access_parts_reader, complete_access_parts,
                                         recognize_access_parts};

}  // namespace mrc
