// Records of the Linux audit daemon:
//
//   type=SYSCALL msg=audit(1364481363.243:24287): arch=c000003e syscall=2 comm="cat" key=(null)
//   type=USER_AUTH msg=audit(1.2:3): pid=7 msg='op=login acct="root" res=success'
//
// The first msg becomes the fields `time` and `serial`. The text in single quotes consists of
// pairs, too, and so does what auditd adds after a group separator, with names in upper case.
#include "fields/inner/labelled.h"
#include "fields/inner/named_formats.h"

#include <fmt/format.h>

namespace mrc {
namespace {

constexpr Bytes kStamp = "msg=audit(";

class AuditScanner {
 public:
  explicit AuditScanner(Bytes line) : at_(line.data()), end_(line.data() + line.size()) {
    const size_t stamp = line.find(kStamp);
    if (!line.starts_with("type=") && !line.starts_with("node=")) {
      error_ = "expected type= at its beginning";
    } else if (stamp == Bytes::npos) {
      error_ = "expected msg=audit(time:serial)";
    }
    if (error_ != nullptr) at_ = end_;
  }

  bool next(LabelledPair *pair) {
    if (serial_.data() != nullptr) {
      *pair = {"serial", serial_, true, false};
      serial_ = {};
      return true;
    }
    while (at_ < end_ && separates(*at_)) ++at_;
    if (at_ == end_) return false;
    if (rest().starts_with(kStamp) && next_stamp(pair)) return true;
    const char *label = at_;
    while (at_ < end_ && *at_ != '=' && !separates(*at_)) ++at_;
    *pair = {text(label, at_), {at_, 0}, false, false};
    if (at_ == end_ || *at_ != '=') return true;
    pair->has_value = true;
    ++at_;
    if (at_ < end_ && *at_ == '\'') return next(pair);  // pairs follow in single quotes
    const char quote = at_ < end_ && *at_ == '"' ? '"' : '\0';
    const char *value = at_ += quote == '"';
    while (at_ < end_ && (quote == '"' ? *at_ != quote : !separates(*at_))) ++at_;
    pair->value = text(value, at_);
    if (quote == '"' && at_ < end_) ++at_;
    return true;
  }
  const char *error() const { return error_; }
  static Bytes meaning(Bytes value, Arena *) { return value; }

 private:
  static constexpr char kGroup = '\x1D';
  static bool separates(char c) { return is_blank(c) || c == '\'' || c == kGroup; }
  static Bytes text(const char *p, const char *end) { return {p, static_cast<size_t>(end - p)}; }
  Bytes rest() const { return text(at_, end_); }

  bool next_stamp(LabelledPair *pair) {
    const Bytes stamp = rest().substr(kStamp.size());
    const size_t colon = stamp.find(':'), close = stamp.find(')');
    if (close == Bytes::npos || colon > close) return false;
    *pair = {"time", stamp.substr(0, colon), true, false};
    serial_ = stamp.substr(colon + 1, close - colon - 1);
    at_ = stamp.data() + close + 1;
    if (at_ < end_ && *at_ == ':') ++at_;
    return true;
  }

  const char *at_;
  const char *end_;
  Bytes serial_ = {};  // the next pair's value, unless null
  const char *error_ = nullptr;
};

Labels audit_labels(Bytes line) { return labels_of<AuditScanner>(line); }

}  // namespace

constinit const NamedKind kAuditKind = {make_labelled_reader<AuditScanner>,
                                        complete_labels<audit_labels>,
                                        recognize_as_labels<audit_labels>};

}  // namespace mrc
