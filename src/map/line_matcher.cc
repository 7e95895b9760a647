// The fastest of four ways that the pattern allows (see LineMatcher::Way). All give the
// same lines, which is tested: what is slower understands more.
//
// An automaton can go through many lines at once if it cannot tell: its matches never
// contain a line end (Regex sees to that), so a match lies in one line, and the search
// goes on behind that line. Patterns about the ends of the text itself, such as \A, are
// for a search line by line.
#include "map/line_matcher.h"

#include "base/utf8.h"
#include "map/required_literals.h"

#include <algorithm>

namespace mrc {
namespace {

// What is no part of a word: is_letter_outside_ascii() as a class, and of bytes.
constexpr const char *kNoWord =
    R"([^0-9A-Za-z_\x{AA}\x{B5}\x{BA}\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{1FFF})"
    R"(\x{2070}-\x{2FFF}\x{3040}-\x{FEFE}\x{FF00}-\x{10FFFF}])";
constexpr const char *kNoWordByte = R"([^0-9A-Za-z_\xAA\xB5\xBA\xC0-\xD6\xD8-\xF6\xF8-\xFF])";

bool contains(Bytes text, Bytes part) { return text.find(part) != Bytes::npos; }

// Whether a search through many lines could give another answer. In doubt, yes.
bool looks_at_text_ends(Bytes pattern) {
  for (Bytes part : {"\\A", "\\z", "\\C"}) {
    if (contains(pattern, part)) return true;
  }
  for (size_t at = pattern.find("(?"); at != Bytes::npos; at = pattern.find("(?", at + 2)) {
    const Bytes flags = pattern.substr(at + 2, pattern.find_first_of(":)<", at) - at - 2);
    if (flags.find_first_of("ms-") != Bytes::npos) return true;
  }
  return false;
}

// Whether it matters if a byte is a character. In doubt, yes.
bool minds_characters(Bytes pattern) {
  for (Bytes part : {".", "[^", "[:^", "\\", "(?"}) {
    if (contains(pattern, part)) return true;
  }
  return std::any_of(pattern.begin(), pattern.end(), [](char c) { return c < 0; });
}

bool is_word_character(u32 code) {
  if (code >= 0x80) return is_letter_outside_ascii(code);
  return is_ascii_letter(static_cast<char>(code)) || (code >= '0' && code <= '9') || code == '_';
}

bool word_starts_at(const char *p, const char *end) {
  if (p == end) return false;
  const Decoded c = decode_utf8(p, end);
  return c.size > 0 && is_word_character(c.code);
}

bool word_ends_at(const char *begin, const char *p) {
  for (int size = 1; size <= 4 && size <= p - begin; ++size) {
    const Decoded c = decode_utf8(p - size, p);
    if (c.size == size) return is_word_character(c.code);
  }
  return false;
}

// All patterns as one; in a word search the match is its first group.
std::string in_one(const PatternSpec &spec, const std::string &no_word) {
  std::string all;
  for (const std::string &pattern : spec.patterns) {
    all += all.empty() ? "(?:" : "|(?:";
    // Of a quotation that does not end, the end.
    all += spec.fixed ? Regex::quote(pattern) : pattern;
    all += !spec.fixed && contains(pattern, "\\Q") ? "\\E)" : ")";
  }
  if (!spec.word) return all;
  return "(?:^|" + no_word + ")(" + all + ")(?:$|" + no_word + ")";
}

// Those of all patterns together.
RequiredLiterals literals_of(const PatternSpec &spec) {
  std::vector<RequiredLiterals> all;
  for (const std::string &pattern : spec.patterns) {
    const std::string regex = spec.fixed ? Regex::quote(pattern) : pattern;
    const bool plain = spec.fixed && !spec.ignore_case && !pattern.empty();
    all.push_back(plain ? RequiredLiterals{{{pattern}}, true}
                        : required_literals(regex, spec.ignore_case));
  }
  return either(std::move(all));
}

}  // namespace

Result<std::unique_ptr<LineMatcher>> LineMatcher::make(const PatternSpec &spec,
                                                       const Scanner &scanner) {
  std::unique_ptr<LineMatcher> matcher(new LineMatcher());
  matcher->scanner_ = &scanner;
  matcher->terminator_ = spec.terminator;
  matcher->word_ = spec.word;
  if (Status status = matcher->compile(spec); !status.is_ok()) return status;
  matcher->choose_way(spec);
  return matcher;
}

Status LineMatcher::compile(const PatternSpec &spec) {
  bool minds = spec.word || spec.ignore_case, is_text = true;
  by_line_ = spec.terminator != '\n';
  for (const std::string &pattern : spec.patterns) {
    // One by one first: a message is about a pattern, and two halves are not a whole.
    const RegexOptions alone{.bytes = !is_utf8(pattern)};
    if (!spec.fixed) {
      Result<std::unique_ptr<Regex>> regex = Regex::compile(pattern, alone);
      if (!regex.is_ok()) {
        return Status::error("\"" + pattern + "\": " + regex.status().message());
      }
      by_line_ |= looks_at_text_ends(pattern);
      minds |= minds_characters(pattern);
    }
    is_text &= !alone.bytes;
  }
  RegexOptions options{.ignore_case = spec.ignore_case, .lines = !by_line_};
  if (is_text) {
    Result<std::unique_ptr<Regex>> regex = Regex::compile(in_one(spec, kNoWord), options);
    if (!regex.is_ok()) return regex.status();
    characters_ = std::move(*regex);
  }
  if (is_text && !minds) return Status::ok();
  options.bytes = true;
  Result<std::unique_ptr<Regex>> regex = Regex::compile(in_one(spec, kNoWordByte), options);
  // Some patterns are about characters that no byte is: those have no such form.
  if (!regex.is_ok()) return is_text ? Status::ok() : regex.status();
  bytes_ = std::move(*regex);
  return Status::ok();
}

void LineMatcher::choose_way(const PatternSpec &spec) {
  RequiredLiterals required = literals_of(spec);
  way_ = by_line_ ? Way::lines : Way::text;
  if (required.sets.empty()) return;
  // Where one literal is no word, another that begins there may be.
  const bool one_at_a_place = !spec.word || required.sets[0].size() == 1;
  way_ = required.exact && one_at_a_place ? Way::literals : Way::candidates;
  for (AnyOf &set : required.sets) literals_.emplace_back(std::move(set), spec.ignore_case);
}

bool LineMatcher::matches(Bytes line) const {
  if (characters_ && characters_->matches(line)) return true;
  return bytes_ && (!characters_ || !is_utf8(line)) && bytes_->matches(line);
}

bool LineMatcher::find(Bytes line, i64 from, Match *match) const {
  if (way_ == Way::literals) {
    const FoundLiteral found = find_literal(line.data() + from, line);
    if (found.at == nullptr) return false;
    *match = {found.at - line.data(), found.at - line.data() + found.size};
    return true;
  }
  if (characters_ && characters_->find(line, from, word_, match)) return true;
  return bytes_ && (!characters_ || !is_utf8(line)) && bytes_->find(line, from, word_, match);
}

// The first literal from `begin` on that is as it should be; `text`: what is around it.
FoundLiteral LineMatcher::find_literal(const char *begin, Bytes text) const {
  const char *end = text.data() + text.size();
  for (;;) {
    const FoundLiteral found = scanner_->find(literals_[0], begin, end);
    if (found.at == nullptr || !word_ || is_word(text, found.at, found.at + found.size)) {
      return found;
    }
    begin = found.at + 1;
  }
}

bool LineMatcher::is_word(Bytes text, const char *begin, const char *end) const {
  return !word_ends_at(text.data(), begin) && !word_starts_at(end, text.data() + text.size());
}

}  // namespace mrc
