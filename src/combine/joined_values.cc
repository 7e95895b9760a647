#include "combine/inner/joined_values.h"

#include "combine/figure.h"

#include <utility>

namespace mrc {

JoinedValues::JoinedValues(const std::string &separator, Notation notation, std::string *out)
    : separator_(separator), notation_(notation), out_(out) {
  if (notation == Notation::json) out->push_back('[');
}

void JoinedValues::add(Bytes value) {
  separate();
  if (notation_ == Notation::json || !needs_quotes(value))
    return append_text(value, notation_, out_);
  out_->push_back('"');
  for (const char c : value) out_->append(c == '"' ? 2 : 1, c);
  out_->push_back('"');
}

void JoinedValues::add_missing() {
  separate();
  if (notation_ == Notation::json) append_nothing(notation_, out_);
}

void JoinedValues::separate() {
  if (std::exchange(first_, false)) return;
  out_->append(notation_ == Notation::json ? "," : separator_);
}

void JoinedValues::end() {
  if (notation_ == Notation::json) out_->push_back(']');
}

// A separator may also begin within the value, and end in the separator after it.
bool JoinedValues::needs_quotes(Bytes value) const {
  if (value.find_first_of("\"\r\n") != Bytes::npos) return true;
  if (value.find(separator_) != Bytes::npos) return true;
  const size_t size = separator_.size();
  if (size == 1) return false;
  const std::string end =
      std::string(value.substr(value.size() - std::min(value.size(), size - 1)));
  return (end + separator_).find(separator_) < end.size();
}

}  // namespace mrc
