// A text is quoted texts, runs, and bytes between them. A run is letters, digits and signs between
// them: an id, an address, or parts that signs join.
#include "expr/inner/mask.h"

#include "base/text.h"
#include "kinds/timestamp_reader.h"

#include <algorithm>

namespace mrc {
namespace {

bool is_hex_digit(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }
// Bytes outside of ASCII are letters.
bool is_of_part(char c) { return is_letter(c) || is_digit(c) || (c & 0x80) != 0; }
bool is_joint(char c) { return Bytes(".:-_,").find(c) != Bytes::npos; }

bool is_uuid(Bytes run) {
  constexpr Bytes kForm = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";
  return std::ranges::equal(
      run, kForm, [](char c, char form) { return form == 'h' ? is_hex_digit(c) : c == form; });
}

// True for hexadecimal digits with at least two colons, and maybe points for IPv4 in it.
bool is_ipv6(Bytes run) {
  const auto is_of_address = [](char c) { return is_hex_digit(c) || c == ':' || c == '.'; };
  return std::ranges::count(run, ':') >= 2 && std::ranges::all_of(run, is_of_address) &&
         std::ranges::any_of(run, is_hex_digit);
}

bool has_digit(Bytes text) {
  return std::ranges::any_of(text, [](char c) { return is_digit(c); });
}

// A part with a digit, or of 8 hexadecimal digits and more.
bool is_variable(Bytes part) {
  constexpr size_t kFewestHexDigits = 8;
  return has_digit(part) ||
         (part.size() >= kFewestHexDigits && std::ranges::all_of(part, is_hex_digit));
}

size_t end_of_part(Bytes run, size_t at) {
  while (at < run.size() && is_of_part(run[at])) ++at;
  return at;
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

bool is_month(Bytes word) {
  return word.size() >= 3 && is_capital(word[0]) && find_month(word).size == std::ssize(word);
}

// True for the name of a month beside a number, and for that of a weekday before either: of Tue Nov
// 3, 3/Nov/2026 and Tuesday, November 3.
bool is_of_date(Bytes text, size_t at, size_t end) {
  constexpr size_t kLongest = 12;  // of such names, in bytes
  const Bytes word = text.substr(at, end - at);
  if (word.size() < 3 || word.size() > kLongest || !is_capital(word[0])) return false;
  size_t next = end;
  while (next < text.size() && Bytes(" ,/-").find(text[next]) != Bytes::npos) ++next;
  const bool before_number = next > end && next < text.size() && is_digit(text[next]);
  if (is_month(word)) {
    const bool is_joined = at > 1 && Bytes(" /-").find(text[at - 1]) != Bytes::npos;
    return before_number || (is_joined && is_digit(text[at - 2]));
  }
  if (weekday_size(word) != std::ssize(word)) return false;
  return before_number || is_month(text.substr(next, end_of_part(text, next) - next));
}

// Appends a run; variable parts that a single joint separates are one star.
void append_run(Bytes run, std::string *out) {
  if (is_uuid(run) || is_ipv6(run)) {
    out->push_back('*');
    return;
  }
  bool after_star = false;
  for (size_t at = 0; at < run.size();) {
    const size_t end = end_of_part(run, at);
    const Bytes part = run.substr(at, end - at);
    const bool is_star = is_variable(part) || is_of_date(run, at, end);
    if (is_star && after_star) {
      out->pop_back();  // the joint
    } else {
      out->append(is_star ? Bytes("*") : part);
    }
    after_star = is_star;
    at = end;
    if (at < run.size()) out->push_back(run[at++]);
  }
}

// Returns the end of the run that begins here: its last byte is of a part, or a colon of "::".
size_t end_of_run(Bytes text, size_t at) {
  size_t end = at;
  while (end < text.size() && (is_of_part(text[end]) || is_joint(text[end]))) ++end;
  while (end > at && !is_of_part(text[end - 1])) --end;
  return end;
}

// Finds what is in quotes.
class Quotes {
 public:
  explicit Quotes(Bytes text) : text_(text) {}

  // Returns the end of the quoted text that begins here; the place itself if there is none.
  size_t end_of(size_t at) {
    const char quote = text_[at];
    if (quote == '\'' && at > 0 && is_of_part(text_[at - 1])) return at;
    if ((quote != '"' && quote != '\'') || at >= (quote == '"' ? last_double_ : last_single_)) {
      return at;
    }
    for (size_t end = at + 1; end < text_.size(); ++end) {
      if (text_[end] == quote && may_close(end)) return end + 1;
    }
    (quote == '"' ? last_double_ : last_single_) = at;
    return at;
  }

 private:
  // An apostrophe within a word is no quote.
  bool may_close(size_t at) const {
    return text_[at] == '"' || at + 1 == text_.size() || !is_of_part(text_[at + 1]);
  }

  Bytes text_;
  size_t last_double_ = Bytes::npos, last_single_ = Bytes::npos;  // none is closed from here on
};

}  // namespace

void append_masked(Bytes text, std::string *out) {
  Quotes quotes(text);
  for (size_t at = 0; at < text.size();) {
    if (const size_t end = quotes.end_of(at); end > at) {
      out->append({text[at], '*', text[at]});
      at = end;
      continue;
    }
    const bool begins_address = text.substr(at, 2) == "::";
    const bool is_number = text[at] == '-' && at + 1 < text.size() && is_digit(text[at + 1]);
    const size_t from = at + is_number;
    const size_t end = is_of_part(text[from]) || begins_address ? end_of_run(text, from) : from;
    if (end == from) {
      out->push_back(text[at++]);
      continue;
    }
    is_of_date(text, from, end) ? out->push_back('*')
                                : append_run(text.substr(from, end - from), out);
    at = end;
  }
}

}  // namespace mrc
