// Logfmt; for its variants in logs see logfmt_log.cc.
#pragma once

#include "base/text.h"
#include "fields/inner/backslash.h"
#include "fields/inner/labelled.h"

namespace mrc {

// Scans key, key=value and key="value" between blanks, or between commas and blanks.
class LogfmtScanner {
 public:
  explicit LogfmtScanner(Bytes line) : at_(line.data()), end_(line.data() + line.size()) {}

  // Returns false at the end of the line or at an error().
  MRC_INLINE bool next(LabelledPair *pair) {
    while (at_ < end_ && is_blank(*at_)) ++at_;
    if (at_ == end_) return false;
    const char *label = at_;
    while (at_ < end_ && *at_ != '=' && !is_blank(*at_)) ++at_;
    *pair = {Bytes(label, at_), Bytes(at_, at_), false, false};
    if (at_ == end_ || *at_ != '=') return true;
    if (pair->label.empty()) return fail("expected a key in front of =");
    ++at_;
    pair->has_value = true;
    if (at_ < end_ && *at_ == '"') return next_quoted(pair);
    const char *value = at_;
    while (at_ < end_ && !is_blank(*at_)) ++at_;
    const bool separated = at_ > value && at_[-1] == ',';
    pair->value = Bytes(value, at_ - separated);
    return true;
  }
  const char *error() const { return error_; }
  static Bytes meaning(Bytes value, Arena *arena) { return unescape(value, arena); }

 private:
  bool fail(const char *error) {
    error_ = error;
    return false;
  }
  bool next_quoted(LabelledPair *pair) {
    const char *value = ++at_;
    for (; at_ < end_ && *at_ != '"'; ++at_) {
      if (*at_ != '\\') continue;
      pair->has_escapes = true;
      if (++at_ == end_) break;
    }
    if (at_ == end_) return fail("no closing quote of a value");
    pair->value = Bytes(value, at_++);
    if (at_ < end_ && *at_ == ',') ++at_;
    if (at_ < end_ && !is_blank(*at_)) return fail("expected a blank after a quoted value");
    return true;
  }

  const char *at_;
  const char *end_;
  const char *error_ = nullptr;
};

// True for names that programs use. Prose, and paths with = or : in them, are not labels.
bool is_label(Bytes text);

// Functions of LineFormat::logfmt. Pairs are separated by commas or by blanks.
Result<std::unique_ptr<RecordReader>> make_logfmt_reader(const Dialect &dialect,
                                                         std::span<const FieldName> wanted);
Status complete_logfmt(const InputHead &input, Dialect *dialect);
std::optional<Dialect> recognize_logfmt(const InputHead &input, const std::vector<Bytes> &records);

}  // namespace mrc
