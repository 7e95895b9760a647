// kept: a line of text, its name followed by values, as manifests and partials have it.
#pragma once

#include "base/int.h"
#include "base/one_line.h"

#include <charconv>
#include <string>

namespace mrc {

// The values of one line, from left to right. Once one is not there, it has failed.
class LineValues {
 public:
  static constexpr i64 kMost = i64{1} << 60;  // that a number may be: sums of some do not overflow

  explicit LineValues(Bytes text) : left_(text) {}

  LineValues &take(i64 *value, i64 least = 0, i64 most = kMost) {
    parse(value, 10);
    failed_ |= *value < least || *value > most;
    return *this;
  }
  LineValues &take_time(i64 *value) { return parse(value, 10); }
  LineValues &take(bool *value) {
    i64 number = 0;
    take(&number, 0, 1);
    *value = number != 0;
    return *this;
  }
  LineValues &take(u64 *value) { return parse(value, 10); }
  LineValues &take_hash(u64 *value) { return parse(value, 16); }
  // Up to the next blank.
  LineValues &take_word(std::string *word) {
    *word = left_.substr(0, left_.find(' '));
    left_.remove_prefix(word->size());
    left_.remove_prefix(left_.starts_with(' '));
    return *this;
  }
  // All that is left.
  LineValues &take(std::string *text) {
    *text = from_one_line(left_);
    left_ = {};
    return *this;
  }
  bool at_end() const { return left_.empty(); }
  // Whether all has been there, and nothing else.
  bool ok() const { return !failed_ && left_.empty(); }

 private:
  template <typename T>
  LineValues &parse(T *value, int base) {
    const auto [end, error] =
        std::from_chars(left_.data(), left_.data() + left_.size(), *value, base);
    left_.remove_prefix(static_cast<size_t>(end - left_.data()));
    failed_ |= error != std::errc() || !(left_.empty() || left_.front() == ' ');
    left_.remove_prefix(left_.starts_with(' '));
    return *this;
  }

  Bytes left_;
  bool failed_ = false;
};

}  // namespace mrc
