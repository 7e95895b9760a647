// The layout of a log's lines, and how it is learned from the first ones.
#pragma once

#include "base/arena.h"
#include "base/int.h"
#include "fields/pattern.h"
#include "kinds/timestamp.h"

#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mrc {

// The matcher of loose patterns (pattern.h), which are the layouts of logs:
//
//   %~[%{time}] [%{level}] %{message}
//   %~%{w1} %{time} %{pid:int} %{level} %{logger}: %{message}
//
// A blank stands for any number of blanks and tabs, even none. A bracket that opens after a value
// or a blank extends to its closing one, across nested brackets of its kind, unless the time is
// inside. Within brackets a value ends at the last occurrence of the byte after it; elsewhere it
// ends at the first one, or at a blank. A value as a whole has to fit its type. A word without
// brackets begins with no separator, and before the time with none of what may_be_word() excludes.
// A level is no name of a logger, thread or host: such a line is of another layout.

// The values of one line.
struct LogValues {
  struct Value {
    const char *begin, *end;
    Bytes bytes() const { return {begin, static_cast<size_t>(end - begin)}; }
  };
  // In the order of the layout; the last one is the rest of the line.
  std::array<Value, Pattern::kMostLoose> values;
  size_t known;  // number of values found before the rest
};

class LogLayout {
 public:
  // REQUIRES: pattern.is_loose
  explicit LogLayout(const Pattern &pattern);

  // Returns the place of a field of the pattern among the values.
  size_t place_of(int field) const;
  // Each line has this value in its place: the time, or else the level, or else the first one.
  size_t front() const { return front_; }
  ValueType front_type() const { return front_type_; }
  size_t rest() const { return fields_.size() - 1; }

  // Allows match() to skip the rest and the values after this place.
  void forget_after(size_t place);
  // Makes match() refuse lines that lack values.
  void require_all() { needs_all_ = true; }

  // Makes match() take times of this form only.
  void set_time_form(const TimeForm &form);

  // Splits a line, up to the first value that does not fit the layout; the rest of the line is the
  // last value. Returns false if the front is not in its place. May over-read by kPadding bytes.
  bool match(Bytes line, LogValues *found) const;
  // Returns the size of the text at the front that matches all of the layout but its last value; 0
  // if it does not match.
  size_t match_all(Bytes text) const;

 private:
  struct Step {
    // `gap` is blanks after a dash, of which there is one at least.
    enum class Kind : u8 { blanks, gap, byte, open, close, time, value, rest };
    // The ways in which values end. The byte is the one after the value in the layout.
    enum class End : u8 {
      word,           // at a blank
      word_or_byte,   // at a blank, or at a byte before it
      word_and_byte,  // at a blank, without the byte before it
      brackets,       // with the brackets
      letter,         // after one byte
      colon,          // at a colon before a blank; from here on, the byte has to be there
      byte,           // at a byte
      byte_of_word,   // at a byte before any blank
      colon_of_word,  // so, at a colon that is not one of two
      last_byte,      // at the last byte within the brackets
    };

    Kind kind;
    End end = End::word;
    ValueType type = ValueType::text;
    bool may_be_digit = false;  // for levels
    bool inside = false;        // it is in brackets
    bool is_word = false;       // any word without brackets
    bool is_early = false;      // it is before the front, too
    bool is_no_level = false;   // the name of a logger, thread or host
    bool commits = false;       // values found up to here are kept, whatever follows
    char byte = '\0';
    char close = '\0';
    // For a time: its form, unless the shape is none; whether its year follows the clock; and
    // whether a number that follows may be another value.
    TimeForm form = {};
    bool is_ctime = false, precedes_number = false;
  };
  struct Cursor;

  void add_literal(char c);
  void add_value(const Pattern &pattern, const PatternStep &value);
  void find_brackets();
  size_t end_of_bracket(size_t open) const;
  bool is_blanks(size_t i) const {
    return i < steps_.size() && steps_[i].kind == Step::Kind::blanks;
  }
  bool is_gap(size_t i) const { return i < steps_.size() && steps_[i].kind == Step::Kind::gap; }
  bool is_byte(size_t i) const { return i < steps_.size() && steps_[i].kind == Step::Kind::byte; }
  bool is_byte(size_t i, char c) const { return is_byte(i) && steps_[i].byte == c; }
  void find_ends();
  void find_end(size_t value);
  void find_padded_end(size_t value);
  bool is_sure(size_t value) const;
  bool is_separator(size_t i) const;
  void find_commits();
  void find_front();
  static bool is_right(const Step &step, Bytes value);
  static bool take_value(const Step &step, Cursor *at, LogValues::Value *value);
  static bool take_level_and_colon(const Step &step, Cursor *at, LogValues::Value *value);
  static bool take_time(const Step &step, Cursor *at, LogValues::Value *value);
  void find_numbers();
  static bool take(const Step &step, Cursor *at, LogValues *found, size_t *count);

  std::vector<Step> steps_;
  std::vector<int> fields_;           // field of each value; -1: none
  size_t front_ = 0, front_end_ = 0;  // the front's place, and the step that commits it
  ValueType front_type_ = ValueType::text;
  bool needs_all_ = false;
};

// True if the line has an escape sequence of a terminal, as colors are.
bool has_colors(Bytes line);
// Appends the text without its escape sequences.
void append_plain(Bytes text, std::string *plain);
// Returns the text without its escape sequences: itself if it has none, or else a copy in the
// arena, which may be over-read by kPadding bytes.
Bytes without_colors(Bytes text, Arena *arena);

// Learns the layout of a log's lines from the first ones.

struct LearnedLog {
  std::string pattern;  // a loose pattern
  TimeForm form = {};
  i64 fitting = 0;        // lines with a time in its place
  bool is_front = false;  // only brackets precede the time
  bool begins = false;    // the first line has a time in its place
  bool has_level = false;
};

// Each line votes for the place and the shape of its time, and then for each word after it. A value
// that nine tenths of the lines with that time have in one place becomes a field. Returns nothing
// if no line has a time within its first seven words. REQUIRES: lines may be over-read by kPadding
// bytes
std::optional<LearnedLog> learn_log(const std::vector<Bytes> &lines);

// Learns the layout of a log whose lines have no time, and begin with a level: [INFO] x, WARN: x,
// or [main] INFO x. `fitting` counts the lines with a level in its place. Returns nothing if no
// line begins like that.
std::optional<LearnedLog> learn_log_of_levels(const std::vector<Bytes> &lines);

// Splits the front of a log line into words, brackets and the gaps between them.

// How words end.
struct TokenRules {
  std::string closers = {};  // brackets that are open and may close in a gap, innermost first
  bool colons = false;       // a colon ends a word, because a colon precedes it
  bool pairs = false;        // two colons do so, too, because two precede it
};

// A word, or text in brackets.
struct LogToken {
  std::string gap = {};  // text before it: separators, and a blank for each run of blanks
  char open = '\0';
  Bytes content = {};         // without brackets and blanks around it
  const char *end = nullptr;  // end, including brackets; null: no token
  TokenRules rules = {};      // rules after the gap
};

char closing_bracket(char open);                 // '\0' for other bytes
std::string in_brackets(Bytes text, char open);  // the text itself if open is '\0'

// Appends the text before the first word to *gap, with a blank for each run of blanks. Returns its
// size.
size_t read_gap(Bytes text, TokenRules *rules, std::string *gap);
// Returns the first token of the text, after its gap.
LogToken next_token(Bytes text, const TokenRules &rules);
// Returns the token with which the text begins, without a gap. REQUIRES: the text is not empty
LogToken token_here(Bytes text, const TokenRules &rules);

// Finds the time of a log line.

// The part of a line before its time.
struct LogPrefix {
  std::vector<LogToken> words;
  std::string gap;      // between the last word and the time, with brackets that stay open
  std::string closers;  // closing brackets for these, innermost first
  Timestamp time;
  size_t at = 0;  // offset of the time in the line

  static constexpr size_t kMostWords = 6;

  // Returns the form of the prefix. Prefixes of one form differ in values and blanks only.
  std::string form() const;
};

// Returns the form of the time with which the text begins. One that may be of two shapes has the
// first.
TimeForm form_of_time(Bytes text);
// Returns false if there is no time within the first words.
bool find_prefix(Bytes line, LogPrefix *prefix);
// True if a word of a prefix may begin here: it would be another prefix if brackets or a time did.
bool may_be_word(Bytes text);

// Returns what the numbers after the clocks of times without a year are (log_years.cc). The texts
// are those of lines of a log, from the time on.
enum class ClockNumbers {
  other,  // there are none, or they belong to the text after the time
  years,
  unsettled,  // they may be years or not
};
ClockNumbers numbers_after_clocks(const std::vector<Bytes> &texts);

// Learns the gap that lines have at one place. Gaps may differ in their blanks.

std::string without_blanks_in(Bytes gap);
// Returns the separators with which nine tenths of the gaps begin. A blank is among them if any of
// these gaps has one at its place, as a blank of a layout stands for none, too. After a last colon,
// most have to have it: a colon before a blank is one that ends a word.
std::string common_gap(const std::vector<std::string> &gaps);

// The columns that the lines of a log share, and the field that each one is.

// One column: a word or brackets in most lines.
struct LogColumn {
  enum class Kind {
    field,          // surely a field, which its text names
    name,           // a logger or a thread
    doubtful_name,  // a name that may be the first word of messages
    number,         // an integer, which a message may contain too
    bracket,        // anything in brackets
    word,           // any word
  };

  Kind kind = Kind::word;
  std::string gap = {};
  char open = '\0';
  TokenRules rules = {};  // rules after the gap
  std::string text = {};  // text in the pattern, without brackets
  std::vector<Bytes> values = {};
  std::vector<Bytes> after = {};  // rest of the line after each value
  bool before_time = false;
  bool ends_header = false;  // a name with dots, and a separator after it
  bool after_tab = false;    // a tab precedes most values
};

// The fields that are known so far.
class LogRoles {
 public:
  bool has(const std::string &role) const { return used_.contains(role); }
  void add(std::string role) { used_.insert(std::move(role)); }
  void drop(const std::string &role) { used_.erase(role); }
  std::string next_word() { return "%{w" + std::to_string(++words_) + "}"; }

 private:
  std::set<std::string> used_;
  int words_ = 0;
};

// True if `part` is at least nine tenths of `of`.
inline bool is_most(i64 part, i64 of) { return part > 0 && part * 10 >= of * 9; }

// Classifies a column by its values. `of` is the number of lines, and `columns` are the columns
// before it.
void classify(LogColumn *column, i64 of, std::vector<LogColumn> *columns, LogRoles *roles);

// True if the texts are those of messages of several shapes: at none of their first places, most
// have one word. If all messages are alike, their words are like the fields of a layout.
bool are_varied(const std::vector<Bytes> &texts);

// Drops the columns from `before` on that may be words of messages.
void drop_words_of_messages(size_t before, std::vector<LogColumn> *columns);

// Returns the fields that columns have already.
LogRoles roles_of(const std::vector<LogColumn> &columns);
// Names the columns that are not fields yet.
void name_columns(std::vector<LogColumn> *columns, LogRoles *roles);

}  // namespace mrc
