// How the lines of one log are laid out, as text:
//
//   [{time}] [{level}] {message}
//   {w1} {time} {pid} {level} {logger}: {message}
//
// A blank stands for blanks and tabs, or none. {} is a value without a name, and braces are
// written twice. Brackets that open after a value or a blank are searched for their closing one,
// across others of their kind, unless the time is between them. Within brackets a value ends at
// the last of the bytes that stand after it; elsewhere it ends at the first, or at a blank.
#pragma once

#include "fields/timestamp.h"

#include <array>
#include <string>
#include <vector>

namespace mrc {

// One line, taken apart.
struct LogValues {
  static constexpr size_t kMost = 32;
  struct Value {
    const char *begin, *end;
    Bytes bytes() const { return {begin, static_cast<size_t>(end - begin)}; }
  };
  std::array<Value, kMost> values;  // in the order of the layout; the last one is the message
  size_t known;                     // so many are there, and the message
};

class LogLayout {
 public:
  // REQUIRES: the text is one of a learned layout, or of this form: it has {time}, or a level in
  // its place, and {message} at its end, or is a part of one without them.
  explicit LogLayout(Bytes text, TimeShape shape = TimeShape::none);

  // The names of the values, in their order.
  const std::vector<std::string> &names() const { return names_; }
  TimeShape shape() const { return shape_; }

  // From now on match() need not find the message and what stands after this place.
  void forget_after(size_t place);

  // Takes a line apart, through the first value that is not as the layout says; what follows is
  // the message. False if there is no time where it should be, or of a layout without one, no
  // level. A level is a word that is_log_level() knows, and a pid has digits only. May over-read by
  // kPadding bytes.
  bool match(Bytes line, LogValues *found) const;
  // The size of what the text begins with, if it is all of the layout; 0 if it is not. For layouts
  // without time.
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
    bool commits = false;  // what was found through here stays, whatever follows
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
  size_t time_ = 0;  // its place among the steps, or that of the level if there is no time
};

}  // namespace mrc
