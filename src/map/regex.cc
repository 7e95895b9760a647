#include "map/regex.h"

#include <re2/re2.h>

namespace mrc {
namespace {

// For automata that are built while they run; when it is full they are begun anew.
constexpr i64 kProgramBytes = i64{64} << 20;

re2::StringPiece piece(Bytes text) { return {text.data(), text.size()}; }

}  // namespace

Regex::Regex() = default;
Regex::~Regex() = default;

Result<std::unique_ptr<Regex>> Regex::compile(const std::string &pattern,
                                              const RegexOptions &options) {
  RE2::Options how;
  how.set_log_errors(false);
  how.set_max_mem(kProgramBytes);
  how.set_case_sensitive(!options.ignore_case);
  how.set_never_nl(options.lines);
  how.set_dot_nl(!options.lines);
  how.set_encoding(options.bytes ? RE2::Options::EncodingLatin1 : RE2::Options::EncodingUTF8);
  std::unique_ptr<Regex> regex(new Regex());
  regex->program_ = std::make_unique<RE2>((options.lines ? "(?m)" : "") + pattern, how);
  if (!regex->program_->ok()) return Status::error(regex->program_->error());
  return regex;
}

bool Regex::matches(Bytes text) const {
  return program_->Match(piece(text), 0, text.size(), RE2::UNANCHORED, nullptr, 0);
}

bool Regex::find(Bytes text, i64 from, int group, Match *match) const {
  re2::StringPiece found[2];
  if (!program_->Match(piece(text), static_cast<size_t>(from), text.size(), RE2::UNANCHORED, found,
                       group + 1)) {
    return false;
  }
  match->begin = found[group].data() - text.data();
  match->end = match->begin + std::ssize(found[group]);
  return true;
}

std::string Regex::quote(Bytes text) { return RE2::QuoteMeta(piece(text)); }

}  // namespace mrc
