// combine: text of a list of values, with or without a figure for each.
#pragma once

#include "combine/value_text.h"

#include <string>
#include <string_view>
#include <utility>

namespace mrc {

// Writes "VALUE (FIGURE), ..." or a JSON array of {"value":,"LABEL":}. Without a label, only the
// values.
class ValueListText {
 public:
  ValueListText(std::string_view label, Notation notation, std::string *out)
      : label_(label), notation_(notation), out_(out) {
    if (is_json()) out->push_back('[');
  }
  void add(Bytes value, std::string_view figure = {}) {
    if (!std::exchange(first_, false)) out_->append(is_json() ? "," : ", ");
    if (is_json() && !label_.empty()) out_->append(R"({"value":)");
    append_text(value, notation_, out_);
    if (label_.empty()) return;
    if (is_json()) {
      out_->append(",\"").append(label_).append("\":").append(figure).push_back('}');
    } else {
      out_->append(" (").append(figure).push_back(')');
    }
  }
  void end() {
    if (is_json()) out_->push_back(']');
  }

 private:
  bool is_json() const { return notation_ == Notation::json; }

  std::string_view label_;
  bool first_ = true;
  Notation notation_;
  std::string *out_;
};

}  // namespace mrc
