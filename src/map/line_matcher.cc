// The matcher uses the fastest of four ways that the pattern allows (see LineMatcher::Way). All
// give the same lines, which tests check; the slower ways support more patterns.
//
// An automaton may search many lines at once if the pattern cannot tell the difference. Regex never
// lets a match contain a line end, so each match lies in one line, and the search continues after
// that line. Patterns about the ends of the text itself, such as \A, need a search line by line.
#include "map/line_matcher.h"

#include "base/text.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kProgramBytes = i64{64} << 20;

// A character outside of words: the complement of is_letter_outside_ascii() and of ASCII word
// characters, as classes of characters and of bytes.
constexpr const char *kNoWord =
    R"([^0-9A-Za-z_\x{AA}\x{B5}\x{BA}\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{1FFF})"
    R"(\x{2070}-\x{2FFF}\x{3040}-\x{FEFE}\x{FF00}-\x{10FFFF}])";
constexpr const char *kNoWordByte = R"([^0-9A-Za-z_\xAA\xB5\xBA\xC0-\xD6\xD8-\xF6\xF8-\xFF])";

bool contains(Bytes text, Bytes part) { return text.find(part) != Bytes::npos; }

// True if a search through many lines could give another answer than line by line. In doubt, true.
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

// True if the pattern may look at the characters around a match, as ^ and \b do. In doubt, true.
bool looks_beside_matches(Bytes pattern) {
  for (size_t at = pattern.find('^'); at != Bytes::npos; at = pattern.find('^', at + 1)) {
    const Bytes before = pattern.substr(0, at);
    if (!before.ends_with('[') || before.ends_with("\\[")) return true;
  }
  return contains(pattern, "$") || contains(pattern, "\\b") || contains(pattern, "\\B");
}

bool is_word_character(u32 code) {
  if (code >= 0x80) return is_letter_outside_ascii(code);
  return is_letter(static_cast<char>(code)) || is_digit(static_cast<char>(code)) || code == '_';
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

// True if `p` is not inside a character, and not right after a character of a word.
bool word_may_start_at(Bytes text, const char *p) {
  const bool within = p < text.data() + text.size() && (static_cast<u8>(*p) & 0xC0) == 0x80;
  return !within && !word_ends_at(text.data(), p);
}

// Joins the patterns to one of alternatives.
std::string in_one(const std::vector<std::string> &patterns, bool fixed) {
  std::string all;
  for (const std::string &pattern : patterns) {
    all += all.empty() ? "(?:" : "|(?:";
    // Closes a \Q quotation that has no \E.
    all += fixed ? Regex::quote(pattern) : pattern;
    all += !fixed && contains(pattern, "\\Q") ? "\\E)" : ")";
  }
  return all;
}

// For word searches: the match is the first group, between characters outside of words.
std::string as_word(const std::string &pattern, const std::string &no_word) {
  return "(?:^|" + no_word + ")(" + pattern + ")(?:$|" + no_word + ")";
}
// Variant for a piece of a line, at both ends of which words end, too.
std::string as_word_of_piece(const std::string &pattern, const std::string &no_word) {
  return "(?:\\C*?" + no_word + ")?\?(" + pattern + ")(?:" + no_word + "\\C*)?";
}

// Returns the literals that a match of any of the patterns requires.
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
  std::vector<std::string> of_characters, of_bytes;
  by_line_ = spec.terminator != '\n';
  for (const std::string &pattern : spec.patterns) {
    (is_utf8(pattern) ? of_characters : of_bytes).push_back(pattern);
    if (spec.fixed) continue;
    // Compiles each pattern alone first, so that an error names its pattern, and two invalid
    // patterns cannot join to a valid one.
    Result<std::unique_ptr<Regex>> regex = Regex::compile(pattern, {});
    if (!regex.is_ok()) return regex.status().within("\"" + pattern + "\"");
    by_line_ |= looks_at_text_ends(pattern);
    looks_beside_ |= looks_beside_matches(pattern);
  }
  const RegexOptions line{
      .ignore_case = spec.ignore_case, .dot_newline = true, .program_bytes = kProgramBytes};
  RegexOptions any = line;
  if (!by_line_) any.lines = true, any.dot_newline = false;
  const std::string characters = in_one(of_characters, spec.fixed);
  const std::string bytes = in_one(of_bytes, spec.fixed);
  const struct {
    std::unique_ptr<Regex> *regex;
    bool wanted;
    std::string pattern;
    RegexOptions options;
  } all[] = {
      {&characters_, !characters.empty(), word_ ? as_word(characters, kNoWord) : characters, any},
      {&pieces_, word_ && !characters.empty(), as_word_of_piece(characters, kNoWord), line},
      {&bytes_, !bytes.empty(), word_ ? as_word(bytes, kNoWordByte) : bytes, any}};
  for (const auto &one : all) {
    if (!one.wanted) continue;
    Result<std::unique_ptr<Regex>> regex = Regex::compile(one.pattern, one.options);
    if (!regex.is_ok()) return regex.status();
    *one.regex = std::move(*regex);
  }
  return Status::ok();
}

void LineMatcher::choose_way(const PatternSpec &spec) {
  if (spec.patterns.empty()) return;  // no line matches
  RequiredLiterals required = literals_of(spec);
  one_automaton_ = !by_line_ && (!characters_ || !bytes_);
  way_ = one_automaton_ ? Way::text : Way::lines;
  if (required.sets.empty()) return;
  // A literal that is not a whole word can hide another one at the same place, so a word search may
  // take only single literals. Word borders in byte patterns are bytes, unlike those of is_word().
  const bool one_at_a_place = !spec.word || (required.sets[0].size() == 1 && !bytes_);
  way_ = required.exact && one_at_a_place ? Way::literals : Way::candidates;
  for (AnyOf &set : required.sets) literals_.emplace_back(std::move(set), spec.ignore_case);
  // RE2 itself searches for a single literal that begins a pattern.
  const bool has_several = required.first.size() > 1 && !bytes_ && !pieces_;
  if (has_several) first_ = {std::move(required.first), spec.ignore_case};
}

bool LineMatcher::matches(Bytes line) const {
  if (!first_.empty()) return matches_at_first(line);
  if (characters_ && characters_->matches(line)) return true;
  Match match;
  if (pieces_ && !is_utf8(line) && SearchedLine(*this, line).find(0, &match)) return true;
  return bytes_ && bytes_->matches(line);
}

// Looks for matches only where one may begin, which saves most of the line. After two places
// without a match, searches the line in one pass: each try may read to its end.
bool LineMatcher::matches_at_first(Bytes line) const {
  constexpr int kTries = 2;
  const char *const end = line.data() + line.size(), *from = line.data();
  for (int tries = 0; tries < kTries; ++tries) {
    const FoundLiteral found = scanner_->find(first_, from, end);
    if (found.at == nullptr) return false;
    if (characters_->matches_at(line, found.at - line.data())) return true;
    from = found.at + 1;
  }
  return characters_->matches(line);
}

SearchedLine::SearchedLine(const LineMatcher &matcher, Bytes line)
    : matcher_(matcher), line_(line), characters_(line) {
  if (matcher.way_ == LineMatcher::Way::literals || !matcher.characters_) return;
  if (!matcher.characters_->wants_masked() || is_utf8(line)) return;
  copy_ = masked(line);
  characters_ = copy_;
}

bool SearchedLine::find(i64 from, Match *match) const {
  if (matcher_.way_ == LineMatcher::Way::literals) {
    const FoundLiteral found = matcher_.find_literal(line_.data() + from, line_);
    if (found.at == nullptr) return false;
    *match = {found.at - line_.data(), found.at - line_.data() + found.size};
    return true;
  }
  bool found = matcher_.characters_ && find_among_characters(from, match);
  Match other;
  if (matcher_.bytes_ && matcher_.bytes_->find(line_, from, matcher_.word_, &other) &&
      (!found || other.begin < match->begin)) {
    *match = other;
    found = true;
  }
  return found;
}

bool SearchedLine::find_among_characters(i64 from, Match *match) const {
  const bool is_masked = !copy_.empty();
  if (matcher_.pieces_ && is_masked) return find_in_pieces(from, match);
  return matcher_.characters_->find(characters_, from, matcher_.word_, match);
}

// A byte that is not part of a character is in no match and no word. So the pieces of the line
// between such bytes are searched one by one.
bool SearchedLine::find_in_pieces(i64 from, Match *match) const {
  const char *const line = characters_.data(), *const line_end = line + characters_.size();
  const char *begin = line + from;
  while (begin <= line_end && !word_may_start_at(characters_, begin)) ++begin;
  for (; begin <= line_end; ++begin) {
    const char *end = std::find(begin, line_end, kNoCharacter);
    if (matcher_.pieces_->find_within(characters_, begin - line, end - line, match)) return true;
    begin = end;
  }
  return false;
}

// Returns the first literal from `begin` on that is a word, if words are wanted. `text` is what
// surrounds it.
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
