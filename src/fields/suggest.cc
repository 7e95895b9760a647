// Each line is split into tokens: times, levels, addresses, numbers, words, and the bytes between
// them. Then the lines vote on one token after another. Lines whose token is of another kind drop
// out, and when too few are left, the rest of the line is the message. A run of words at the end is
// part of the message, too.
#include "base/text.h"
#include "fields/inner/named_formats.h"
#include "fields/inner/pattern_values.h"
#include "fields/inspect.h"
#include "fields/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace mrc {
namespace {

constexpr size_t kMostTokens = 60;

struct Token {
  // A literal is one byte; a blank stands for a run of blanks.
  enum class Kind : u8 { literal, time, level, ip, integer, number, quoted, word, line_end };
  Kind kind = Kind::line_end;
  Bytes text = {};

  // Tokens of one kind vote together, but literals only if they are the same.
  int vote() const {
    return kind == Kind::literal ? 256 + static_cast<u8>(text[0]) : static_cast<int>(kind);
  }
};
using Tokens = std::vector<Token>;

bool is_token_byte(char c) {
  return is_digit(c) || is_letter(c) || Bytes("_.-/@$%#*+~\\&").find(c) != Bytes::npos ||
         static_cast<u8>(c) >= 0x80;
}

// True if a value may end here.
bool is_end(const char *p, const char *end) { return p == end || !is_token_byte(*p); }

Token value_at(const char *p, const char *end) {
  using enum Token::Kind;
  const auto token = [&](Token::Kind kind, const char *stop) {
    return Token{kind, {p, static_cast<size_t>(stop - p)}};
  };
  const auto is_whole = [&](const char *stop) {
    return stop != nullptr && stop - p > 1 && is_end(stop, end);
  };
  if (const char *stop = end_of_time(p, end); is_whole(stop) && stop - p >= 8) {
    return token(time, stop);
  }
  if (*p == '"') {
    const EnclosedValue value = find_quoted(p, end);
    if (value.next != nullptr) return token(quoted, value.next);
  }
  if (const char *stop = end_of_ip(p, end); is_whole(stop)) return token(ip, stop);
  if (const char *stop = end_of_integer(p, end);
      stop != nullptr && is_digit(stop[-1]) && is_end(stop, end)) {
    return token(integer, stop);
  }
  if (const char *stop = end_of_number(p, end); is_whole(stop)) return token(number, stop);
  if (const char *stop = end_of_level(p, end); is_whole(stop)) return token(level, stop);
  const char *stop = p;
  while (stop < end && is_token_byte(*stop)) ++stop;
  return stop > p ? token(word, stop) : token(literal, p + 1);
}

Tokens tokens_of(Bytes line) {
  Tokens tokens;
  const char *p = line.data(), *end = p + line.size();
  while (end > p && is_blank(end[-1])) --end;
  while (p < end && tokens.size() < kMostTokens) {
    if (is_blank(*p)) {
      while (is_blank(*p)) ++p;
      tokens.push_back({Token::Kind::literal, " "});
      continue;
    }
    tokens.push_back(value_at(p, end));
    p = tokens.back().text.data() + tokens.back().text.size();
  }
  if (p == end) tokens.push_back({});
  return tokens;
}

// The tokens that most of the lines have in common.
struct Consensus {
  std::vector<Tokens> lines;  // lines that agree
  size_t tokens = 0;          // number of their tokens in common
};

// Drops the lines that differ in the next token. Returns false if too few would be left.
bool all_agree(size_t all, Consensus *consensus) {
  const size_t at = consensus->tokens;
  std::map<int, size_t> votes;
  for (const Tokens &line : consensus->lines) {
    if (at < line.size()) ++votes[line[at].vote()];
  }
  const auto most =
      std::ranges::max_element(votes, {}, [](const auto &vote) { return vote.second; });
  if (most == votes.end() || 3 * most->second < 2 * all) return false;
  if (most->first == static_cast<int>(Token::Kind::line_end)) return false;
  std::erase_if(consensus->lines, [&](const Tokens &line) {
    return at >= line.size() || line[at].vote() != most->first;
  });
  ++consensus->tokens;
  return true;
}

// True if a token is the same in all lines.
bool is_constant(const Consensus &consensus, size_t at) {
  return std::ranges::all_of(consensus.lines, [&](const Tokens &line) {
    return line[at].text == consensus.lines[0][at].text;
  });
}

// Drops words, and the blanks between them, from the end of the common tokens.
void leave_words(Consensus *consensus) {
  const Tokens &line = consensus->lines[0];
  size_t &size = consensus->tokens;
  const auto is_blank_token = [&](size_t i) {
    return line[i].kind == Token::Kind::literal && line[i].text == " ";
  };
  while (size > 0 && (line[size - 1].kind == Token::Kind::word || is_blank_token(size - 1))) --size;
  if (size < line.size() && size > 0 && is_blank_token(size)) ++size;
}

class PatternWriter {
 public:
  explicit PatternWriter(const Consensus &consensus) : consensus_(consensus) {}

  std::string write() {
    const Tokens &line = consensus_.lines[0];
    for (size_t i = 0; i < consensus_.tokens; ++i) {
      const Token &token = line[i];
      const bool is_text = token.kind == Token::Kind::literal ||
                           (token.kind == Token::Kind::word && is_constant(consensus_, i));
      is_text ? add_literal(token.text) : add_value(i);
    }
    const bool all_end = std::ranges::all_of(consensus_.lines, [&](const Tokens &one) {
      return consensus_.tokens < one.size() && one[consensus_.tokens].kind == Token::Kind::line_end;
    });
    if (!all_end) pattern_ += "%{message:rest}";
    return std::move(pattern_);
  }

 private:
  void add_literal(Bytes text) {
    for (char c : text) pattern_ += c == '%' ? "%%" : std::string(1, c);
  }

  void add_value(size_t at) {
    using enum Token::Kind;
    const Token::Kind kind = consensus_.lines[0][at].kind;
    const char *type = kind == time      ? "time"
                       : kind == level   ? "level"
                       : kind == ip      ? "ip"
                       : kind == integer ? "int"
                       : kind == number  ? "number"
                       : kind == quoted  ? "quoted"
                                         : "word";
    const std::string key = key_before(at);
    const bool by_type = kind == time || kind == level || kind == ip;
    std::string name = !key.empty() ? key : by_type ? type : fmt::format("{}1", type);
    for (int i = 2; used(name); ++i) name = fmt::format("{}{}", key.empty() ? type : key, i);
    names_.push_back(name);
    pattern_ += name == type ? fmt::format("%{{{}}}", name) : fmt::format("%{{{}:{}}}", name, type);
  }

  // Returns the key of key=value, if it is a name.
  std::string key_before(size_t at) const {
    const Tokens &line = consensus_.lines[0];
    if (at < 2 || line[at - 1].text != "=" || line[at - 2].kind != Token::Kind::word) return "";
    const Bytes key = line[at - 2].text;
    const bool is_name = std::ranges::all_of(key, [](char c) {
      return is_digit(c) || is_letter(c) || c == '_' || c == '-' || c == '.';
    });
    return is_name && is_constant(consensus_, at - 2) ? std::string(key) : "";
  }

  bool used(const std::string &name) const {
    return name == "message" || std::ranges::find(names_, name) != names_.end();
  }

  const Consensus &consensus_;
  std::string pattern_;
  std::vector<std::string> names_;
};

}  // namespace

std::string pattern_text(const Dialect &dialect) {
  const NamedFormat *row = dialect.format->row;
  const bool is_above = dialect.header || dialect.preamble > 0;
  const bool is_pattern =
      row != nullptr ? row->kind == &kPatternKind && !is_above : dialect.format == &LineFormat::log;
  return is_pattern && dialect.wrapper < 0 ? dialect.pattern : "";
}

SuggestedPattern suggest_pattern(const std::vector<Bytes> &lines) {
  Consensus consensus;
  for (Bytes line : lines) consensus.lines.push_back(tokens_of(line));
  while (all_agree(lines.size(), &consensus)) {
  }
  if (consensus.tokens == 0 || consensus.lines.empty()) return {};
  leave_words(&consensus);
  if (consensus.tokens == 0) return {};
  SuggestedPattern suggested{PatternWriter(consensus).write()};
  const Result<Pattern> pattern = Pattern::compile(suggested.pattern);
  if (!pattern.is_ok()) return {};
  suggested.matching = count_matching(*pattern, lines).matching;
  if (2 * suggested.matching < std::ssize(lines)) return {};
  return suggested;
}

}  // namespace mrc
