// A search for a few literals runs at the speed of memory, an automaton at a tenth of it. So this
// parser finds literals that every match contains. It understands only common syntax: if it is not
// sure, it reports no literals, and the automaton searches all the text.
//
// A sequence requires the literals of each of its parts; the best few sets are kept. Alternatives
// require a literal of each branch. A repetition requires the literals of what it repeats, unless
// it may be empty.
#include "base/text.h"
#include "map/line_matcher.h"
#include "scan/scan.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mrc {
namespace {

// Estimates how much a search for these literals saves. Long ones with rare bytes are best.
i64 worth(const AnyOf &literals) {
  if (literals.empty()) return -1;
  i64 least = INT64_MAX;
  for (const std::string &literal : literals) {
    if (literal.size() < 2) return -1;  // too frequent to save anything
    i64 first = 0, second = 0;
    for (char c : literal) {
      if (rarity(c) > first)
        second = std::exchange(first, rarity(c));
      else if (rarity(c) > second)
        second = rarity(c);
    }
    least = std::min(least, first + second + 8 * std::min<i64>(std::ssize(literal), 16));
  }
  return std::max<i64>(0, least - 20 * (std::ssize(literals) - 1));
}

// Makes a letter lower case. Returns false if Unicode has more forms of it than two.
bool fold_letter(char *c) {
  if (*c >= 'A' && *c <= 'Z') *c = static_cast<char>(*c | 0x20);
  return static_cast<u8>(*c) < 0x80 && *c != 'k' && *c != 's';
}

constexpr i64 kMostSets = 4;

class PatternParser {
 public:
  PatternParser(Bytes pattern, bool ignore_case)
      : at_(pattern.data()), end_(at_ + pattern.size()), ignore_case_(ignore_case) {}

  RequiredLiterals parse() {
    RequiredLiterals all = alternatives();
    return failed_ || at_ < end_ ? RequiredLiterals{} : all;
  }

 private:
  RequiredLiterals alternatives() {
    std::vector<RequiredLiterals> branches;
    do {
      branches.push_back(sequence());
    } while (!failed_ && take('|'));
    return either(std::move(branches));
  }

  RequiredLiterals sequence();
  void add_character(std::string character, std::string *run, RequiredLiterals *best);
  const char *after_borders() const;
  AnyOf first_of(std::string characters) const;
  void add_group(bool is_first, std::string *run, RequiredLiterals *best);
  void end_run(std::string *run, RequiredLiterals *best) const;
  void skip_class();
  std::string escaped();
  bool repeats(i64 *least);

  bool take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  // Keeps the sets with the highest worth, best first.
  static void add_set(AnyOf set, RequiredLiterals *all) {
    if (worth(set) < 0) return;
    const auto place = std::find_if(all->sets.begin(), all->sets.end(),
                                    [&](const AnyOf &other) { return worth(other) < worth(set); });
    all->sets.insert(place, std::move(set));
    if (std::ssize(all->sets) > kMostSets) all->sets.pop_back();
  }

  const char *at_;
  const char *end_;
  bool ignore_case_;
  bool failed_ = false;
  i64 depth_ = 0;
};

// `best->exact` holds as long as only characters (in `run`) or one group have been read. `opening`
// has the first characters, if the sequence begins with any.
RequiredLiterals PatternParser::sequence() {
  RequiredLiterals best{{}, true};
  std::string run, opening;
  const char *begin = after_borders();
  bool opens = true;  // only characters have been read from `begin` on
  while (!failed_ && at_ < end_ && *at_ != '|' && *at_ != ')') {
    const char c = *at_;
    if (c == '(') {
      add_group(at_ == begin, &run, &best);
      opens = false;
      continue;
    }
    const bool is_border = at_ < begin;
    std::string character;
    if (c == '[') {
      skip_class();
    } else if (c == '\\') {
      character = escaped();
    } else if (c == '.' || c == '^' || c == '$') {
      ++at_;
    } else if (c == '*' || c == '+' || c == '?' || c == '{') {
      failed_ = true;  // a quantifier that repeats nothing, or a literal one: both are rare
    } else {
      const int size = std::max(1, decode_utf8(at_, end_).size);
      character.assign(at_, static_cast<size_t>(size));
      at_ += size;
    }
    add_character(std::move(character), &run, &best);
    opens &= is_border || !run.empty();
    if (opens) opening = run;
  }
  if (!opening.empty()) best.first = first_of(opening);
  const bool whole = best.exact && best.sets.empty() && !run.empty();
  end_run(&run, &best);
  if (whole && best.exact && best.sets.empty()) best.sets = {{run}};
  if (best.sets.empty()) best.exact = false;
  return best;
}

// `character` is empty for anything but a literal, such as a class or an assertion.
void PatternParser::add_character(std::string character, std::string *run, RequiredLiterals *best) {
  // If anything follows a group, the sets are not the whole pattern any more.
  if (best->exact && !best->sets.empty()) best->exact = false;
  i64 least = 1;
  const bool repeated = repeats(&least);
  const bool required = least > 0 && !character.empty();
  if (required) run->append(character);
  if (required && !repeated) return;
  best->exact = false;
  end_run(run, best);
  run->clear();
}

// Returns the place after ^ and \b, at which a match may begin.
const char *PatternParser::after_borders() const {
  const char *at = at_;
  while (at < end_ && (*at == '^' || Bytes(at, end_).starts_with("\\b"))) at += *at == '^' ? 1 : 2;
  return at;
}

// Returns what a match begins with if it begins with these characters. With ignore_case, they end
// where Unicode has more than two forms of a letter.
AnyOf PatternParser::first_of(std::string characters) const {
  if (ignore_case_) {
    const auto end = std::ranges::find_if(characters, [](char &c) { return !fold_letter(&c); });
    characters.erase(end, characters.end());
  }
  return characters.size() < 2 ? AnyOf() : AnyOf{std::move(characters)};
}

void PatternParser::add_group(bool is_first, std::string *run, RequiredLiterals *best) {
  ++at_;
  if (++depth_ > 100) failed_ = true;
  if (take('?')) {
    if (take('P') && at_ < end_ && *at_ == '<') {
      at_ = std::find(at_, end_, '>');
      failed_ |= !take('>');
    } else {
      failed_ |= !take(':');  // flags are not supported
    }
  }
  if (failed_) return;
  RequiredLiterals inner = alternatives();
  failed_ |= !take(')');
  --depth_;
  i64 least = 1;
  const bool repeated = repeats(&least);
  const bool alone = run->empty() && best->sets.empty() && best->exact;
  const bool exact = alone && inner.exact && !repeated;
  best->exact = false;
  end_run(run, best);
  run->clear();
  if (is_first && least > 0) best->first = inner.first;
  if (exact) {
    *best = std::move(inner);
  } else if (least > 0) {
    for (AnyOf &set : inner.sets) add_set(std::move(set), best);
  }
}

// Adds the characters read so far to `best` as a literal. With ignore_case, it splits them at
// letters for which Unicode has more than two forms. If the pattern is still exact, they stay in
// `run`.
void PatternParser::end_run(std::string *run, RequiredLiterals *best) const {
  if (!ignore_case_) {
    if (!best->exact) add_set({*run}, best);
    return;
  }
  std::string piece;
  for (char &c : *run) {
    if (fold_letter(&c)) {
      piece.push_back(c);
      continue;
    }
    best->exact = false;
    add_set({std::exchange(piece, "")}, best);
  }
  if (!best->exact) add_set({piece}, best);
}

// Moves past a class: [a-z], []a], [^[:alpha:]\]].
void PatternParser::skip_class() {
  ++at_;
  take('^');
  take(']');
  while (at_ < end_ && *at_ != ']') {
    if (*at_ == '\\') ++at_;
    if (end_ - at_ >= 2 && at_[0] == '[' && at_[1] == ':') {
      static constexpr Bytes kClose = ":]";
      at_ = std::search(at_ + 2, end_, kClose.begin(), kClose.end());
      if (at_ < end_) ++at_;
    }
    if (at_ < end_) ++at_;
  }
  failed_ |= !take(']');
}

// Reads a backslash and what it escapes. Returns the character, or an empty string for a class or
// an assertion.
std::string PatternParser::escaped() {
  if (end_ - at_ < 2) {
    failed_ = true;
    return "";
  }
  const char c = at_[1];
  at_ += 2;
  if (c == 't') return "\t";
  if (Bytes("dDwWsSbBAz").find(c) != Bytes::npos) return "";
  if (is_digit(c) || is_letter(c) || static_cast<u8>(c) >= 0x80) failed_ = true;
  return std::string(1, c);
}

// Reads a repetition if one follows; `*least` becomes 0 if it may be empty.
bool PatternParser::repeats(i64 *least) {
  if (failed_ || at_ == end_ || Bytes("*+?{").find(*at_) == Bytes::npos) return false;
  const char kind = *at_++;
  *least = kind == '+';
  if (kind == '{') {
    failed_ |= at_ == end_ || !is_digit(*at_);  // a { that is a literal
    while (at_ < end_ && is_digit(*at_)) *least |= *at_++ != '0';
    while (at_ < end_ && (is_digit(*at_) || *at_ == ',')) ++at_;
    failed_ |= !take('}');
  }
  take('?');  // non-greedy
  failed_ |= at_ < end_ && Bytes("*+?{").find(*at_) != Bytes::npos;
  return true;
}

}  // namespace

RequiredLiterals either(std::vector<RequiredLiterals> all) {
  if (all.size() == 1) return all[0];
  AnyOf together, first;
  bool exact = true, has_first = true;
  for (RequiredLiterals &one : all) {
    if (one.sets.empty()) return {};
    exact &= one.exact;
    has_first &= !one.first.empty();
    std::ranges::move(one.sets[0], std::back_inserter(together));
    std::ranges::move(one.first, std::back_inserter(first));
  }
  if (std::ssize(together) > LiteralSet::kMost) return {};
  if (!has_first || std::ssize(first) > LiteralSet::kMost) first.clear();
  return {{together}, exact, first};
}

RequiredLiterals required_literals(Bytes pattern, bool ignore_case) {
  RequiredLiterals found = PatternParser(pattern, ignore_case).parse();
  if (!found.exact) std::erase_if(found.sets, [](const AnyOf &set) { return worth(set) < 0; });
  return found;
}

}  // namespace mrc
