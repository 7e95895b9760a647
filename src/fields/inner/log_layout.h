// The layout of a log's lines, as text:
//
//   [{time}] [{level}] {message}
//   {w1} {time} {pid} {level} {logger}: {message}
//
// A blank stands for any number of blanks and tabs, even none. {} is a value without a name, and
// braces are doubled. A bracket that opens after a value or a blank extends to its closing one,
// across nested brackets of its kind, unless the time is inside. Within brackets a value ends at
// the last occurrence of the byte after it; elsewhere it ends at the first one, or at a blank.
#pragma once

#include "fields/timestamp.h"

#include <array>
#include <string>
#include <vector>

namespace mrc {

// The values of one line.
struct LogValues {
  static constexpr size_t kMost = 32;
  struct Value {
    const char *begin, *end;
    Bytes bytes() const { return {begin, static_cast<size_t>(end - begin)}; }
  };
  std::array<Value, kMost> values;  // in the order of the layout; the last one is the message
  size_t known;                     // number of values found before the message
};

class LogLayout {
 public:
  // REQUIRES: `text` is a learned layout, or has its form: {time}, or a level in its place, and
  // {message} at its end; or it is a part of a layout without these.
  explicit LogLayout(Bytes text, TimeShape shape = TimeShape::none);

  // Returns the names of the values, in order.
  const std::vector<std::string> &names() const { return names_; }
  TimeShape shape() const { return shape_; }

  // Allows match() to skip the message and the values after this place.
  void forget_after(size_t place);

  // Splits a line, up to the first value that does not fit the layout; the rest is the message.
  // Returns false if there is no time in its place, or, for a layout without one, no level. A level
  // is a word that is_log_level() knows, and a pid has digits only. May over-read by kPadding
  // bytes.
  bool match(Bytes line, LogValues *found) const;
  // Returns the size of the text at the front that matches all of the layout; 0 if it does not
  // match. For layouts without time.
  size_t match_all(Bytes text) const;

 private:
  struct Step {
    enum class Kind : u8 { blanks, byte, open, close, time, value, message };
    // How a value ends: at a blank; at a byte before any blank; at a byte; at a colon before a
    // blank; at the last byte within the brackets; with the brackets; after one byte.
    enum class End : u8 { word, byte_of_word, byte, colon, last_byte, brackets, letter };
    enum class Check : u8 { any, level, level_or_digit, digits };

    Kind kind;
    End end = End::word;
    Check check = Check::any;
    bool commits = false;  // values found up to here are kept, whatever follows
    char byte = '\0';
    char close = '\0';
  };
  struct Cursor;

  void add_placeholder(Bytes name);
  void find_ends();
  size_t end_of_level() const;
  static bool is_right(Step::Check check, Bytes value);
  static bool take_value(const Step &step, Cursor *at, LogValues::Value *value);
  bool take_time(Cursor *at, LogValues::Value *value) const;
  bool take(const Step &step, Cursor *at, LogValues *found, size_t *count) const;

  std::vector<Step> steps_;
  std::vector<std::string> names_;
  TimeShape shape_;
  size_t time_ = 0;  // step of the time or, without one, of the level
};

}  // namespace mrc
