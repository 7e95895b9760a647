// RE2 matches UTF-8 byte by byte. An invalid byte ends any match, and the search continues at the
// next byte, which is our policy at no cost. But a class that reaches up to U+10FFFF also accepts
// surrogates, overlong forms and codes above it. If a text is not UTF-8 and such a class may have
// matched, a copy without these bytes is searched again.
#include "regex/regex.h"

#include "base/text.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>

namespace mrc {
namespace {

re2::StringPiece piece(Bytes text) { return {text.data(), text.size()}; }

bool contains(Bytes text, Bytes part) { return text.find(part) != Bytes::npos; }

// Rewrites named groups with the P that Python, Go and RE2 expect; most others have none.
std::string with_named_groups(Bytes pattern) {
  std::string text;
  for (size_t i = 0; i < pattern.size(); ++i) {
    text += pattern[i];
    if (pattern[i] == '\\' && i + 1 < pattern.size()) {
      text += pattern[++i];
      continue;
    }
    const Bytes rest = pattern.substr(i);
    if (!rest.starts_with("(?<") || rest.starts_with("(?<=") || rest.starts_with("(?<!")) continue;
    text += "?P<";
    i += 2;
  }
  return text;
}

// True if the pattern may have a class of many characters outside ASCII. In doubt, true.
bool has_wide_class(Bytes pattern) {
  for (Bytes part : {".", "[^", "[:^", "\\"}) {
    if (contains(pattern, part)) return true;
  }
  return contains(pattern, "[") &&
         std::any_of(pattern.begin(), pattern.end(), [](char c) { return c < 0; });
}

}  // namespace

Regex::Regex() = default;
Regex::~Regex() = default;

Result<std::unique_ptr<Regex>> Regex::compile(const std::string &pattern,
                                              const RegexOptions &options) {
  const bool text = is_utf8(pattern);
  RE2::Options how;
  how.set_log_errors(false);
  how.set_max_mem(options.program_bytes);
  how.set_case_sensitive(!options.ignore_case);
  how.set_never_nl(options.lines);
  how.set_dot_nl(options.dot_newline);
  how.set_encoding(text ? RE2::Options::EncodingUTF8 : RE2::Options::EncodingLatin1);
  std::unique_ptr<Regex> regex(new Regex());
  regex->program_ =
      std::make_unique<RE2>((options.lines ? "(?m)" : "") + with_named_groups(pattern), how);
  if (!regex->program_->ok()) return Status::error(regex->program_->error());
  regex->wants_masked_ = text && has_wide_class(pattern);
  return regex;
}

std::vector<std::string> Regex::groups() const {
  std::vector<std::string> names(static_cast<size_t>(program_->NumberOfCapturingGroups()));
  for (const auto &[number, name] : program_->CapturingGroupNames()) {
    names[static_cast<size_t>(number) - 1] = name;
  }
  return names;
}

// Masking removes matches and adds none, so only a match needs a second search.
bool Regex::matches(Bytes text) const {
  auto search = [this](Bytes in) {
    return program_->Match(piece(in), 0, in.size(), RE2::UNANCHORED, nullptr, 0);
  };
  return search(text) && (!wants_masked_ || is_utf8(text) || search(masked(text)));
}

bool Regex::matches_at(Bytes text, i64 at) const {
  auto search = [&](Bytes in) {
    return program_->Match(piece(in), static_cast<size_t>(at), in.size(), RE2::ANCHOR_START,
                           nullptr, 0);
  };
  return search(text) && (!wants_masked_ || is_utf8(text) || search(masked(text)));
}

bool Regex::capture(Bytes text, std::span<Bytes> groups) const {
  std::array<re2::StringPiece, kMostGroups> found;
  auto search = [&](Bytes in) {
    return program_->Match(piece(in), 0, in.size(), RE2::UNANCHORED, found.data(),
                           static_cast<int>(groups.size()));
  };
  if (!search(text)) return false;
  std::string copy;
  Bytes searched = text;
  if (wants_masked_ && !is_utf8(text)) {
    copy = masked(text);
    searched = copy;
    if (!search(copy)) return false;
  }
  for (size_t i = 0; i < groups.size(); ++i) {
    const char *begin = found[i].data();
    groups[i] = begin == nullptr ? Bytes()
                                 : Bytes(text.data() + (begin - searched.data()), found[i].size());
  }
  return true;
}

bool Regex::find(Bytes text, i64 from, int group, Match *match) const {
  return find(text, from, std::ssize(text), false, group, match);
}

bool Regex::find_within(Bytes text, i64 begin, i64 end, Match *match) const {
  return find(text, begin, end, true, 1, match);
}

bool Regex::find(Bytes text, i64 begin, i64 end, bool whole, int group, Match *match) const {
  re2::StringPiece found[2];
  if (!program_->Match(piece(text), static_cast<size_t>(begin), static_cast<size_t>(end),
                       whole ? RE2::ANCHOR_BOTH : RE2::UNANCHORED, found, group + 1)) {
    return false;
  }
  match->begin = found[group].data() - text.data();
  match->end = match->begin + std::ssize(found[group]);
  return true;
}

std::string Regex::check_replacement(const std::string &with) const {
  std::string error;
  return program_->CheckRewriteString(with, &error) ? "" : error;
}

// After an empty match, the next character is copied. No empty match counts directly after another
// match.
void Regex::replace(Bytes text, const std::string &with, std::string *out) const {
  const std::string copy = wants_masked_ && !is_utf8(text) ? masked(text) : "";
  const Bytes searched = copy.empty() ? text : Bytes(copy);
  std::array<re2::StringPiece, 10> groups;
  const int wanted = 1 + RE2::MaxSubmatch(with);
  size_t at = 0, ended = text.size() + 1;
  while (at <= text.size() && program_->Match(piece(searched), at, searched.size(), RE2::UNANCHORED,
                                              groups.data(), wanted)) {
    const auto begin = static_cast<size_t>(groups[0].data() - searched.data());
    const size_t size = groups[0].size();
    out->append(text.substr(at, begin - at));
    at = begin + size;
    if (size > 0 || begin != ended) {
      for (re2::StringPiece &group : groups) {
        if (group.data() == nullptr) continue;
        group = {text.data() + (group.data() - searched.data()), group.size()};
      }
      program_->Rewrite(out, with, groups.data(), wanted);
    }
    ended = at;
    if (size > 0) continue;
    if (at == text.size()) return;
    const char *next = text.data() + at;
    const i64 character = std::max(decode_utf8(next, text.data() + text.size()).size, 1);
    out->append(next, static_cast<size_t>(character));
    at += static_cast<size_t>(character);
  }
  if (at < text.size()) out->append(text.substr(at));
}

std::string Regex::quote(Bytes text) { return RE2::QuoteMeta(piece(text)); }

std::string masked(Bytes text, char with) {
  std::string copy(text);
  for (char *p = copy.data(), *end = p + copy.size(); p < end;) {
    if (end - p >= 8 && is_ascii_word(p)) {
      p += 8;
      continue;
    }
    const int size = decode_utf8(p, end).size;
    if (size == 0) *p = with;
    p += std::max(size, 1);
  }
  return copy;
}

}  // namespace mrc
