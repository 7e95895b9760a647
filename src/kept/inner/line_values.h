// kept: one line of a manifest, a partial or a unit list: a name, followed by values.
#pragma once

#include "base/int.h"
#include "base/one_line.h"
#include "fields/fields.h"
#include "kept/partial.h"

#include <fmt/compile.h>

#include <charconv>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// Appends text as fmt::format() makes it.
template <typename Format, typename... Args>
void append_formatted(std::string *text, const Format &format, Args &&...args) {
  fmt::format_to(std::back_inserter(*text), format, std::forward<Args>(args)...);
}

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

// A Dialect (how the records of an input are read) as lines of text, for unit lists and
// partials.

// Appends a line for each property that is not the default; the first begins with "dialect".
void append_dialect(const Dialect &dialect, std::string *text);

// Reads one of these lines, split into its name and the rest. False: the line is another or
// damaged.
bool read_dialect_line(Bytes name, LineValues values, std::optional<Dialect> *dialect);

// The splitters between ranges of records, as lines of text: in base64, as keys are any
// bytes.
inline void append_splitters(const std::vector<std::string> &splitters, std::string *text) {
  for (const std::string &splitter : splitters) {
    *text += "splitter ";
    append_base64(splitter, text);
    *text += "\n";
  }
}

// Reads the value of such a line. False: it is damaged.
inline bool read_splitter(Bytes value, std::vector<std::string> *splitters) {
  return append_from_base64(value, &splitters->emplace_back()) &&
         std::ssize(*splitters) < kPartialPartitions;
}

}  // namespace mrc
