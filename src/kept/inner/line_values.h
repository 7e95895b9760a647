// kept: one line of a manifest or a partial: a name, followed by values.
#pragma once

#include "base/int.h"
#include "base/one_line.h"

#include <charconv>
#include <string>

namespace mrc {

// Reads the values of one line from left to right. A missing or invalid value makes it fail for
// good.
class LineValues {
 public:
  static constexpr i64 kMost = i64{1} << 60;  // largest number, so that sums do not overflow

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
  // Takes the text up to the next blank.
  LineValues &take_word(std::string *word) {
    *word = left_.substr(0, left_.find(' '));
    left_.remove_prefix(word->size());
    left_.remove_prefix(left_.starts_with(' '));
    return *this;
  }
  // Takes the rest of the line.
  LineValues &take(std::string *text) {
    *text = from_one_line(left_);
    left_ = {};
    return *this;
  }
  bool at_end() const { return left_.empty(); }
  // True if all values were there and the line has no more.
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
